// What an edit of a Placement or of the RCSConfig would do: only what goes otherwise is told.
import type { ChoiceCaches } from '../../../activities/hub/caches.ts';
import { differencesBy } from '../../../activities/hub/suppose/difference.ts';
import type { SupposedEdit } from '../../../activities/hub/suppose/edit.ts';
import type { SpreadObject } from '../../../activities/hub/suppose/outlook.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { listed } from '../../../kube/watch/listed.ts';
import { configWith, inPlaces, supposedHub } from '../../support/builders/hub/supposed-hub.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const CAPPS = {
  calm: { spec: {}, site: 'site-1' },
  following: { spec: { migration: { policy: 'Follow' } }, site: 'site-1' },
  waiting: { spec: { site: 'gpu' } },
};

/** Two Capps on site-1, one that follows its decisions, and one that waits for what `gpu` selects. */
const hubWith = (all: readonly string[], gpu: readonly string[] = []): ChoiceCaches =>
  supposedHub(CAPPS, { all: { sites: all }, gpu: { sites: gpu } });

const SET: SpreadObject = {
  kind: 'CappSet',
  metadata: { namespace: 'apps', name: 'fleet' },
  spec: { placement: 'all' },
};
const placement = (name: string, clusters: readonly string[], spec: object = {}): SupposedEdit => ({
  of: 'Placement',
  object: { metadata: inPlaces(name), spec },
  clusters,
});
const differences = (caches: ChoiceCaches, edit: SupposedEdit, spreads: readonly SpreadObject[] = []) =>
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
  const without: SupposedEdit = { of: 'RCSConfig', object: configWith('gpu') };
  expect(brief(hubWith(['site-1'], []), without)).toEqual([
    ['calm', 'Stays', 'site-1', 'NotSelected'],
    ['following', expect.any(String), expect.anything(), 'NotSelected'],
  ]);
  const same: SupposedEdit = { of: 'RCSConfig', object: configWith('all', 'gpu') };
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
