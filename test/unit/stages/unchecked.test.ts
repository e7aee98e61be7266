// A stage with checks that have no app to ask: it opens nothing to sites where the app is still to run.
import { forecast } from '../../../workflows/stages/forecast.ts';
import { first, LATER, plan, STRATEGY } from '../../support/builders/fleet/checked-stage.ts';
import {
  aRollout,
  aStrategy,
  aTarget,
  planned,
  SETTLED,
  written,
} from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

describe('a stage with checks in which the app is disabled on every site', () => {
  const off = first({ isDisabled: true, isToBeDisabled: true });
  const away = first({ reachable: false, revision: 'old' }, 's2');

  test.each([
    ['on all of them', [off]],
    ['on all that can be reached', [off, away]],
  ])('proves nothing to a site where it runs: %s', (_what, sites) => {
    const { verify, advance, hold, stages } = plan(sites);
    expect([verify, advance, stages[0]?.state]).toEqual([undefined, [], 'Open']);
    expect(hold).toMatchObject({ reason: 'Unproven', until: null });
    expect(hold?.message).toMatch(/disabled on every site of stage first.*take verify out of the stage/);
  });

  test('says so before the rollout begins', () => {
    const { steps, stop } = forecast(
      {
        targets: [first({ revision: 'old', isToBeDisabled: true }), LATER],
        strategy: aStrategy(STRATEGY),
        rollout: aRollout(),
        seed: 'uid',
      },
      NOW,
    );
    expect([steps.map(({ sites }) => sites), stop?.reason]).toEqual([[['s1']], 'Unproven']);
  });

  test('passes where the revision runs the app nowhere behind it, and where nothing is behind it', () => {
    const none = planned([off, aTarget('s9', { isToBeDisabled: true })], { strategy: STRATEGY });
    expect(written(none)).toEqual(['s9=new']);
    expect(planned([off], { strategy: STRATEGY })).toMatchObject({ done: true });
    const left = aTarget('s9', { isUnselected: true, reachable: false });
    expect(planned([off, left], { strategy: STRATEGY }).stages[0]?.state).toBe('Passed');
  });

  test('passes where the settled revision is written once more, and not to it', () => {
    const rollout = { ...SETTLED, isResettling: true, resettledAt: NOW - 60_000 };
    const disabledAt = (at: number) => ({ ...off, writtenAt: at });
    const [kept, again] = [NOW - 90_000, NOW - 30_000].map((at) =>
      planned([disabledAt(at), aTarget('s9', { revision: 'new', isStale: true })], {
        strategy: STRATEGY,
        rollout,
      }),
    );
    expect(kept?.hold?.reason).not.toBe('Unproven');
    expect(again).toMatchObject({ advance: [], hold: { reason: 'Unproven' } });
  });

  test('passes where the settled revision is written once more, and behind it nothing is to be written', () => {
    const rollout = { ...SETTLED, isResettling: true, resettledAt: NOW - 60_000 };
    const sites = [{ ...off, writtenAt: NOW - 30_000 }, aTarget('s9', { revision: 'new', since: 1 })];
    expect(planned(sites, { strategy: STRATEGY, rollout })).toMatchObject({ hold: null, done: true });
  });

  test('passes where every site behind it has the revision already, or is drained and has nothing', () => {
    const has = aTarget('s9', { revision: 'new' });
    expect(planned([off, has], { strategy: STRATEGY })).toMatchObject({ hold: null, done: true });
    const stale = planned([off, { ...has, isStale: true }], { strategy: STRATEGY });
    expect(stale.hold?.message).toMatch(/stage first/);
    const drained = planned([off, aTarget('s9', { revision: null, isDrained: true })], {
      strategy: STRATEGY,
    });
    expect(drained.hold?.message).not.toMatch(/stage first/);
    const unserved = planned([off, aTarget('s9', { revision: null })], { strategy: STRATEGY });
    expect(unserved.hold?.message).toMatch(/stage first/);
  });
});
