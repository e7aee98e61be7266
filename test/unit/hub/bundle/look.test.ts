// What a look at a Bundle finds: whose work carries what, and which works may go.
import { memberOn } from '../../../../activities/hub/bundle/members.ts';
import { sightOf, type BundleToLookAt } from '../../../../activities/hub/bundle/sight.ts';
import type { SelectRules } from '../../../../activities/hub/bundle/sites.ts';
import { seenWork, type BundleWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { lookAt as look, withRefused } from '../../../../activities/hub/rollout/look.ts';
import { memoryOf } from '../../../../activities/hub/rollout/memory.ts';
import type { HeardRequests } from '../../../../activities/hub/rollout/requests.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { Strategy } from '../../../../crds/rollout/stages.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import { begin } from '../../../../workflows/stages/rollout.ts';
import { aBundle, aConfigMap, rendered, reportedWork } from '../../../support/builders/fleet/bundles.ts';
import { NO_REMOVAL } from '../../../support/builders/fleet/rollouts.ts';
import { aCluster } from '../../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SITES = ['site-1', 'site-2', 'site-3'];
function placed(color: string): Bundle {
  const { metadata, spec, ...rest } = aBundle({ manifests: [aConfigMap({ color })] });
  const { sites: _sites, ...others } = spec;
  return { ...rest, metadata, spec: { ...others, placement: 'edge' } };
}
const [red, blue] = [placed('red'), placed('blue')];
const { revision } = rendered(red);

const reachable = (name: string) => ({
  ...aCluster(name),
  status: { conditions: [{ type: AVAILABLE, status: 'True' }] },
});

/** `decided` null: there is no Placement. */
function rulesWith(decided: readonly string[] | null, told = decided?.length, sites = SITES): SelectRules {
  const placement = {
    metadata: { namespace: 'apps', name: 'edge' },
    spec: {},
    status: { numberOfSelectedClusters: told },
  };
  const page = {
    metadata: { namespace: 'apps', name: 'edge-1', labels: { [PLACEMENT_LABEL]: 'edge' } },
    status: { decisions: (decided ?? []).map((clusterName) => ({ clusterName, reason: '' })) },
  };
  const config = { metadata: RCS_CONFIG_KEY, spec: { placements: [], bundles: { unrestricted: ['apps'] } } };
  const caches = {
    clusters: listed(sites.map(reachable)),
    configs: listed([config]),
    placements: listed(decided === null ? [] : [placement]),
    decisions: listed([page], { placement: () => ['apps/edge'] }),
    setBindings: listed([]),
    clusterSets: listed([]),
  };
  return { caches: caches as unknown as SelectRules['caches'], hubUid: 'hub', config: RCS_CONFIG_KEY };
}

function workOn(cluster: string, of = red, metadata: object = {}): BundleWork {
  const work = seenWork(reportedWork(of) as never);
  return { ...work, metadata: { ...work.metadata, namespace: cluster, ...metadata } };
}

type Asked = BundleToLookAt & Pick<HeardRequests, 'memory'>;

function askedWith(works: readonly BundleWork[], more: object = {}, bundle = red): Asked {
  const memory = memoryOf(bundle, null);
  const settled = { ...begin(null, revision, NOW), settled: revision };
  const rollout = begin(settled, rendered(bundle).revision, NOW);
  const strategy = Strategy.parse({ maxConcurrent: '100%' });
  return { bundle, strategy, rendered: rendered(bundle), works, memory: { ...memory, rollout, ...more } };
}

const lookAt = (rules: SelectRules, asked: Asked, most: number, now: number) =>
  look(sightOf(rules, asked), asked.memory, most, now);
const names = (all: readonly BundleWork[]) => all.map(({ metadata }) => metadata.namespace);
const EVERYWHERE = SITES.map((cluster) => workOn(cluster));

test('a work that carries something else than its revision runs on, and is due to be written again', () => {
  const known = { rendered: rendered(red), refused: {}, now: NOW };
  const site = { cluster: 'site-1', labels: {}, refusal: null, isReachable: true, lostSince: null };
  const other = workOn('site-1');
  const tampered = { ...other, seen: { ...other.seen, content: 'another' } };
  expect(memberOn(known, site, other).target.revision).toBe(revision);
  expect(memberOn(known, site, tampered).target).toMatchObject({ revision, isStale: true });
  const unknown = { ...other, seen: { ...other.seen, revision: null } };
  expect(memberOn(known, site, unknown).target).toMatchObject({ revision, isStale: true });
  expect(memberOn(known, site, other).target.isStale).toBeUndefined();
  // Of an earlier revision the hub does not know at this point what it should carry.
  expect(memberOn({ ...known, rendered: rendered(blue) }, site, tampered).target.revision).toBe(revision);
  const going = workOn('site-1', red, { deletionTimestamp: '2026-03-01T12:00:00Z' });
  const leavingSince = Date.parse('2026-03-01T12:00:00Z');
  expect(memberOn(known, site, going).target).toMatchObject({ revision: null, leavingSince });
});

test('a site whose clock is ahead keeps no soak from ending, and no soak begins before the work was written', () => {
  const known = { rendered: rendered(red), refused: {}, now: NOW };
  const site = { cluster: 'site-1', labels: {}, refusal: null, isReachable: true, lostSince: null };
  const work = workOn('site-1');
  const since = (at: number, said: number): number =>
    memberOn(known, site, { ...work, seen: { ...work.seen, at, since: said } }).target.since;
  expect(since(NOW - 60_000, NOW + 60_000)).toBe(NOW);
  expect(since(NOW - 60_000, NOW + 3_600_000)).toBe(NOW - 60_000);
  expect(since(NOW - 60_000, NOW - 3_600_000)).toBe(NOW - 60_000);
});

test('while nobody knows which sites are selected, those with a work are told of, none is changed and none is left', () => {
  for (const rules of [rulesWith(null), rulesWith([]), rulesWith(['site-1'], 3)]) {
    const going = workOn('site-3', red, { deletionTimestamp: '2026-03-01T11:00:00Z' });
    const asked = askedWith([workOn('site-1'), workOn('site-2'), going], {}, blue);
    const found = lookAt(rules, asked, 100, NOW);
    expect(found.undecided).not.toBeNull();
    expect(found.members.map(({ site }) => site.cluster)).toEqual(['site-1', 'site-2']);
    expect(found.plan.advance).toEqual([]);
    expect([found.left, found.released.clusters]).toEqual([[], []]);
    expect(found.memory.rollout).toBe(asked.memory.rollout);
    const all = lookAt(rulesWith(SITES), asked, 100, NOW);
    expect(all.plan.advance.map(({ cluster }) => cluster)).toEqual(['site-1', 'site-2']);
    const after = withRefused(sightOf(rules, asked), found, {}, NOW);
    expect([after.plan.advance, after.memory.rollout]).toEqual([[], asked.memory.rollout]);
  }
});

test('a site that is no longer selected is left, and its work goes when it has been left out for a few seconds', () => {
  const rules = rulesWith(['site-1', 'site-2']);
  const first = lookAt(rules, askedWith(EVERYWHERE), 100, NOW);
  expect(first.undecided).toBeNull();
  expect(names(first.left)).toEqual(['site-3']);
  expect(first.released.clusters).toEqual([]);
  const { leaving } = first.memory;
  const later = lookAt(rules, askedWith(EVERYWHERE, { leaving }), 100, NOW + 10_000);
  expect(later.released).toMatchObject({ clusters: ['site-3'], held: 0 });
  expect(later.memory.removal.recent).toMatchObject([{ count: 1 }]);
  const paused = askedWith(EVERYWHERE, { leaving });
  const rollout = { ...paused.memory.rollout, paused: true };
  const still = lookAt(rules, { ...paused, memory: { ...paused.memory, rollout } }, 100, NOW + 10_000);
  expect([names(still.left), still.released.clusters]).toEqual([['site-3'], []]);
});

test('a work that is going already is left, and not counted once more', () => {
  const going = workOn('site-3', red, { deletionTimestamp: '2026-03-01T11:00:00Z' });
  const found = lookAt(
    rulesWith(['site-1', 'site-2']),
    askedWith([...EVERYWHERE.slice(0, 2), going]),
    100,
    NOW,
  );
  expect(names(found.left)).toEqual(['site-3']);
  expect(found.released).toMatchObject({ clusters: [], wakeAt: null, leaving: null });
});

test('while nobody knows which sites are selected, what a person allowed and how long sites were left out is kept', () => {
  const leaving = { digest: 'of some sites', since: NOW - 60_000 };
  const removal = { ...NO_REMOVAL, allowed: 3, approved: 'of some sites' };
  const { memory } = lookAt(rulesWith(null), askedWith(EVERYWHERE, { leaving, removal }), 100, NOW);
  expect(memory).toMatchObject({ leaving, removal });
});

test('a tenth of all sites that have the Bundle may go unasked, and not one more', () => {
  const many = Array.from({ length: 20 }, (_, index) => `edge-${index}`);
  const goneIn = (count: number) => {
    const rules = rulesWith(many.slice(count), 20 - count, many);
    const works = many.map((cluster) => workOn(cluster));
    const { leaving } = lookAt(rules, askedWith(works), 100, NOW).memory;
    return lookAt(rules, askedWith(works, { leaving }), 100, NOW + 10_000).released;
  };
  expect(goneIn(2)).toMatchObject({ clusters: ['edge-0', 'edge-1'], held: 0 });
  expect(goneIn(3)).toMatchObject({ clusters: [], held: 3 });
});

test('a work that its agent has not taken up yet goes when it may be deleted, and is not counted before', () => {
  const works = EVERYWHERE.map((work) => ({
    ...work,
    metadata: { ...work.metadata, creationTimestamp: '2026-03-01T12:00:00Z' },
    seen: { ...work.seen, isTakenUp: false },
  }));
  const rules = rulesWith(['site-1', 'site-2']);
  const { leaving } = lookAt(rules, askedWith(EVERYWHERE), 100, NOW).memory;
  const early = lookAt(rules, askedWith(works, { leaving }), 100, NOW + 10_000);
  expect(early.released).toMatchObject({ clusters: [], wakeAt: NOW + 30_000 });
  expect(early.memory.removal.recent).toEqual([]);
  expect(lookAt(rules, askedWith(works, { leaving }), 100, NOW + 30_000).released.clusters).toEqual([
    'site-3',
  ]);
});

test('of sites that people name, one that they take out goes at once, also before its agent has taken up the work', () => {
  const named = aBundle({ sites: { clusters: ['site-1', 'site-2'] } });
  const works = EVERYWHERE.map((work) => ({
    ...work,
    metadata: { ...work.metadata, creationTimestamp: '2026-03-01T12:00:00Z' },
    seen: { ...work.seen, isTakenUp: false },
  }));
  const found = lookAt(rulesWith(null), askedWith(works, {}, named), 100, NOW);
  expect(found.released).toMatchObject({ clusters: ['site-3'], held: 0 });
});

test('when a person lowers the number of the Placement, all that it no longer selects may go', () => {
  const rules = rulesWith(['site-1']);
  const [placement] = rules.caches.placements.list();
  const one = { ...placement, spec: { numberOfClusters: 1 } };
  const lowered = { ...rules, caches: { ...rules.caches, placements: listed([one as never]) } };
  const removal = { ...NO_REMOVAL, number: 3 };
  const { leaving } = lookAt(lowered, askedWith(EVERYWHERE, { removal }), 100, NOW).memory;
  const { released } = lookAt(lowered, askedWith(EVERYWHERE, { removal, leaving }), 100, NOW + 10_000);
  expect(released).toMatchObject({ clusters: ['site-2', 'site-3'], held: 0 });
});

test.each([
  [[], ['site-3']],
  // It gets no copy, so the other has nothing in its place.
  [['site-new'], []],
])(
  'of a Bundle that cannot be shipped as it is no site gets anything, no stage passes, and with %j selected anew the sites %j go',
  (joins, go) => {
    const rules = rulesWith(['site-1', 'site-2', ...joins], undefined, [...SITES, 'site-new']);
    const asked = askedWith(EVERYWHERE, {}, blue);
    const rollout = { ...asked.memory.rollout, settled: revision, begunAt: NOW };
    const memory = { ...asked.memory, rollout };
    const rendered = { revision: rollout.revision, content: null };
    const still = (now: number, leaving = memory.leaving) =>
      look(
        { ...sightOf(rules, { ...asked, rendered }), isStandingStill: true },
        { ...memory, leaving },
        20,
        now,
      );
    const first = still(NOW);
    expect(first.plan.advance).toEqual([]);
    expect(first.memory.rollout).toEqual(rollout);
    const after = still(NOW + 10_000, first.memory.leaving);
    expect(after.released.clusters).toEqual(go);
    expect(after.plan).toMatchObject({ advance: [], rollout });
  },
);
