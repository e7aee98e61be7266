// A hub with something of everything that the dashboard shows: sites that are well and not, Capps in every
// state, a rollout that waits for approval, and a drain. Statuses are written as the hub worker writes them.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import type { Condition } from '../../../crds/capp/conditions.ts';
import { DRAIN } from '../../../crds/drain/drain.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { ADD_ON, CPU_AVAILABLE, MEMORY_AVAILABLE } from '../../../crds/ocm/add-on.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../../crds/ocm/ocm.ts';
import { ADD_ON_PLACEMENT_SCORE } from '../../../crds/ocm/placements.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { SET_REVISION_KIND } from '../../../crds/set/set-revision.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import { capp } from '../../../testbed/capps.ts';
import { serveBare } from '../servers/definitions.ts';
import { APPS } from './hub.ts';

/** What a site could write into a message. */
export const HOSTILE = '<img src=x onerror="document.title=`taken`"><script>document.title="taken"</script>';

const REVISION = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const BEFORE = '00112233445566778899aabbccddeeff';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const ahead = (minutes: number): string => ago(-minutes);

export function siteName(at: number): string {
  return `site-${String(at).padStart(3, '0')}`;
}

/** `sites` of them, the second one lost and the third one tainted. */
export async function seedHub(kube: Kube, sites: number): Promise<void> {
  await serveBare(kube, MANAGED_CLUSTER_ADD_ON);
  for (let at = 1; at <= sites; at += 1) await seedSite(kube, at);
  await seedApps(kube, sites);
  if (sites >= 3) await seedSet(kube);
  if (sites >= 3) await seedDrain(kube);
}

async function seedSite(kube: Kube, at: number): Promise<void> {
  const name = siteName(at);
  const labels = {
    region: ['eu', 'us', 'asia'][at % 3] ?? '',
    tier: at % 10 === 1 ? 'canary' : 'prod',
    name,
  };
  const taints = at === 3 ? [{ key: 'disk', value: 'full', effect: 'NoSelect' }] : [];
  const isLost = at % 50 === 2;
  await make(kube, NAMESPACE, { metadata: { name } });
  await make(
    kube,
    MANAGED_CLUSTER,
    { metadata: { name, labels }, spec: { hubAcceptsClient: true, taints } },
    {
      conditions: [
        condition('ManagedClusterConditionAvailable', isLost ? 'Unknown' : 'True', 'Reported', ''),
      ],
    },
  );
  await make(
    kube,
    MANAGED_CLUSTER_ADD_ON,
    { metadata: { name: ADD_ON, namespace: name } },
    { conditions: [condition('Available', isLost ? 'Unknown' : 'True', 'Lease', '')] },
  );
  const scores = [
    { name: CPU_AVAILABLE, value: ((at * 37) % 160) - 60 },
    { name: MEMORY_AVAILABLE, value: ((at * 53) % 170) - 80 },
  ];
  await make(
    kube,
    ADD_ON_PLACEMENT_SCORE,
    { metadata: { name: 'rcs-score', namespace: name } },
    { scores, validUntil: ahead(10) },
  );
}

async function seedApps(kube: Kube, sites: number): Promise<void> {
  const on = (at: number): string => siteName(Math.min(at, sites));
  await app(kube, 'checkout', on(1), 'ready');
  await app(kube, 'orders', on(1), 'moving');
  await app(kube, 'hostile', on(2), 'failing');
  await app(kube, 'nowhere', null, 'placing');
  const more = Math.min(sites * 2, 400);
  for (let at = 1; at <= more; at += 1) {
    const how = at % 23 === 0 ? 'failing' : at % 31 === 0 ? 'moving' : 'ready';
    await app(kube, `app-${String(at).padStart(3, '0')}`, on((at % sites) + 1), how);
  }
}

type How = 'ready' | 'moving' | 'failing' | 'placing';

async function app(kube: Kube, name: string, site: string | null, how: How): Promise<void> {
  const hostname = name === 'checkout' ? { routeSpec: { hostname: 'checkout.example.com' } } : {};
  const made = capp({ name, namespace: APPS });
  const object = { ...made, spec: { ...made.spec, ...hostname } };
  await make(kube, CAPP, object, statusOf(name, site, how));
}

