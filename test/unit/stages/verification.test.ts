// The gate of a stage with checks: it opens by verdicts on exactly this revision, these checks and this try,
// and by nothing that is absent.
import type { SeenVerification } from '../../../workflows/stages/types.ts';
import { forecast } from '../../../workflows/stages/forecast.ts';
import { abort, approve, begin, retry } from '../../../workflows/stages/rollout.ts';
import { asked, first, judged, LATER, plan, STRATEGY } from '../../support/builders/fleet/checked-stage.ts';
import { aRollout, aStrategy, written } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

test('checks begin when every site of the stage is Ready, and the next stage waits for them', () => {
  const busy = plan([first(), first({ verdict: 'Progressing' }, 's2')]);
  expect([busy.verify, busy.hold?.reason]).toEqual([undefined, 'SitesUnderWay']);
  const all = plan([first(), first({}, 's2')]);
  expect(all.verify?.map(({ cluster }) => cluster)).toEqual(['s1', 's2']);
  expect([written(all), all.hold?.reason]).toEqual([[], 'Verifying']);
});

test('checks that are waited for are looked at again when the first of them has ended', () => {
  const { wakeAt } = plan([
    first({ verification: { ...asked(), until: NOW + 90_000 } }),
    first({ verification: { ...asked(), until: NOW + 30_000 } }, 's2'),
  ]);
  expect(wakeAt).toBe(NOW + 30_000);
  const one = plan([first({ verification: { ...asked(), until: NOW + 90_000 } })]);
  expect(one.wakeAt).toBe(NOW + 90_000);
});

test.each<[string, SeenVerification | undefined, string]>([
  ['nothing was asked', undefined, 'Verifying'],
  ['nobody has answered yet', asked(), 'Verifying'],
  ['nobody has answered in time', { ...asked(), until: NOW }, 'VerificationInconclusive'],
  ['they have failed', judged('Failed'), 'SitesFailed'],
  ['nobody knows', judged('Inconclusive'), 'VerificationInconclusive'],
  ['they passed for another revision', { ...judged('Passed'), revision: 'old' }, 'Verifying'],
  ['other checks passed', { ...judged('Passed'), checks: '[]' }, 'Verifying'],
  ['an earlier try passed', { ...judged('Passed'), round: '0/0' }, 'Verifying'],
])('the next stage does not begin when %s', (_what, verification, reason) => {
  const { advance, hold } = plan([first(verification === undefined ? {} : { verification })]);
  expect([advance, hold?.reason]).toEqual([[], reason]);
});

test('a site whose Capp is disabled there has nothing to be checked, and holds up no other one', () => {
  const both = plan([first({ isDisabled: true }), first({}, 's2')]);
  expect(both.verify?.map(({ cluster }) => cluster)).toEqual(['s2']);
  expect([written(both), both.hold?.reason]).toEqual([[], 'Verifying']);
  const busy = plan([first({ isDisabled: true, verdict: 'Progressing' })]);
  expect([written(busy), busy.hold?.reason]).toEqual([[], 'SitesUnderWay']);
});

test.each([
  ['is written again, since its content no longer fits the site', { isStale: true }, 'due'],
  ['is being deleted', { leavingSince: NOW }, 'leaving'],
])('checks that have failed say nothing of a copy that %s', (_what, changes, is) => {
  const { stages, advance } = plan([first({ verification: judged('Failed'), ...changes })]);
  expect(stages[0]?.failed).toBe(0);
  expect(written({ advance } as never)).toEqual(is === 'due' ? ['s1=new'] : []);
});

test('a person who approves at the very moment of a verdict has not looked at it', () => {
  const unknown = [first({ verification: judged('Inconclusive', NOW) })];
  const reasonAt = (decided: number) =>
    plan(unknown, { rollout: { decided: { first: decided } } }).hold?.reason ?? null;
  expect([reasonAt(NOW), reasonAt(NOW + 1)]).toEqual(['VerificationInconclusive', 'SitesUnderWay']);
});

test('whoever approves another stage takes back nothing of the one before', () => {
  const { decided } = approve(approve(aRollout(), 'first', NOW), 'second', NOW + 1);
  expect(decided).toEqual({ first: NOW, second: NOW + 1 });
});

test('the next stage begins when all sites have passed', () => {
  const passed = first({ verification: judged('Passed') });
  expect(plan([passed, first({ verification: asked() }, 's2')]).hold?.reason).toBe('Verifying');
  expect(written(plan([passed, first({ verification: judged('Passed') }, 's2')]))).toEqual(['s9=new']);
});

test('the soak runs beside the checks, and both are waited for', () => {
  const strategy = { ...STRATEGY, soakSeconds: 90 };
  const passed = [first({ verification: judged('Passed') })];
  expect(plan(passed, { strategy }).hold?.reason).toBe('Soaking');
  expect(written(plan(passed, { strategy, now: NOW + 30_000 }))).toEqual(['s9=new']);
});

