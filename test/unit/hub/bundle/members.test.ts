// What a look takes a work for: which sites a Bundle may have, whose copy is Ready, and when one has failed.
import { sightOf } from '../../../../activities/hub/bundle/sight.ts';
import { isUnansweredIn } from '../../../../activities/hub/bundle/orphaning.ts';
import { tellAll } from '../../../../activities/hub/bundle/ship.ts';
import { unshippableBundle } from '../../../../activities/hub/bundle/unshippable.ts';
import type { SelectRules } from '../../../../activities/hub/bundle/sites.ts';
import { seenWork, type BundleWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { memoryOf } from '../../../../activities/hub/rollout/memory.ts';
import { Strategy } from '../../../../crds/rollout/stages.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../../kube/client.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import { begin } from '../../../../workflows/stages/rollout.ts';
import { aBundle, rendered, reportedWork } from '../../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const bundle = { ...aBundle(), spec: { ...aBundle().spec, strategy: Strategy.parse({}), paused: false } };
const here = { status: { conditions: [{ type: AVAILABLE, status: 'True' }] } };
const site = { ...aCluster('site-1'), ...here };
const stranger = { ...aCluster('site-2'), ...here, spec: { hubAcceptsClient: false } };
const config = { metadata: RCS_CONFIG_KEY, spec: { placements: [], bundles: { unrestricted: ['apps'] } } };
const rules = {
  caches: {
    clusters: listed([site, stranger]),
    configs: listed([config]),
    placements: listed([]),
    decisions: listed([], { placement: () => [] }),
    setBindings: listed([]),
    clusterSets: listed([]),
  },
  hubUid: 'hub',
  config: RCS_CONFIG_KEY,
} as unknown as SelectRules;

const work = (seen: Partial<BundleWork['seen']> = {}, metadata: object = {}): BundleWork => {
  const made = seenWork(reportedWork(bundle) as never);
  return { ...made, metadata: { ...made.metadata, ...metadata }, seen: { ...made.seen, ...seen } };
};
const asked = {
  bundle,
  strategy: Strategy.parse({}),
  rendered: rendered(bundle),
};

test('a site where the Bundle may not go is no site of it, whoever names it', () => {
  const { barred, members } = sightOf(rules, { ...asked, works: [] }).select(['site-1', 'site-2', 'site-3']);
  expect(members({ refused: {}, revision: 'r', now: NOW }).map((one) => one.target.cluster)).toEqual([
    'site-1',
  ]);
  expect(barred.map(({ cluster }) => cluster)).toEqual(['site-2', 'site-3']);
});

test('a work is Ready when its site says so of all that it carries, and no other is', () => {
  const { isReady } = sightOf(rules, { ...asked, works: [] });
  const states = ['Ready', 'Progressing', 'Failed'] as const;
  expect(states.map((state) => isReady(work({ state })))).toEqual([true, false, false]);
});

describe('what a site refuses', () => {
  const problem = (reason: string) => ({ ...work().seen.problems[0], reason, message: '' }) as never;
  const verdictOf = (...reasons: readonly string[]) => {
    const failed = work({ state: 'Failed', at: NOW, since: NOW, problems: reasons.map(problem) });
    const { sites } = { sites: sightOf(rules, { ...asked, works: [failed] }) };
    const [member] = sites.select(['site-1']).members({ refused: {}, revision: 'r', now: NOW });
    return [member?.target.verdict, member?.settlesAt === null];
  };
  it('at first may pass, and fails nothing for a while', () => {
    expect(verdictOf('Rejected')).toEqual(['Progressing', false]);
  });
  it.each([['Failed'], ['Rejected', 'Failed']])('for good fails at once: %s', (...reasons) => {
    expect(verdictOf(...reasons)).toEqual(['Failed', true]);
  });
});

test('a work that was made again under a name waits for no answer that was asked of the earlier one', () => {
  const orphaning = aBundle({ onRemoval: 'Orphan' });
  const known = work({ orphans: false }, { uid: 'now', namespace: 'site-1' });
  const caches = {
    bundleWorks: { get: () => known },
    clusters: listed([site]),
  } as unknown as Parameters<typeof isUnansweredIn>[0];
  const isUnanswered = isUnansweredIn(caches, orphaning);
  const of = (uid: string) => isUnanswered({ metadata: { ...known.metadata, uid } });
  expect([of('now'), of('before')]).toEqual([true, false]);
});

test('where all of a Bundle is to stay, a site that cannot be reached is not waited for before it is left', () => {
  const orphaning = { ...bundle, spec: { ...bundle.spec, onRemoval: 'Orphan' as const } };
  const { isAwaited } = sightOf(rules, { ...asked, bundle: orphaning, works: [] });
  const on = (namespace: string): boolean | undefined => isAwaited?.(work({}, { namespace }));
  expect([on('site-1'), on('site-9')]).toEqual([true, false]);
});

test('a work with an earlier revision is due as such, and is no reason to write a settled one once more', () => {
  const earlier = {
    ...work({ revision: 'r0', content: 'other' }),
    metadata: { ...work().metadata, namespace: 'site-1' },
  };
  const [member] = sightOf(rules, { ...asked, works: [earlier] })
    .select(['site-1'])
    .members({ refused: {}, revision: 'r', now: NOW });
  expect(member?.target).toMatchObject({ revision: 'r0' });
  expect(member?.target.isStale).toBeUndefined();
});

test('no site is told anything by a Bundle that has changed since', async () => {
  const told: string[] = [];
  const staysYet = async () => (told.push('told'), 'Told' as const);
  await tellAll({ isStill: async () => false, staysYet } as never, [work()]);
  expect(told).toEqual([]);
});

test('a turn that could tell no site anything is followed by none at once', async () => {
  const works = Array.from({ length: 130 }, (_, index) => work({}, { namespace: `site-${index}` }));
  const errand = { kube: {} as Kube, isStill: async () => true };
  const told = async (answer: 'Told' | 'Unanswered') =>
    (await tellAll({ ...errand, staysYet: async () => answer }, works)).isMore;
  expect([await told('Told'), await told('Unanswered')]).toEqual([true, false]);
});

test('a Bundle that cannot be shipped leaves no site by what a person has changed meanwhile', async () => {
  const deleted: string[] = [];
  const live = { ...bundle, metadata: { ...bundle.metadata, generation: 7 } };
  let found: object = live;
  const kube = {
    getMetadata: async () => found,
    get: async () => null,
    remove: async () => deleted.push('work') > 0,
    patch: async () => null,
  } as unknown as Kube;
  const own = work({ state: 'Failed' }, { namespace: 'site-1', uid: 'w' });
  const memory = { ...memoryOf(bundle, null), rollout: begin(null, 'r', NOW) };
  const refusal = { reason: 'TooLarge', message: 'It is too large.' };
  const bundleWorks = { get: () => own, by: () => [own], list: () => [own] };
  const caches = { ...rules.caches, bundleWorks, works: { by: () => [] } };
  const standing = async (): Promise<never> => ({}) as never;
  const parts = { ...rules, caches } as never;
  const rolling = unshippableBundle(
    { kube, parts, bundle: live, strategy: asked.strategy, works: [own], memory, standing },
    refusal,
  );
  if ('reason' in rolling) throw new Error(rolling.message);
  const released = { clusters: ['site-1'], awaited: [] };
  const look = { released, left: [own], plan: {}, members: [], memory } as never;
  found = { ...live, metadata: { ...live.metadata, generation: 8 } };
  await rolling.remove(live, look);
  expect(deleted).toEqual([]);
  found = live;
  await rolling.remove(live, look);
  expect(deleted).toEqual(['work']);
});