export function condition(
  type: string,
  status: Condition['status'],
  reason: string,
  message: string,
): Condition {
  return { type, status, reason, message, lastTransitionTime: ago(90), observedGeneration: 1 };
}

function statusOf(name: string, site: string | null, how: How): NonNullable<Capp['status']> {
  if (site === null)
    return {
      observedGeneration: 1,
      conditions: [
        condition('Ready', 'False', 'NoCandidate', 'No site may run it. Looked at again when one changes.'),
        condition('Placed', 'False', 'NoCandidate', 'No site may run it. Looked at again when one changes.'),
      ],
      decisions: [
        {
          at: ago(2),
          reason: 'NoCandidate',
          candidates: [],
          excluded: [{ reason: 'Unfit', count: 12, examples: [siteName(1)], failed: 'gpu In (a100)' }],
        },
      ],
    };
  const other = siteName(site === siteName(1) ? 4 : 1);
  const failed = `The container exits: ${HOSTILE} must be Ready by ${ahead(9)}`;
  const isFailing = how === 'failing';
  const ready = isFailing
    ? condition('Ready', 'False', 'RolloutFailed', failed)
    : condition('Ready', 'True', 'Ready', 'The newest generation serves.');
  return {
    observedGeneration: 1,
    conditions: [
      ready,
      condition('Placed', 'True', 'Chosen', `Chosen by placement all: ${site}`),
      condition('Applied', 'True', 'Applied', 'The site has this generation.'),
      { ...ready, type: 'Available' },
      how === 'moving'
        ? condition('Migrating', 'True', 'Moving', `On its way to ${other}, still so at ${ahead(4)}`)
        : condition('Migrating', 'False', 'NotMoving', 'It stays.'),
      condition('Stalled', 'False', 'Progressing', 'No deadline has passed.'),
    ],
    applicationLinks: { site },
    sites: [
      { clusterName: site, role: how === 'moving' ? 'Leaving' : 'Serving' },
      ...(how === 'moving' ? [{ clusterName: other, role: 'Coming' as const }] : []),
    ],
    knativeObjectStatus: {
      url: `https://${name}.example.com`,
      conditions: [
        {
          type: 'Ready',
          status: isFailing ? 'False' : 'True',
          ...(isFailing ? { reason: 'RevisionFailed' } : {}),
        },
      ],
    },
    revisions: [
      {
        name: `${name}-00002`,
        revisionsStatus: {
          actualReplicas: 3,
          desiredReplicas: 3,
          conditions: [{ type: 'Ready', status: isFailing ? 'False' : 'True' }],
        },
      },
    ],
    migration: {
      serving: site,
      lastMove: {
        from: other,
        to: site,
        reason: 'Tainted',
        message: 'Its site was tainted disk=full',
        startedAt: ago(301),
        endedAt: ago(300),
        result: 'Moved',
      },
    },
    decisions: [
      {
        at: ago(300),
        cluster: site,
        reason: 'Chosen',
        placement: 'all',
        candidates: [
          { cluster: site, score: 82, capps: 4 },
          { cluster: other, score: 71, capps: 9 },
          { cluster: siteName(5), score: 12, capps: 1 },
        ],
        excluded: [
          { reason: 'Unfit', count: 9, examples: [siteName(7), siteName(8)], failed: 'gpu In (a100)' },
          { reason: 'Draining', count: 1, examples: [siteName(3)] },
        ],
      },
    ],
  };
}