test('what failed is said in the reason, and goes back where onFailure says so', () => {
  const failed = [first({ verification: judged('Failed') })];
  expect(plan(failed).hold?.message).toBe(
    '1 of 1 site of stage first failed (s1), and maxFailures allows 0. Check answers of s1: Failed. Mend the sites and retry, edit the spec, or undo it.',
  );
  const back = plan(failed, { strategy: { ...STRATEGY, onFailure: 'RollBack' as const } });
  expect([written(back), back.hold?.reason, back.rollout.direction]).toEqual([
    ['s1=old'],
    'RollingBack',
    'Back',
  ]);
});

test('a failed site stays failed when it is lost, or is no longer Ready', () => {
  for (const changes of [{ reachable: false }, { verdict: 'Progressing' as const }]) {
    const { hold, stages } = plan([first({ verification: judged('Failed'), ...changes })]);
    expect([hold?.reason, stages[0]?.failed]).toEqual(['SitesFailed', 1]);
  }
});

test('failures within maxFailures let the stage pass, but not failures alone', () => {
  const strategy = { ...STRATEGY, maxFailures: 1 };
  const failed = first({ verification: judged('Failed') });
  const passed = first({ verification: judged('Passed') }, 's2');
  expect(written(plan([failed, passed], { strategy }))).toEqual(['s9=new']);
  expect(plan([failed], { strategy }).hold?.reason).toBe('Unproven');
});

test('a retry has the checks made once more, and the former verdict counts no more', () => {
  for (const verdict of ['Failed', 'Inconclusive', 'Passed'] as const) {
    const rollout = retry(aRollout(), ['s1'], NOW);
    const again = plan([first({ verification: judged(verdict) })], { rollout });
    expect([again.verify?.length, again.hold?.reason]).toEqual([1, 'Verifying']);
  }
});

test('an approval lets pass what was inconclusive when it was given, and nothing else', () => {
  const unknown = [first({ verification: judged('Inconclusive', NOW - 10) })];
  const before = approve(aRollout(), 'first', NOW - 20);
  expect(plan(unknown, { rollout: before }).hold?.reason).toBe('VerificationInconclusive');
  const after = approve(aRollout(), 'first', NOW);
  expect(written(plan(unknown, { rollout: after }))).toEqual(['s9=new']);
  expect(plan([first({ verification: judged('Failed') })], { rollout: after }).hold?.reason).toBe(
    'SitesFailed',
  );
  expect(plan([first({ verification: asked() })], { rollout: after }).hold?.reason).toBe('Verifying');
});

test('neither a verdict nor an approval outlives its revision', () => {
  const rollout = begin(approve(aRollout(), 'first', NOW), 'newest', NOW);
  const { hold, verify } = plan([first({ revision: 'newest', verification: judged('Passed') })], { rollout });
  expect([hold?.reason, verify?.length, rollout.decided]).toEqual(['Verifying', 1, undefined]);
});

test('a rollout that is retried from its first stage is checked anew', () => {
  const rollout = retry(abort(approve(aRollout(), 'first', NOW)), 'All', NOW + 5);
  expect(rollout.decided).toBeUndefined();
  expect(plan([first({ verification: judged('Passed') })], { rollout }).hold?.reason).toBe('Verifying');
});

test('a stopped rollout asks for nothing', () => {
  expect(plan([first()], { rollout: { paused: true } }).verify).toBeUndefined();
  expect(plan([first()], { rollout: { aborted: true } }).verify).toBeUndefined();
});

test('a settled revision that is written once more is checked where it was', () => {
  const resettling = { settled: 'new', isResettling: true, resettledAt: NOW - 1_000 } as const;
  const untouched = plan([first({ since: NOW - 5_000, writtenAt: NOW - 5_000 })], { rollout: resettling });
  expect(untouched.verify).toBeUndefined();
  const written_ = plan([first({ since: NOW - 500, writtenAt: NOW - 500 })], { rollout: resettling });
  expect(written_.verify?.map(({ round }) => round)).toEqual([`${NOW - 1_000}/0`]);
  // The turn that begins it writes the first sites.
  const atOnce = plan([first({ since: NOW - 1_000, writtenAt: NOW - 1_000 })], { rollout: resettling });
  expect(atOnce.verify).toEqual(written_.verify);
});

test('a forecast names the checks among what has to happen before', () => {
  const targets = [first({ revision: 'old' }), LATER];
  const told = forecast({ targets, strategy: aStrategy(STRATEGY), rollout: aRollout(), seed: 'uid-1' }, NOW);
  expect(told.steps.map(({ stage, after }) => [stage, after.map(({ reason }) => reason)])).toEqual([
    ['first', []],
    ['rest', ['Verifying']],
  ]);
  expect(told.stop).toBeNull();
});
