// OCM's seventh scenario by a clock of our own, with the Placement of docs/argo.md as it stands there: 300
// seconds of toleration and one cluster. What OCM's scheduler decides is played; what we make of it, second
// by second, is the real thing. On the stack (test/e2e/fleet/ocm-migration.test.ts) it is 20 seconds.
import { sightOf } from '../../../activities/hub/bundle/sight.ts';
import type { SelectRules } from '../../../activities/hub/bundle/sites.ts';
import { seenWork, type BundleWork } from '../../../activities/hub/bundle/status/seen.ts';
import { lookAt } from '../../../activities/hub/rollout/look.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import type { HeardRequests } from '../../../activities/hub/rollout/requests.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { AVAILABLE } from '../../../crds/ocm/ocm.ts';
import { PLACEMENT, PLACEMENT_LABEL, type Placement } from '../../../crds/ocm/placements.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import { listed } from '../../../kube/watch/listed.ts';
import { documented } from '../../../testbed/programs/argo.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { aBundle, aConfigMap, rendered, reportedWork } from '../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../support/builders/fleet/sets.ts';
import { reviewedAs, aStrayField } from '../../support/builders/placement.ts';

const LOST_AT = Date.parse('2026-03-01T12:00:00Z');
const SECOND = 1_000;

let placement: Placement;
beforeAll(async () => {
  const blocks = (await documented()).flat();
  const found = blocks.find(
    ({ kind, ...rest }) => kind === PLACEMENT.kind && 'tolerations' in ((rest as Placement).spec ?? {}),
  );
  placement = found as unknown as Placement;
});

/** As OCM's scheduler: the lost site `a` is selected as long as the toleration lasts, and `b` after that. */
function decidedAt(now: number): readonly string[] {
  const [toleration] = placement.spec?.tolerations ?? [];
  const { key, operator, tolerationSeconds = Infinity } = toleration ?? {};
  const isTolerated = key === 'cluster.open-cluster-management.io/unreachable' && operator === 'Exists';
  return isTolerated && now < LOST_AT + tolerationSeconds * SECOND ? ['a'] : ['b'];
}

test('the Placement of the page is read as it stands there', () => {
  expect(placement.spec).toMatchObject({ numberOfClusters: 1, tolerations: [{ tolerationSeconds: 300 }] });
});

test('a Capp stays on the lost site for each of the 300 seconds, and is to leave it in the next', () => {
  const seconds = Array.from({ length: 400 }, (_, second) => second);
  const said = seconds.map((second) => {
    const byPlacement = { all: { clusters: decidedAt(LOST_AT + second * SECOND), complete: true } };
    return reviewedAs(aStrayField({ reachable: false }, { byPlacement }));
  });
  expect(new Set(said.slice(0, 300))).toEqual(new Set(['stays NotMoving']));
  expect(new Set(said.slice(300))).toEqual(new Set(['SiteLost b']));
});

const { sites: _sites, ...spec } = aBundle({ manifests: [aConfigMap()] }).spec;
const bundle = { ...aBundle(), spec: { ...spec, placement: 'guestbook' } };

function hubAt(now: number): SelectRules {
  const { metadata, spec: ofPlacement } = placement;
  const place = {
    metadata: { ...metadata, namespace: 'apps', name: 'guestbook', uid: 'p' },
    spec: ofPlacement,
    status: { numberOfSelectedClusters: 1 },
  };
  const page = {
    metadata: { namespace: 'apps', name: 'guestbook-1', labels: { [PLACEMENT_LABEL]: 'guestbook' } },
    status: { decisions: decidedAt(now).map((clusterName) => ({ clusterName, reason: '' })) },
  };
  const config = { metadata: RCS_CONFIG_KEY, spec: { placements: [], bundles: { unrestricted: ['apps'] } } };
  const sites = (['a', 'b'] as const).map((name) => ({
    ...aCluster(name),
    status: { conditions: [{ type: AVAILABLE, status: name === 'a' ? 'Unknown' : 'True' }] },
  }));
  const caches = {
    clusters: listed(sites as never),
    configs: listed([config]),
    placements: listed([place]),
    decisions: listed([page], { placement: () => ['apps/guestbook'] }),
    setBindings: listed([]),
    clusterSets: listed([]),
  };
  return { caches: caches as never, hubUid: 'hub', config: RCS_CONFIG_KEY };
}

const workOn = (cluster: string): BundleWork => {
  const work = seenWork(reportedWork(bundle) as never);
  return { ...work, metadata: { ...work.metadata, namespace: cluster } };
};

test('a Bundle stays there for as long, comes to the other site in the next second, and leaves the lost one once it is Ready there', () => {
  const strategy = Strategy.parse({});
  const of = rendered(bundle);
  const rollout = { ...begin(null, of.revision, LOST_AT - 3_600_000), settled: of.revision };
  let memory: HeardRequests['memory'] = { ...memoryOf(bundle, null), rollout };
  let works = [workOn('a')];
  const happened: string[] = [];
  for (let second = 0; second < 400; second += 1) {
    const now = LOST_AT + second * SECOND;
    const look = lookAt(sightOf(hubAt(now), { bundle, strategy, rendered: of, works }), memory, 20, now);
    memory = look.memory;
    for (const { cluster } of look.plan.advance) happened.push(`${second} s: to ${cluster}`);
    for (const cluster of look.released.clusters) happened.push(`${second} s: from ${cluster}`);
    // Ten seconds later its site says that all is Ready.
    const came = happened.find((one) => one.endsWith('to b'));
    if (came !== undefined && second === Number.parseInt(came, 10) + 10) works = [workOn('a'), workOn('b')];
    if (look.released.clusters.includes('a'))
      works = works.filter(({ metadata }) => metadata.namespace !== 'a');
  }
  expect([...new Set(happened.map((one) => one.replace(/^\d+ s: /, '')))]).toEqual(['to b', 'from a']);
  expect(happened[0]).toBe('300 s: to b');
  const left = Number.parseInt(happened.find((one) => one.endsWith('from a')) ?? '', 10);
  expect(left).toBeGreaterThan(310);
  expect(left).toBeLessThan(330);
});
