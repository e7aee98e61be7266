// What the loss or a taint of a site would do, beside what a choice finds in the world that was supposed.
import type { ChoiceCaches } from '../../../activities/hub/caches.ts';
import { hubChoose } from '../../../activities/hub/place/choose.ts';
import { outlooksOn, type SpreadObject } from '../../../activities/hub/suppose/outlook.ts';
import { supposing, type Supposition } from '../../../activities/hub/suppose/world.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { kubeOf } from '../../support/builders/chooser.ts';
import { supposedHub } from '../../support/builders/hub/supposed-hub.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const LOST: Supposition = { is: 'Lost' };
const TAINTED: Supposition = { is: 'Tainted', taint: { key: 'maintenance', effect: 'NoSelect' } };

const CAPPS = {
  bound: { spec: { site: 'site-1' }, site: 'site-1' },
  free: { spec: {}, site: 'site-1' },
  manual: { spec: { migration: { policy: 'Manual' } }, site: 'site-1' },
  sole: { spec: { migration: { strategy: 'Recreate' } }, site: 'site-1' },
};

/** All Capps are on site-1; placement `all` selects these sites. */
const world = (sites: readonly string[], placement: object = {}): ChoiceCaches =>
  supposedHub(CAPPS, { all: { sites, spec: placement } });

const optionsOf = (caches: ChoiceCaches) => ({ caches, hubUid: 'hub', config: RCS_CONFIG_KEY });
const outlooks = (caches: ChoiceCaches, supposition: Supposition, spreads: readonly SpreadObject[] = []) =>
  outlooksOn(optionsOf(caches), { site: 'site-1', supposition, spreads }, NOW);
const brief = (caches: ChoiceCaches, supposition: Supposition) =>
  outlooks(caches, supposition).map(({ name, does, to, reason }) => [name.slice(5), does, to, reason]);
const of = (caches: ChoiceCaches, name: string, supposition: Supposition = TAINTED) =>
  outlooks(caches, supposition).find((one) => one.name === `apps/${name}`);

test('of a lost site Capps move to another, but for those that are bound to it, or would run twice', () => {
  const caches = world(['site-1', 'site-2']);
  expect(brief(caches, LOST)).toEqual([
    ['bound', 'Stays', null, 'Pinned'],
    ['free', 'Moves', 'site-2', 'SiteLost'],
    ['manual', 'Stays', null, 'Manual'],
    ['sole', 'Waits', 'site-2', 'Recreate'],
  ]);
  expect(of(caches, 'sole', LOST)?.message).toContain('kubectl capp move apps/sole site-2 --force');
  expect(of(caches, 'free', LOST)?.isEstimate).toBe(true);
  expect(of(caches, 'bound', LOST)?.isEstimate).toBe(false);
});

test('Capps that move at once spread over the other sites, since each that moves is load on its new one', () => {
  const moving = outlooks(world(['site-1', 'site-2', 'site-3']), TAINTED).filter(
    ({ does }) => does === 'Moves',
  );
  expect(moving.map(({ name }) => name)).toEqual(['apps/free', 'apps/sole']);
  expect(new Set(moving.map(({ to }) => to))).toEqual(new Set(['site-2', 'site-3']));
});

test('the caches that were asked stay as they are', () => {
  const caches = world(['site-1', 'site-2']);
  const before = JSON.stringify([caches.clusters.list(), caches.decisions.list(), caches.placements.list()]);
  outlooks(caches, LOST);
  expect(JSON.stringify([caches.clusters.list(), caches.decisions.list(), caches.placements.list()])).toBe(
    before,
  );
});

