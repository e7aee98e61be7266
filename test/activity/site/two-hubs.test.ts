// Two hubs on one site, with OCM's own work agents: both hubs' Capps are there, the second of one name reads
// which hub has it, nothing is written in turn, and a hub that leaves takes only what is its own. The second
// hub's agent is in hosted mode: it keeps its own objects on another cluster, and has an account on the site.
import { setTimeout as pause } from 'node:timers/promises';
import { factsOf } from '../../../activities/hub/status/work-facts.ts';
import type { Sender } from '../../../activities/hub/ship/render/manifests.ts';
import { renderWork } from '../../../activities/hub/ship/render/work.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import { HUB } from '../../../crds/labels.ts';
import { cappsExecutor, shortIdOf } from '../../../crds/ocm/executors.ts';
import { DELETION_ORPHAN, MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { HUBS_OF_SITE } from '../../../crds/site-hubs.ts';
import { resourceOf } from '../../../deploy/local/kubernetes/apply.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { afterApply } from '../../../workflows/capp/after/apply.ts';
import { askOf } from '../../../workflows/capp/next/questions.ts';
import { review } from '../../../workflows/placement/review.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aField, members, NOT_ASKED, RULES } from '../../support/builders/placement.ts';
import { aPlacedState, applied as anApply, NOW } from '../../support/builders/states.ts';
import {
  forHub,
  forSite,
  startCluster,
  templateIn,
  type Cluster,
} from '../../support/servers/chart/chart.ts';
import { startWorkAgentOf } from '../../support/servers/site/work-agent.ts';

const SITE = 'site-1';
const ADDON = HUBS_OF_SITE.namespace;
/** How long nothing may be written; `make soak` takes ten minutes. */
const WATCHED_MS = Number(process.env['TWO_HUBS_SECONDS'] ?? 9) * 1_000;
/** Between two times that both agents are made to apply everything again. */
const AGAIN_MS = 3_000;
const WAIT = { withinMs: 60_000, everyMs: 200 };

interface HubOnSite {
  readonly id: 'hub-a' | 'hub-b';
  readonly cluster: Cluster;
  readonly stopAgent: () => Promise<void>;
}

let site: Cluster;
let a: HubOnSite;
let b: HubOnSite;
beforeAll(async () => {
  // What a work owns goes with it by Kubernetes' own garbage collector.
  site = await startCluster('site', { controllers: ['garbage-collector-controller'] });
  const [first, second] = [await startCluster('hub'), await startCluster('hub')];
  a = await aHub('hub-a', first, 'open-cluster-management-agent', null);
  b = await aHub('hub-b', second, 'open-cluster-management-customer', second.kubeconfig);
}, 300_000);
afterAll(async () => {
  for (const hub of [a, b]) await hub?.stopAgent();
  for (const hub of [a, b]) await hub?.cluster.stop();
  await site?.stop();
});

async function aHub(
  id: HubOnSite['id'],
  cluster: Cluster,
  place: string,
  host: string | null,
): Promise<HubOnSite> {
  await cluster.kube.create(NAMESPACE, { metadata: { name: SITE } });
  const user = `system:serviceaccount:${place}:klusterlet-work-sa`;
  const account = await site.kubeconfigAs(user, ['system:masters']);
  const places = { hub: cluster.kubeconfig, site: account, host: host ?? account };
  return { id, cluster, stopAgent: await startWorkAgentOf(places, SITE) };
}

/** The work of the add-on, as OCM's add-on manager makes it of the chart. */
async function addOnOf({ id }: HubOnSite): Promise<ManifestWork> {
  const objects = await forHub({ hubId: id });
  const manifests = forSite(objects);
  const orphaningRules = await Promise.all(
    manifests
      .filter(({ metadata }) => metadata.annotations?.[DELETION_ORPHAN] !== undefined)
      .map(async ({ apiVersion = '', kind = '', metadata: { name, namespace = '' } }) => {
        const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
        return { group, resource: await pluralOf({ apiVersion, kind }), name, namespace };
      }),
  );
  const { apiVersion, kind } = MANIFEST_WORK;
  return {
    apiVersion,
    kind,
    metadata: { namespace: SITE, name: 'addon-cappstan-deploy-0' },
    spec: {
      workload: { manifests },
      manifestConfigs: templateIn(objects).spec.agentSpec.manifestConfigs,
      deleteOption: { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: { orphaningRules } },
    },
  } as unknown as ManifestWork;
}

const pluralOf = async (of: { apiVersion: string; kind: string }): Promise<string> =>
  of.kind === 'Capp' ? CAPP.plural : (await resourceOf(site.kube, of)).plural;

/** The work of a Capp with a Secret, as its executor. */
function workOf({ id }: HubOnSite, namespace: string, name: string): ManifestWork {
  const capp = aCapp({});
  const sender: Sender = { hub: id, operator: { namespace: ADDON, name: 'cappstan-site' } };
  const metadata = { ...capp.metadata, namespace, name, uid: `${id}-${name}` };
  return renderWork(
    {
      capp: { ...capp, metadata },
      configMaps: [],
      secrets: [{ metadata: { namespace, name: `${name}-key` }, data: { value: btoa(id) } }],
      logReaders: [],
      sender,
      executor: { namespace: ADDON, name: cappsExecutor(id) },
    },
    { cluster: SITE, name: `mw-create-${namespace}-${name}`, incarnation: 'one', salt: id },
  ).work;
}

const create = ({ cluster }: HubOnSite, work: ManifestWork) =>
  cluster.kube.create(MANIFEST_WORK, work as never);
const read = ({ cluster }: HubOnSite, { metadata: { name } }: ManifestWork) =>
  cluster.kube.get<ManifestWork & KubeObject>(MANIFEST_WORK, { namespace: SITE, name });

/** Resolves when OCM has said of this generation whether it is applied. */
async function said(hub: HubOnSite, work: ManifestWork): Promise<ManifestWork> {
  return eventually(async () => {
    const live = await read(hub, work);
    return live !== null && factsOf(live).applied !== 'Unknown' ? live : undefined;
  }, WAIT);
}
/**
 * What the workflow of a Capp on site-1 decides by what the site says of its work: why, for where, and
 * whether the first hub is named.
 */
function goesTo(work: ManifestWork): readonly [string, string | null, boolean] {
  const state = aPlacedState({}, {});
  const refused = afterApply(state, state, {
    cluster: SITE,
    answer: anApply({ work: factsOf(work) }),
    tellsFailure: true,
  });
  const { history } = askOf(refused);
  const clusters = [SITE, 'site-2'];
  const inputs = {
    ...aField({ byPlacement: { all: { clusters, complete: true } }, clusters: members(...clusters) }),
    works: { [SITE]: { leaving: false } },
    present: SITE,
  };
  const found = review(
    inputs,
    { ...NOT_ASKED, ...(history?.otherHub === undefined ? {} : { otherHub: history.otherHub }) },
    RULES,
    NOW,
  );
  return [found.reason, found.goes ? found.to : null, found.message.includes('hub-a')];
}

const applied = (hub: HubOnSite, work: ManifestWork) =>
  eventually(async () => (factsOf(await said(hub, work)).applied === 'True' ? true : undefined), WAIT);

/** Every object of an add-on or a Capp on the site: kind and name → its version, by the hub of its label. */
async function versions(): Promise<ReadonlyMap<string, { readonly version: string; readonly hub: string }>> {
  const found = new Map<string, { version: string; hub: string }>();
  const addOns = [
    ...((await addOnOf(a)).spec?.workload.manifests ?? []),
    ...((await addOnOf(b)).spec?.workload.manifests ?? []),
  ];
  const look = async (object: KubeObject): Promise<void> => {
    const { apiVersion = '', kind = '' } = object;
    const live = await site.kube.get<KubeObject>(
      await resourceOf(site.kube, { apiVersion, kind }),
      keyOf(object),
    );
    if (live !== null) note(kind, live);
  };
  const note = (kind: string, { metadata }: KubeObject): void => {
    const { namespace = '', name, resourceVersion: version = '', labels = {} } = metadata;
    found.set(`${kind} ${namespace}/${name}`, { version, hub: labels[HUB] ?? '' });
  };
  for (const object of addOns) await look(object);
  for (const resource of [CAPP, SECRET, NAMESPACE, CONFIG_MAP])
    for (const one of (await site.kube.list(resource)).items) note(resource.kind, one);
  return found;
}

/** Makes both agents apply all works again. */
async function again(round: number): Promise<void> {
  for (const { cluster } of [a, b])
    for (const { metadata } of (await cluster.kube.list(MANIFEST_WORK)).items) {
      const key = { namespace: SITE, name: metadata.name };
      await cluster.kube.patch(MANIFEST_WORK, key, { metadata: { labels: { round: String(round) } } });
    }
}

const ofHub = (all: Awaited<ReturnType<typeof versions>>, hub: string): string[] =>
  [...all].filter(([, one]) => one.hub === hub).map(([name]) => name);

test(
  'two hubs share a site without one write in turn, and each that leaves takes only what is its own',
  async () => {
    await create(a, await addOnOf(a));
    await applied(a, await addOnOf(a));
    const data = { 'open-cluster-management-customer.klusterlet-work-sa': 'hub-b' };
    await site.kube.patch(CONFIG_MAP, HUBS_OF_SITE, { data });
    const helloOfA = workOf(a, 'team-a', 'hello');
    await create(a, helloOfA);
    await applied(a, helloOfA);
    await create(b, await addOnOf(b));
    await said(b, await addOnOf(b));
    const deployment = `Deployment ${ADDON}/cappstan-agent-${shortIdOf('hub-b')}`;
    expect(ofHub(await versions(), 'hub-b')).toContain(deployment);

    // The same name, a free name in the other's Namespace, and a Namespace of its own.
    const [same, guest, own] = [
      workOf(b, 'team-a', 'hello'),
      workOf(b, 'team-a', 'guest'),
      workOf(b, 'team-b', 'hello'),
    ];
    for (const work of [same, guest, own]) await create(b, work);
    await applied(b, own);
    expect(factsOf(await said(b, same)).refused).toEqual({
      reason: 'OtherHub',
      message:
        'site-1 already has Secret hello-key (and 1 more) of hub hub-a, and keeps it. Take another name, or name another site in spec.site.',
    });
    expect(factsOf(await said(b, guest)).refused).toMatchObject({
      reason: 'OtherHub',
      message: expect.stringMatching(/^Namespace team-a of site-1 belongs to hub hub-a, /),
    });
    // By these words the workflows of the second hub send both to their next candidate.
    for (const work of [same, guest])
      expect(goesTo(await said(b, work))).toEqual(['OtherHub', 'site-2', true]);
    expect(goesTo(await said(b, own))).toEqual(['NotMoving', null, false]);
    expect(
      (await site.kube.get<KubeObject & { data: object }>(SECRET, { namespace: 'team-a', name: 'hello-key' }))
        ?.data,
    ).toEqual({ value: btoa('hub-a') });

    await pause(2_000);
    const before = await versions();
    const until = Date.now() + WATCHED_MS;
    for (let round = 1; Date.now() < until; round += 1) {
      await again(round);
      await pause(AGAIN_MS);
    }
    const after = await versions();
    const written = [...after].filter(([name, { version }]) => before.get(name)?.version !== version);
    expect([written, after.size]).toEqual([[], before.size]);

    // The first leaves: its Capps, then its add-on. The second goes on, and keeps what is there once.
    const ofB = ofHub(after, 'hub-b');
    await remove(a, helloOfA);
    await remove(a, await addOnOf(a));
    await again(0);
    const shared = `Deployment ${ADDON}/cappstan-site`;
    await eventually(async () => ((await versions()).get(shared)?.hub === 'hub-b' ? true : undefined), WAIT);
    const left = await versions();
    expect(ofB.filter((name) => left.get(name)?.version !== after.get(name)?.version)).toEqual([]);
    expect(left.has(`Deployment ${ADDON}/cappstan-agent-${shortIdOf('hub-a')}`)).toBe(false);
    expect([left.has('Capp team-a/hello'), left.has('Capp team-b/hello')]).toEqual([false, true]);

    // The second leaves as well. What is there once stays, though no hub has an add-on there any more.
    await remove(b, own);
    await remove(b, await addOnOf(b));
    const end = await versions();
    expect([end.has('Capp team-b/hello'), end.has(deployment), end.has(shared)]).toEqual([
      false,
      false,
      true,
    ]);
  },
  WATCHED_MS + 240_000,
);

async function remove(hub: HubOnSite, { metadata: { name } }: ManifestWork): Promise<void> {
  const key = { namespace: SITE, name };
  await hub.cluster.kube.remove(MANIFEST_WORK, key);
  await eventually(
    async () => ((await hub.cluster.kube.get(MANIFEST_WORK, key)) === null ? true : undefined),
    WAIT,
  );
}
