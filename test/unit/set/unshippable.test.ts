// A set that cannot be read: what of its spec still counts, and that nothing is taken for a wish to remove.
import type { SelectOptions } from '../../../activities/hub/set/selected.ts';
import { unshippableSet } from '../../../activities/hub/set/unshippable.ts';
import { lookAt } from '../../../activities/hub/rollout/look.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { heard } from '../../../activities/hub/rollout/requests.ts';
import type { Condition } from '../../../crds/capp/conditions.ts';
import { APPROVE } from '../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { AVAILABLE } from '../../../crds/ocm/ocm.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import { listed } from '../../../kube/watch/listed.ts';
import { aRollout } from '../../support/builders/fleet/rollouts.ts';
import { aChild, READY, REVISION, SHOP } from '../../support/builders/fleet/children.ts';
import { aCluster } from '../../support/builders/fleet/sets.ts';

const rollout = aRollout({ revision: REVISION, settled: REVISION, halfway: [] });
const refusal = { reason: 'Invalid', message: 'The set cannot be read: spec.template is wrong.' };
const config = { metadata: RCS_CONFIG_KEY, spec: { placements: [], pinning: 'Any' } };
const reachable = (name: string) => ({
  ...aCluster(name),
  status: { conditions: [{ type: AVAILABLE, status: 'True' }] },
});
const caches = {
  capps: listed([]),
  configs: listed([config]),
  placements: listed([]),
  decisions: listed([], { placement: () => [] }),
  clusterSets: listed([]),
  setBindings: listed([]),
  clusters: listed([reachable('site-1'), reachable('site-2')]),
  drains: listed([], { cluster: () => [] }),
};
const options = { hubUid: 'hub', config: RCS_CONFIG_KEY, caches } as unknown as SelectOptions;

function rollingOf(
  spec: object,
  copies = [aChild()],
  begun: typeof rollout | null = rollout,
  annotations: Readonly<Record<string, string>> = {},
) {
  const set = {
    ...SHOP,
    metadata: { ...SHOP.metadata, annotations },
    spec: { ...SHOP.spec, template: 7, ...spec },
  };
  const asked = { kube: null as never, options, set: set as never };
  const memory = { ...memoryOf(SHOP, null), rollout: begun };
  return unshippableSet(asked, { refusal, memory, copies });
}

function standing(spec: object) {
  const rolling = rollingOf(spec);
  if ('reason' in rolling) throw new Error(rolling.message);
  return rolling;
}

test('no checks are ordered, so no turn follows at once for them', () => {
  const verify = [{ name: 'up', http: { path: '/' } }];
  const stages = [{ name: 'first', sites: { count: 1 }, verify }];
  const { sight, object } = standing({ strategy: { stages }, sites: { clusters: ['site-1', 'site-2'] } });
  const begun = aRollout({ revision: REVISION, halfway: [] });
  const asked = { ...memoryOf(object, null), rollout: begun };
  const planOf = (isStandingStill: boolean) =>
    lookAt({ ...sight, isStandingStill }, asked, 100, READY + 3_600_000).plan;
  expect(planOf(false).verify).toHaveLength(1);
  expect(planOf(true)).not.toHaveProperty('verify');
});

/** Sites that are left, under way when the Capp of site-1 has been Ready for long. */
function leftBy(spec: object): readonly string[] {
  const { sight, object } = standing(spec);
  const memory = { ...memoryOf(object, null), rollout };
  return lookAt(sight, memory, 100, READY + 3_600_000).left.map(({ metadata }) => metadata.name);
}

test('what a Capp was written with counts as what it is to have, and its sites as they are named', () => {
  const { sight, object } = standing({ sites: { clusters: ['site-1', 'site-2'] } });
  const { members, plan } = lookAt(sight, { ...memoryOf(object, null), rollout }, 100, READY + 3_600_000);
  expect(members.map(({ target }) => [target.cluster, target.verdict, target.isStale])).toEqual([
    ['site-1', 'Ready', undefined],
    ['site-2', 'Progressing', undefined],
  ]);
  expect(plan.advance).toEqual([]);
});

test('a site that is taken out is left, and none is where nobody can read which are meant', () => {
  expect(leftBy({ sites: { clusters: ['site-2'] } })).toEqual(['shop-site-1']);
  expect(leftBy({ sites: { clusters: 'site-2' } })).toEqual([]);
  expect(leftBy({ sites: 7, placement: 7 })).toEqual([]);
});

test('what cannot be read removes no Capp: they are kept, and the set counts as paused', () => {
  const read = standing({ whenUnselected: 'Remove', paused: false });
  expect([read.sight.keepsUnselected, read.object.spec.paused]).toEqual([false, false]);
  const unread = standing({ whenUnselected: 'remove', paused: 'no', strategy: 7 });
  expect([unread.sight.keepsUnselected, unread.object.spec.paused]).toEqual([true, true]);
  expect(unread.sight.strategy).toEqual({ ...Strategy.parse({}), isUnread: true });
  const absent = standing({ whenUnselected: undefined, paused: undefined, strategy: undefined });
  expect([absent.sight.keepsUnselected, absent.object.spec.paused]).toEqual([false, false]);
});

test('a set that is on no site, or of which no rollout is remembered, is only told why', () => {
  expect(rollingOf({}, [])).toEqual(refusal);
  expect(rollingOf({}, [aChild()], null)).toEqual(refusal);
});

test('its rollout stands where it is: it neither goes back nor begins anew', () => {
  const rolling = rollingOf({}, [aChild()], aRollout({ revision: 'next', settled: REVISION }));
  expect(rolling).toMatchObject({ revision: 'next', sight: { isStandingStill: true } });
});

test('an approval that comes while nobody can read which stages have checks waits, and the set says so', () => {
  const verify = [{ name: 'up', http: { path: '/' } }];
  const strategy = { stages: [{ name: 'first', sites: { count: 1 }, verify }] };
  const begun = aRollout({ revision: REVISION, halfway: [] });
  const approved = { [APPROVE]: `first#${REVISION}` };
  const told = (spec: object, annotations: Readonly<Record<string, string>>) => {
    const rolling = rollingOf(spec, [aChild()], begun, annotations);
    if ('reason' in rolling) throw new Error(rolling.message);
    const { sight, object } = rolling;
    const { memory, asked } = heard(object, { ...memoryOf(SHOP, null), rollout: begun }, READY);
    const after = lookAt(sight, memory, 100, READY);
    const outcome = { look: after, after, shipped: new Map(), asked, pending: 0, unremoved: [], changed: [] };
    const ready = rolling.tell(object, outcome, READY).status as {
      readonly conditions?: readonly Condition[];
    };
    return { memory, message: ready.conditions?.find(({ type }) => type === 'Ready')?.message };
  };
  const unread = told({ strategy: 7 }, approved);
  expect(unread.memory).toMatchObject({
    rollout: { approved: [] },
    handled: { approve: `?first#${REVISION}` },
  });
  expect(unread.message).toContain(
    'The approval of stage first has not counted yet: it does when the strategy can be read.',
  );
  expect(told({ strategy: 7 }, { [APPROVE]: 'first#another' }).message).not.toContain('approval');
  const read = told({ strategy }, approved);
  expect(read.memory).toMatchObject({ rollout: { approved: ['first'] } });
  expect(read.message).not.toContain('approval');
});