async function seedSet(kube: Kube): Promise<void> {
  const clusters = [1, 2, 3].map(siteName);
  const { spec: template } = capp({ name: 'shop', namespace: APPS });
  const stages = [
    { name: 'canary', sites: { matchLabels: { name: siteName(1) } }, soakSeconds: 600 },
    { name: 'rest', approval: 'Required' },
  ];
  const counts = { ready: 0, underWay: 0, failed: 0, offline: 0 };
  const message = 'Stage rest waits for approval: rcs.dana.io/approve';
  const made = await make(
    kube,
    CAPP_SET,
    {
      metadata: { name: 'shop', namespace: APPS },
      spec: { sites: { clusters }, template: { spec: template }, strategy: { stages } },
    },
    {
      observedGeneration: 1,
      readySites: '1/3',
      sites: 3,
      ready: 1,
      revision: REVISION,
      stages: [
        { ...counts, name: 'canary', sites: 1, ready: 1, state: 'Passed' },
        { ...counts, name: 'rest', sites: 2, offline: 1, state: 'Waiting' },
      ],
      rollout: {
        revision: REVISION,
        settled: BEFORE,
        direction: 'Forward',
        begunAt: Date.now() - 3_600_000,
        halfway: [],
        approved: [],
        closed: ['canary'],
        paused: false,
        aborted: false,
        retries: {},
      },
      asked: [{ what: 'retry', request: '#1234', by: 'dana', at: ago(30) }],
      conditions: [
        condition('Ready', 'False', 'SitesNotReady', '1 of 3 sites are Ready'),
        condition('Progressing', 'False', 'AwaitsApproval', message),
        condition('Stalled', 'False', 'Progressing', ''),
      ],
    },
  );
  for (const [at, site] of clusters.entries()) await child(kube, made, site, at === 0 ? REVISION : BEFORE);
  await make(kube, SET_REVISION_KIND, {
    metadata: {
      name: `shop-${BEFORE}`,
      namespace: APPS,
      labels: { 'rcs.dana.io/set': 'shop' },
      ownerReferences: [ownedBy(made)],
    },
    spec: { revision: BEFORE, template: { spec: { ...template, scaleSpec: { maxReplicas: 2 } } } },
  });
}

function ownedBy({ metadata }: KubeObject) {
  const { apiVersion, kind } = CAPP_SET;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
}

async function child(kube: Kube, set: KubeObject, site: string, revision: string): Promise<void> {
  const name = `shop-${site}`;
  const made = capp({ name, namespace: APPS });
  const annotations = { 'rcs.dana.io/set-revision': `${revision}/0123456789/${ago(60)}` };
  const metadata = { ...made.metadata, annotations, ownerReferences: [ownedBy(set)] };
  await make(kube, CAPP, { ...made, metadata, spec: { ...made.spec, site } }, statusOf(name, site, 'ready'));
}

async function seedDrain(kube: Kube): Promise<void> {
  const going = [
    { capp: `${APPS}/orders`, site: siteName(1) },
    { capp: `${APPS}/app-001`, site: siteName(1) },
  ];
  await make(
    kube,
    DRAIN,
    { metadata: { name: siteName(3) }, spec: { reason: 'new disks' } },
    {
      observedGeneration: 1,
      phase: 'Draining',
      requestedBy: 'dana',
      waiting: 1,
      underWay: 1,
      moved: 6,
      stayed: 1,
      targets: [{ site: siteName(1), capps: 1 }],
      going,
      reasons: [{ reason: 'Pinned', capps: 1 }],
      stays: [{ capp: `${APPS}/checkout`, reason: 'Pinned' }],
      startedAt: ago(12),
      reportedAt: ago(0),
    },
  );
}

/** A repeat changes nothing. */
async function make(kube: Kube, resource: Resource, object: object, status?: object): Promise<KubeObject> {
  const { apiVersion, kind } = resource;
  const whole = {
    apiVersion,
    kind,
    ...object,
    ...(status === undefined ? {} : { status }),
  } as unknown as KubeObject;
  const key = { namespace: whole.metadata.namespace ?? null, name: whole.metadata.name };
  const made = await kube.create<KubeObject>(resource, whole).catch((error: unknown) => {
    if (isAlreadyExists(error)) return null;
    throw error;
  });
  if (made !== null && status !== undefined)
    await kube.patch(resource, key, { status }, { subresource: 'status' }).catch((error: unknown) => {
      // A kind that is served without a status of its own took it when it was created.
      if ((error as { code?: number }).code !== 404) throw error;
    });
  return (await kube.get(resource, key)) ?? whole;
}
