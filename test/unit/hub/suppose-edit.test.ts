// What an edit of a Placement or of the RCSConfig would do: only what goes otherwise is told.
import type { ChoiceCaches } from '../../../activities/hub/caches.ts';
import { differencesBy } from '../../../activities/hub/suppose/difference.ts';
import type { Edit } from '../../../activities/hub/suppose/edit.ts';
import type { SpreadObject } from '../../../activities/hub/suppose/outlook.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { byPlacement, PLACEMENT_LABEL } from '../../../crds/ocm/placements.ts';
import { byCluster, byName, byWorkName, workName } from '../../../crds/ocm/work-identity.ts';
import { listed } from '../../../kube/watch/listed.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SITES = ['site-1', 'site-2', 'site-3'];

const inPlaces = (name: string) => ({ namespace: 'places', name });
const cluster = (name: string) => ({
  metadata: { name },
  spec: { hubAcceptsClient: true },
  status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status: 'True' }] },
});
const capp = (name: string, spec: object, site?: string) => ({
  metadata: { namespace: 'apps', name, uid: name },
  spec,
  ...(site === undefined ? {} : { status: { applicationLinks: { site } } }),
});
const page = (placement: string, sites: readonly string[]) => ({
  metadata: { ...inPlaces(`${placement}-1`), labels: { [PLACEMENT_LABEL]: placement } },
  status: { decisions: sites.map((clusterName) => ({ clusterName })) },
});
const configWith = (...placements: string[]) =>
  ({ metadata: RCS_CONFIG_KEY, spec: { placements, placementsNamespace: 'places' } }) as never;

/** Two Capps on site-1, one that follows its decisions, and one that waits for what `gpu` selects. */
function hubWith(all: readonly string[], gpu: readonly string[] = []): ChoiceCaches {
  const here = ['calm', 'following'];
  const capps = [
    capp('calm', {}, 'site-1'),
    capp('following', { migration: { policy: 'Follow' } }, 'site-1'),
    capp('waiting', { site: 'gpu' }),
  ];
  const placements = Object.entries({ all, gpu }).map(([name, sites]) => ({
    metadata: inPlaces(name),
    spec: {},
    status: { numberOfSelectedClusters: sites.length },
  }));
  return {
    capps: listed<Capp>(capps as never[], { work: byWorkName }),
    configs: listed([configWith('all', 'gpu')]),
    placements: listed(placements),
    decisions: listed([page('all', all), page('gpu', gpu)], { placement: byPlacement }),
    clusters: listed(SITES.map(cluster) as never[]),
    works: listed(
      here.map((name) => ({ metadata: { namespace: 'site-1', name: workName('apps', name) } })),
      { name: byName, cluster: byCluster },
    ),
    clusterSets: listed<never>([]),
    setBindings: listed<never>([]),
    scores: listed<never>([]),
    drains: listed<never>([]),
  };
}

const SET: SpreadObject = {
  kind: 'CappSet',
  metadata: { namespace: 'apps', name: 'fleet' },
  spec: { placement: 'all' },
};
const placement = (name: string, clusters: readonly string[], spec: object = {}): Edit => ({
  of: 'Placement',
  object: { metadata: inPlaces(name), spec },
  clusters,
});
const differences = (caches: ChoiceCaches, edit: Edit, spreads: readonly SpreadObject[] = []) =>
  differencesBy({ caches, hubUid: 'hub', config: RCS_CONFIG_KEY }, edit, spreads, NOW);
const brief = (...asked: Parameters<typeof differences>) =>
  differences(...asked).map(({ name, does, to, reason }) => [name.slice(5), does, to, reason]);

test('an edit after which the same sites are selected tells of nothing', () => {
  expect(brief(hubWith(['site-1', 'site-2']), placement('all', ['site-1', 'site-2']), [SET])).toEqual([]);
});

test('of a site that is no longer selected Capps move by their policy, and those that stay are told of, too', () => {
  expect(brief(hubWith(['site-1', 'site-2']), placement('all', ['site-2']))).toEqual([
    ['calm', 'Stays', 'site-1', 'NotSelected'],
    ['following', 'Moves', 'site-2', 'NotSelected'],
  ]);
});

test('a Capp that waits for a site gets one, and loses its prospect again', () => {
  const [nowhere, somewhere] = [hubWith(['site-1']), hubWith(['site-1'], ['site-3'])];
  expect(brief(nowhere, placement('gpu', ['site-3']))).toEqual([['waiting', 'Arrives', 'site-3', 'Placed']]);
  expect(brief(somewhere, placement('gpu', []))).toEqual([['waiting', 'Waits', null, expect.any(String)]]);
});

test('copies of a set come to sites and leave them', () => {
  const found = differences(hubWith(['site-1', 'site-2']), placement('all', ['site-1', 'site-3']), [SET]);
  expect(found.map(({ kind, does, to, isEstimate }) => [kind, does, to, isEstimate])).toEqual([
    ['CappSet', 'Leaves', null, false],
    ['CappSet', 'Arrives', 'site-3', false],
  ]);
  expect(found[0]?.message).toContain('would no longer select site-2');
  expect(found[1]?.message).toContain('would select site-3 too');
});

test('with a number of clusters the answer is an estimate, and without one it is what OCM says', () => {
  const sites = ['site-2', 'site-3'];
  const edits = [placement('all', sites), placement('all', sites, { numberOfClusters: 2 })];
  const marks = edits.map((edit) =>
    differences(hubWith(['site-1', 'site-2']), edit, [SET]).map(({ isEstimate }) => isEstimate),
  );
  expect(marks[0]?.some(Boolean)).toBe(false);
  expect(marks[1]?.every(Boolean)).toBe(true);
  expect(marks[0]?.length).toBe(marks[1]?.length);
});

test('a site with a taint against new selections, which a trial does not select, is told of as an estimate', () => {
  const caches = hubWith(['site-1', 'site-2']);
  const tainted = caches.clusters.list().map((one) => ({
    ...one,
    spec: { ...one.spec, taints: [{ key: 'full', effect: 'NoSelectIfNew' as const }] },
  }));
  const found = differences({ ...caches, clusters: listed(tainted) }, placement('all', ['site-1']), [SET]);
  expect(found.map(({ kind, does, isEstimate }) => [kind, does, isEstimate])).toEqual([
    ['CappSet', 'Leaves', true],
  ]);
});

test('an RCSConfig without a placement leaves where its Capps are, and opens what it adds', () => {
  const without: Edit = { of: 'RCSConfig', object: configWith('gpu') };
  expect(brief(hubWith(['site-1'], []), without)).toEqual([
    ['calm', 'Stays', 'site-1', 'NotSelected'],
    ['following', expect.any(String), expect.anything(), 'NotSelected'],
  ]);
  const same: Edit = { of: 'RCSConfig', object: configWith('all', 'gpu') };
  expect(brief(hubWith(['site-1'], []), same)).toEqual([]);
});

test('the caches that were asked stay as they are', () => {
  const caches = hubWith(['site-1', 'site-2']);
  const text = () =>
    JSON.stringify([caches.placements.list(), caches.decisions.list(), caches.configs.list()]);
  const before = text();
  differences(caches, placement('all', []), [SET]);
  expect(text()).toBe(before);
});