test.each([
  ['lost', LOST],
  ['tainted', TAINTED],
])('a choice finds the same in the world that was supposed: %s', async (_, supposition) => {
  const caches = world(['site-1', 'site-2']);
  const supposed = supposing(caches, 'site-1', supposition, NOW).caches;
  const { choose } = hubChoose({ ...optionsOf(supposed), kube: kubeOf() });
  const annotated = { migrate: null, force: null };
  const history = { placedFor: null, pin: null, home: null, request: null, annotated, copies: ['site-1'] };
  for (const name of ['free', 'bound', 'manual']) {
    const ask = { minimumVersions: {}, present: 'site-1', avoid: {}, works: [], history };
    const choice = await choose({ namespace: 'apps', name, uid: name }, ask);
    const said = of(caches, name, supposition);
    const to = choice.outcome === 'Leaves' ? choice.to : null;
    expect([choice.outcome, to]).toEqual([said?.does === 'Moves' ? 'Leaves' : 'Stays', said?.to]);
    expect(choice).toMatchObject({ reason: said?.reason });
  }
});

test('a taint is tolerated for good, for a time, by another effect, or not at all', () => {
  const tolerating = (...tolerations: object[]) => of(world(['site-1', 'site-2'], { tolerations }), 'free');
  expect(tolerating()).toMatchObject({ does: 'Moves', afterSeconds: 0 });
  expect(tolerating({ key: 'maintenance', operator: 'Exists', tolerationSeconds: 300 })).toMatchObject({
    does: 'Moves',
    afterSeconds: 300,
  });
  expect(tolerating({ operator: 'Exists' })).toMatchObject({ does: 'Stays', reason: 'StillSelected' });
  expect(tolerating({ key: 'maintenance', value: 'disks' })).toMatchObject({ does: 'Moves' });
  expect(tolerating({ value: 'disks' })).toMatchObject({ does: 'Moves' });
  // OCM looks at no key where there is none, whatever the operator is.
  expect(tolerating({ tolerationSeconds: 60 })).toMatchObject({ does: 'Moves', afterSeconds: 60 });
  expect(tolerating({ key: 'other', operator: 'Exists' })).toMatchObject({ does: 'Moves' });
  expect(tolerating({ operator: 'Exists', effect: 'PreferNoSelect' })).toMatchObject({ does: 'Moves' });
  const mild: Supposition = { is: 'Tainted', taint: { key: 'maintenance', effect: 'NoSelectIfNew' } };
  expect(of(world(['site-1', 'site-2']), 'free', mild)).toMatchObject({
    does: 'Stays',
    reason: 'StillSelected',
    isEstimate: true,
  });
});

test('where no other site is selected the Capp waits, and another that OCM may select is said and not guessed', () => {
  const alone = of(world(['site-1'], { numberOfClusters: 1 }), 'free', LOST);
  expect(alone).toMatchObject({ does: 'Waits', to: null, reason: 'NoCandidate', isEstimate: true });
  expect(alone?.message).toContain('OCM may select another site instead');
  expect(of(world(['site-1']), 'free', LOST)?.message).not.toContain('OCM may select');
});

test('a set or a Bundle stays where people named the site, and leaves it where its Placement does', () => {
  const spreads: SpreadObject[] = [
    {
      kind: 'CappSet',
      metadata: { namespace: 'apps', name: 'named' },
      spec: { sites: { clusters: ['site-1'] } },
    },
    { kind: 'Bundle', metadata: { namespace: 'apps', name: 'placed' }, spec: { placement: 'all' } },
    {
      kind: 'Bundle',
      metadata: { namespace: 'apps', name: 'elsewhere' },
      spec: { sites: { clusters: ['site-2'] } },
    },
  ];
  const said = (sites: readonly string[]) =>
    outlooks(world(sites), LOST, spreads)
      .filter(({ kind }) => kind !== 'Capp')
      .map(({ name, does, reason, isEstimate }) => [name, does, reason, isEstimate]);
  expect(said(['site-1', 'site-2'])).toEqual([
    ['apps/named', 'Stays', 'Named', false],
    ['apps/placed', 'Leaves', 'NotSelected', true],
  ]);
  expect(said(['site-1'])[1]).toEqual(['apps/placed', 'Stays', 'NoDecision', true]);
});
