// Copies whose content no longer fits their sites are written again, stage by stage.
import { settle } from '../../../workflows/stages/gates.ts';
import { abort, begin, retry } from '../../../workflows/stages/rollout.ts';
import {
  aRollout,
  aTarget,
  planned,
  written,
  DEADLINE,
  CANARY,
  AT_NEW,
  SETTLED,
} from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

/** The first is the canary. */
const STAGES = { stages: [{ name: 'canary', sites: { matchLabels: CANARY } }, { name: 'others' }] };

describe('copies whose content no longer fits their sites, of a revision that is settled', () => {
  const stale = (...clusters: readonly string[]) =>
    ['c1', 's2', 's3', 's4'].map((cluster) =>
      aTarget(cluster, {
        ...AT_NEW,
        ...(cluster === 'c1' ? { labels: CANARY } : {}),
        ...(clusters.includes(cluster) ? { isStale: true } : {}),
      }),
    );
  const all = stale('c1', 's2', 's3', 's4');
  const of = (given: ReturnType<typeof stale>, strategy: object = STAGES, rollout: object = SETTLED) =>
    planned(given, { strategy, rollout });

  test('go stage by stage, within maxConcurrent', () => {
    const first = of(all, { ...STAGES, maxConcurrent: 2 });
    expect(written(first)).toEqual(['c1=new']);
    expect(first).toMatchObject({
      done: false,
      hold: { reason: 'SitesUnderWay' },
      rollout: { isResettling: true },
    });
    const second = of(stale('s2', 's3', 's4'), { ...STAGES, maxConcurrent: 2 }, first.rollout);
    expect(written(second)).toEqual(['s2=new', 's3=new']);
    const last = of(stale(), STAGES, second.rollout);
    expect(last).toMatchObject({ done: true, hold: null });
    expect(last.rollout).toEqual(SETTLED);
  });

  test('open no stage again that has passed for a revision on its way', () => {
    const rollout = aRollout({ closed: ['canary'] });
    const { advance, rollout: after } = of([...stale('c1').slice(0, 1), aTarget('s2')], STAGES, rollout);
    expect(advance.map(({ cluster }) => cluster)).toEqual(['c1', 's2']);
    expect(after.closed).toEqual(['canary']);
  });

  test('wait for an approval of their own, whatever was approved while all was at rest', () => {
    const strategy = { stages: [STAGES.stages[0], { name: 'others', approval: 'Required' }] };
    const { advance, hold } = of(stale('s2'), strategy, { ...SETTLED, approved: ['others'] });
    expect([advance, hold?.reason]).toEqual([[], 'AwaitsApproval']);
  });

  test('stop for an abort, also for one that is heard before they have begun', () => {
    const begun = of(stale('c1'));
    for (const rollout of [SETTLED, begun.rollout])
      expect(of(stale('c1', 's2'), STAGES, abort({ ...aRollout(), ...rollout }))).toMatchObject({
        advance: [],
        hold: { reason: 'Aborted' },
      });
  });

  test('wait for a window', () => {
    const windows = [{ days: ['Sun' as const], from: '01:00', to: '01:01', timeZone: 'UTC' }];
    const { advance, hold } = of(all, { windows });
    expect([advance, hold?.reason]).toEqual([[], 'OutsideWindow']);
    expect(written(of([aTarget('new', { revision: null })], { windows }))).toEqual(['new=new']);
  });

  test('wait for the approval of a stage in which something changes, and of no other', () => {
    const asking = { stages: STAGES.stages.map((stage) => ({ ...stage, approval: 'Required' as const })) };
    expect(of(all, asking)).toMatchObject({ advance: [], hold: { reason: 'AwaitsApproval' } });
    const rest = of(stale('s2'), asking);
    expect(rest).toMatchObject({ advance: [], hold: { reason: 'AwaitsApproval', message: /stage others/i } });
    const approved = of(stale('s2'), asking, { ...rest.rollout, approved: ['others'] });
    expect(written(approved)).toEqual(['s2=new']);
    // A label that changes in a stage that has passed opens it again.
    const passed = of(stale('c1'), asking, { ...rest.rollout, closed: ['canary'], approved: ['others'] });
    expect(passed).toMatchObject({ advance: [], hold: { reason: 'AwaitsApproval' } });
  });

  test('wait for no approval of a copy whose time alone is wrong, be it that an earlier build began so', () => {
    const strategy = { stages: [STAGES.stages[0], { name: 'others', approval: 'Required' }] };
    const begun = { ...SETTLED, isResettling: true };
    const dated = (...clusters: readonly string[]) =>
      stale(...clusters).map((one) => (one.cluster === 's3' ? { ...one, isMisdated: true } : one));
    const next = of(dated(), strategy, begun);
    expect([written(next), next.hold?.reason]).toEqual([['s3=new'], 'SitesUnderWay']);
    expect(of(stale(), strategy, next.rollout)).toMatchObject({ done: true, hold: null });
    for (const clusters of [['s2'], ['s3']])
      expect(of(dated(...clusters), strategy, begun)).toMatchObject({
        advance: [],
        hold: { reason: 'AwaitsApproval' },
      });
    const absent = [...dated(), aTarget('s5', { revision: null, isMisdated: true })];
    expect(of(absent, strategy, begun).hold?.reason).toBe('AwaitsApproval');
  });

  test('stop when more fail than may, and go back to nothing: the revision is the settled one', () => {
    const failed = stale('s2', 's3', 's4').map((one) =>
      one.cluster === 'c1' ? { ...one, verdict: 'Failed' as const } : one,
    );
    const rollout = { ...SETTLED, isResettling: true };
    const { advance, hold } = of(failed, { ...STAGES, onFailure: 'RollBack' as const }, rollout);
    expect([advance, hold?.reason]).toEqual([[], 'SitesFailed']);
  });

  test('a failure is not undone by one more change of the label', () => {
    const again = stale('c1').map((one) =>
      one.cluster === 'c1' ? { ...one, verdict: 'Failed' as const, since: NOW } : one,
    );
    const rollout = { ...SETTLED, isResettling: true };
    const { advance, hold } = of(again, STAGES, rollout);
    expect([advance, hold?.reason, hold?.message]).toEqual([
      [],
      'SitesFailed',
      expect.stringContaining('(c1)'),
    ]);
    expect(written(of(again, STAGES, { ...rollout, retries: { c1: NOW + 1 } }))).toEqual(['c1=new']);
  });

  describe('that are lost', () => {
    const begun = { ...SETTLED, isResettling: true, resettledAt: NOW - 30_000 };
    const lost = (given: ReturnType<typeof stale>, changes: object = {}) =>
      given.map((one) => (one.cluster === 'c1' ? { ...one, reachable: false, ...changes } : one));
    const at = (given: ReturnType<typeof stale>, now: number, strategy: object = STAGES) =>
      planned(given, { strategy, rollout: begun, now });
    const rewritten = { since: NOW, lostSince: NOW + 1_000 };

    test('after they were written again are waited for, have failed then, and prove nothing', () => {
      const cut = lost(stale('s2', 's3', 's4'), rewritten);
      expect(at(cut, NOW + 2_000)).toMatchObject({ advance: [], hold: { reason: 'SitesUnderWay' } });
      const late = NOW + 1_000 + DEADLINE;
      expect(at(cut, late)).toMatchObject({ advance: [], hold: { reason: 'SitesFailed' } });
      const tolerant = { ...STAGES, maxFailures: 1 };
      expect(at(cut, late, tolerant)).toMatchObject({ advance: [], hold: { reason: 'Unproven' } });
      // One more change of the label excuses nothing.
      const again = lost(stale('c1', 's2', 's3', 's4'), rewritten);
      expect(at(again, late)).toMatchObject({ advance: [], hold: { reason: 'SitesFailed' } });
    });

    test('after they were written again are no proof after an abort and a retry either', () => {
      const cut = lost(stale('s2', 's3', 's4'), rewritten);
      const again = retry(abort(begun), 'All', NOW + 2_000);
      const plan = planned(cut, { strategy: STAGES, rollout: again, now: NOW + 2_000 + DEADLINE });
      expect(plan).toMatchObject({ advance: [], hold: { reason: 'SitesFailed' } });
    });

    describe('when the template is edited, and edited back', () => {
      const cut = lost(stale('s2', 's3', 's4'), rewritten);
      const edited = begin(begun, 'newer', NOW + 2_000);
      const back = begin(edited, 'new', NOW + 3_000);
      const late = NOW + 3_000 + DEADLINE;
      const isOf = (given: ReturnType<typeof stale>, rollout: object, now: number) =>
        planned(given, { strategy: STAGES, rollout, now });

      test('are waited for, have failed then, and let no other site get what cut them off', () => {
        const first = isOf(cut, back, NOW + 4_000);
        expect(first).toMatchObject({ advance: [], done: false, hold: { reason: 'SitesUnderWay' } });
        expect(isOf(cut, first.rollout, late)).toMatchObject({
          advance: [],
          hold: { reason: 'SitesFailed' },
        });
      });

      test('and sites that had got the other revision go back first, before the stages go on', () => {
        const some = cut.map((one) =>
          one.cluster === 's3' ? { ...one, revision: 'newer', isStale: false } : one,
        );
        const first = isOf(some, back, NOW + 4_000);
        expect(written(first)).toEqual(['s3=new']);
        expect(first.hold).toMatchObject({ reason: 'RollingBack' });
        const gone = some.map((one) =>
          one.cluster === 's3' ? { ...one, revision: 'new', since: NOW } : one,
        );
        expect(isOf(gone, first.rollout, late)).toMatchObject({
          advance: [],
          hold: { reason: 'SitesFailed' },
        });
      });

      test('count no longer once the other revision is settled', () => {
        expect(settle(edited).resettledAt).toBeUndefined();
        expect(written(isOf(stale(), edited, NOW + 4_000))).toEqual(['c1=newer']);
      });
    });

    test('and were not written again hold up nobody, although they said something since it began', () => {
      const silent = lost(stale('s2', 's3', 's4'), { since: NOW, writtenAt: NOW - DEADLINE });
      expect(written(at(silent, NOW + 2 * DEADLINE))).toEqual(['s2=new']);
    });

    test('in a rollout of an earlier build, which did not note when it began, hold up nobody', () => {
      const { resettledAt: _unknown, ...former } = begun;
      const cut = lost(stale('s2', 's3', 's4'), rewritten);
      const plan = planned(cut, { strategy: STAGES, rollout: former, now: NOW + 2 * DEADLINE });
      expect(written(plan)).toEqual(['s2=new']);
    });

    test('before that hold up nobody, whatever was last heard of them, and prove nothing either', () => {
      const changes = { verdict: 'Progressing', since: NOW - DEADLINE, lostSince: NOW - DEADLINE };
      expect(written(at(lost(stale('s2', 's3', 's4'), changes), NOW))).toEqual(['s2=new']);
      const due = at(lost(stale('c1', 's2', 's3', 's4'), changes), NOW);
      expect(due).toMatchObject({ advance: [], hold: { reason: 'Unproven' } });
    });
  });

  test('on sites that cannot be reached are no reason to begin', () => {
    const lost = stale('s2').map((one) => (one.cluster === 's2' ? { ...one, reachable: false } : one));
    expect(of(lost)).toMatchObject({ done: true, rollout: SETTLED });
  });
});
