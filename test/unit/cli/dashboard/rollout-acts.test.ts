// What a person may ask of a rollout on the page, when, and of which state of it.
import { changesSince, seenOfRollout } from '../../../../cli/dashboard/view/seen.ts';
import { waitingFor } from '../../../../cli/dashboard/view/waiting.ts';
import type { CappSet } from '../../../../crds/set/cappset.ts';
import { facts } from '../../../support/builders/facts.ts';
import { aSet, counts, model, OLD, STRATEGY } from '../../../support/builders/shown-sets.ts';

test.each([
  ['AwaitsApproval', {}, ['approve', 'pause-rollout', 'abort', 'undo']],
  [
    'SitesFailed',
    { stages: [{ ...counts, name: 'rest', sites: 3, failed: 1, state: 'Open' }] },
    ['retry', 'pause-rollout', 'abort', 'undo'],
  ],
  ['Paused', {}, ['resume-rollout', 'abort', 'undo']],
  ['Aborted', {}, ['pause-rollout', 'undo']],
  ['Done', {}, ['pause-rollout', 'undo']],
])('while it is %s, a person may %j', (reason, status, acts) => {
  expect(model(aSet(reason, status)).acts.map(({ act }) => act)).toEqual(acts);
});

test('nobody is offered what they may not do, nor anything before the hub has looked', () => {
  expect(model(aSet('AwaitsApproval'), { may: () => false }).acts).toEqual([]);
  const patcher = model(aSet('AwaitsApproval'), { may: (verb: string) => verb === 'patch' });
  expect(patcher.acts.map(({ act }) => act)).toEqual(['approve', 'pause-rollout', 'abort']);
  expect(model({ ...aSet('AwaitsApproval'), status: {} }).acts).toEqual([]);
});

test('a sheet of an approval is void once the revision, the reason or the stage is another, and says which', () => {
  const seen = (set: CappSet) => seenOfRollout({ is: 'CappSet', object: set });
  const before = seen(aSet('AwaitsApproval'));
  const since = (set: CappSet) => changesSince(before, seen(set));
  expect(since(aSet('AwaitsApproval'))).toEqual([]);
  expect(since(aSet('Paused'))).toEqual(['it stands at Paused, and stood at AwaitsApproval then']);
  expect(since(aSet('AwaitsApproval', { rollout: { revision: OLD } }))).toEqual([
    'its revision is bbbbbbbbbb, and was aaaaaaaaaa then',
  ]);
  // Somebody else has approved the stage, and the next one waits by now: nobody looked at that.
  const stages = [...STRATEGY.stages, { name: 'last', approval: 'Required' }];
  const next = { stages: [{ ...counts, name: 'last', sites: 2, state: 'Waiting' }] };
  expect(since(aSet('AwaitsApproval', next, { ...STRATEGY, stages }))).toEqual([
    'stage last waits for approval, and stage rest waits then',
  ]);
});

test('a sheet of an approval offers no other stage than the one that it speaks of', () => {
  const guarded = ['mid', 'late'].map((name) => ({ name, approval: 'Required' }));
  const stages = guarded.map(({ name }) => ({ ...counts, name, sites: 1, state: 'Waiting' }));
  const [approve] = model(aSet('AwaitsApproval', { stages }, { ...STRATEGY, stages: guarded })).acts;
  expect(approve).toMatchObject({
    says: expect.stringContaining('The stage mid opens'),
    choice: { options: ['mid'] },
  });
});

describe('where checks came to no verdict, the page decides as the command does:', () => {
  const verify = [{ name: 'smoke' }];
  const stages = [
    { name: 'canary', sites: { matchLabels: { tier: 'canary' } }, verify },
    { name: 'rest', approval: 'Required' },
  ];
  const status = {
    stages: [
      { ...counts, name: 'canary', sites: 1, ready: 1, state: 'Open' },
      { ...counts, name: 'rest', sites: 2, state: 'Waiting' },
    ],
  };
  const set = aSet('VerificationInconclusive', status, { soakSeconds: 0, stages });

  it('the stage that is open may be approved, and its checks made once more', () => {
    const { acts } = model(set);
    expect(acts.map(({ act }) => act)).toEqual(['approve', 'retry', 'pause-rollout', 'abort', 'undo']);
    expect(acts[0]).toMatchObject({
      says: expect.stringContaining('The stage canary passes for revision aaaaaaaaaa'),
      choice: { options: ['canary'] },
    });
    expect(acts[1]).toMatchObject({
      says: expect.stringContaining('checks are made once more'),
      choice: { none: 'all sites' },
    });
  });

  it('that waits for who may decide it', () => {
    const lines = waitingFor(facts({ sets: [set] }));
    expect(lines.map(({ what }) => what)).toEqual(['has checks without a verdict']);
    expect(waitingFor(facts({ sets: [set], may: () => false }))).toEqual([]);
  });
});

test('the planner is offered to who may write, since a plan is a write that is not stored', () => {
  const set = aSet('AwaitsApproval');
  const plans = (may: (verb: string) => boolean) => {
    const { mayPlan, acts } = model(set, { may });
    return [mayPlan, acts.find(({ act }) => act === 'approve')?.plan];
  };
  expect(plans(() => true)).toEqual([true, 'rollout']);
  expect(plans((verb) => verb === 'patch')).toEqual([false, null]);
});

test('an approval waits for who may give it, and a rollout that goes on for nobody', () => {
  const sets = [aSet('AwaitsApproval')];
  expect(waitingFor(facts({ sets }))).toEqual([
    {
      href: '/rollouts/CappSet/apps/shop',
      name: 'apps/shop',
      what: 'awaits approval',
      says: 'Stage rest waits',
    },
  ]);
  expect(waitingFor(facts({ sets, may: () => false }))).toEqual([]);
  expect(waitingFor(facts({ sets: [aSet('SitesUnderWay')] }))).toEqual([]);
});

test('a removal and an approval that wait at once are two lines, each with its own words', () => {
  const heldRemoval = { count: 3, set: 'abc' };
  const lines = (reason: string) =>
    waitingFor(facts({ sets: [aSet(reason, { heldRemoval })] })).map(({ what, says }) => [what, says]);
  expect(lines('AwaitsApproval')).toEqual([
    ['awaits approval', 'Stage rest waits'],
    ['holds a removal', '3 copies on sites that are no longer selected wait for a person.'],
  ]);
  expect(lines('RemovalHeld')).toEqual([['holds a removal', 'Stage rest waits']]);
});
