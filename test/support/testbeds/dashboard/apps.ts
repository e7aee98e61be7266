// Capps in every state: ready, moving, failing, and on no site yet.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import type { Kube } from '../../../../kube/client.ts';
import { capp } from '../../../../testbed/capps.ts';
import { APPS } from '../hub/hub.ts';
import { ago, ahead, condition, make, siteName } from './made.ts';

/** What a site could write into a message. */
const HOSTILE = '<img src=x onerror="document.title=`taken`"><script>document.title="taken"</script>';

export async function seedApps(kube: Kube, sites: number): Promise<void> {
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

export function statusOf(name: string, site: string | null, how: How): NonNullable<Capp['status']> {
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
