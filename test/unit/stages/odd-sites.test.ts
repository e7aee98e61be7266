// Sites that are neither Ready nor on their way: whose copy is being deleted, or cannot be seen any more.
import {
  aTarget,
  planned,
  targets,
  written,
  DEADLINE,
  CANARY,
  AT_NEW,
  SETTLED,
} from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

describe('a site that is lost after it got the revision', () => {
  const stage = {
    stages: [{ name: 'canary', sites: { matchLabels: CANARY }, soakSeconds: 600 }, { name: 'others' }],
  };
  const fleet = (changes: object) => [
    aTarget('c1', { ...AT_NEW, labels: CANARY }),
    aTarget('c2', { ...AT_NEW, labels: CANARY, reachable: false, ...changes }),
    aTarget('s3'),
  ];

  test.each(['Later', 'Wait', 'Fail'] as const)(
    'is under way until its deadline, and has failed then, with offline %s',
    (offline) => {
      const at = (now: number) =>
        planned(fleet({ lostSince: NOW + 100_000 }), { strategy: { ...stage, offline }, now });
      const waiting = at(NOW + 700_000);
      expect([waiting.advance, waiting.hold?.reason]).toEqual([[], 'SitesUnderWay']);
      expect(waiting.wakeAt).toBe(NOW + 100_000 + DEADLINE);
      const late = at(NOW + 100_000 + DEADLINE);
      expect([late.advance, late.hold?.reason]).toEqual([[], 'SitesFailed']);
    },
  );

  test('does not hold a stage that has passed, and none of a revision that every site has had', () => {
    const passed = planned(fleet({ lostSince: NOW - DEADLINE }), {
      strategy: stage,
      rollout: { closed: ['canary'] },
    });
    expect(written(passed)).toEqual(['s3=new']);
    const settled = planned(fleet({ lostSince: NOW - DEADLINE }).slice(0, 2), {
      strategy: stage,
      rollout: SETTLED,
    });
    expect(settled).toMatchObject({ done: true, stages: [{ offline: 1, failed: 0 }, {}] });
  });

  test('is offline and has not failed when its stage had passed, however long ago it was lost', () => {
    const long = { since: NOW - 2 * DEADLINE, lostSince: NOW - DEADLINE };
    const { advance, stages } = planned(fleet(long), { strategy: stage, rollout: { closed: ['canary'] } });
    expect([advance.length, stages]).toMatchObject([1, [{ offline: 1, failed: 0, underWay: 0 }, {}]]);
  });
});

test('with offline Fail a site that cannot be reached fails its stage when that opens, and no stage before it', () => {
  const strategy = {
    stages: [{ name: 'canary', sites: { matchLabels: CANARY } }, { name: 'others' }],
    offline: 'Fail' as const,
  };
  const fleet = (canary: object) => [
    aTarget('c1', { labels: CANARY, ...canary }),
    aTarget('s2', { reachable: false }),
    aTarget('s3'),
  ];
  const begun = planned(fleet({}), { strategy });
  expect([written(begun), begun.stages.map(({ failed }) => failed)]).toEqual([['c1=new'], [0, 0]]);
  expect(planned(fleet(AT_NEW), { strategy }).hold?.reason).toBe('SitesFailed');
});

test.each(['Later', 'Wait', 'Fail'] as const)(
  'a site that cannot be reached, and whose copy no longer fits it, begins nothing anew, with offline %s',
  (offline) => {
    const lost = aTarget('s2', { ...AT_NEW, reachable: false, isStale: true });
    const settled = planned([aTarget('s1', AT_NEW), lost], { strategy: { offline }, rollout: SETTLED });
    expect(settled).toMatchObject({ advance: [], hold: null, done: true });
    expect(settled.rollout).toEqual(SETTLED);
  },
);

describe('a copy that is being deleted and will be written again', () => {
  const leaving = (leavingSince: number, more: object = {}) => [
    aTarget('a1', { revision: null, verdict: 'Progressing', since: 0, leavingSince, ...more }),
    aTarget('b2'),
    aTarget('c3'),
  ];

  test('takes no place of another, is named, and holds the gate until its deadline', () => {
    const strategy = { stages: [{ name: 'first', sites: { count: 3 } }, { name: 'rest' }], maxConcurrent: 1 };
    expect(written(planned(leaving(NOW), { strategy }))).toEqual(['b2=new']);
    const others = leaving(NOW).map((one) => (one.cluster === 'a1' ? one : { ...one, ...AT_NEW }));
    const { done, hold, wakeAt } = planned(others, { strategy });
    expect({ done, hold, wakeAt }).toMatchObject({
      done: false,
      hold: {
        reason: 'SitesUnderWay',
        message: expect.stringContaining('The copy on a1 is being deleted') as unknown,
      },
      wakeAt: NOW + DEADLINE,
    });
  });

  test('holds nobody up any more after its deadline, and is counted among the failed', () => {
    const others = leaving(NOW - DEADLINE).map((one) => (one.cluster === 'a1' ? one : { ...one, ...AT_NEW }));
    const { done, stages } = planned(others, {});
    expect({ done, stages }).toMatchObject({ done: true, stages: [{ failed: 1, ready: 2 }] });
  });

  test('on a lost site is an offline site', () => {
    const { stages } = planned(leaving(NOW, { reachable: false }), {});
    expect(stages).toMatchObject([{ offline: 1, underWay: 0 }]);
  });
});

describe('a site that is drained', () => {
  const drained = [
    aTarget('a1', AT_NEW),
    aTarget('b2', AT_NEW),
    aTarget('c3', { revision: null, isDrained: true }),
  ];

  test.each(['Later', 'Wait', 'Fail'] as const)(
    'gets no copy, and is waited for by nobody, with offline %s',
    (offline) => {
      const { advance, done } = planned(drained, { strategy: { offline, onFailure: 'RollBack' } });
      expect([advance, done]).toEqual([[], true]);
    },
  );

  test('keeps the copy that it has, which is changed like any other', () => {
    expect(written(planned([aTarget('c3', { isDrained: true })], {}))).toEqual(['c3=new']);
  });
});

test('a way back on which sites fail does not say that every site has the earlier revision', () => {
  const rollout = { direction: 'Back' as const, cause: 'It failed.' };
  const failed = targets(2, { verdict: 'Failed', since: NOW });
  const { hold } = planned(failed, { rollout });
  expect(hold).toMatchObject({
    reason: 'SitesFailed',
    message: expect.stringContaining('s1, s2') as unknown,
  });
  expect(planned(targets(2), { rollout }).hold?.reason).toBe('RolledBack');
});

test('after more edits than are remembered, an abort gives no site another revision than the one it keeps', () => {
  const halfway = Array.from({ length: 10 }, (_, index) => `r${index}`);
  const aborted = { aborted: true, halfway, before: 'older' };
  const of = (revision: string | null, rollout: object) =>
    written(planned([aTarget('a1', { revision }), aTarget('b2')], { rollout }));
  expect(of('forgotten', aborted)).toEqual([]);
  expect(of('older', aborted)).toEqual(['a1=old']);
  expect(of(null, aborted)).toEqual(['a1=old']);
  expect(of('forgotten', { ...aborted, halfway: halfway.slice(1) })).toEqual(['a1=old']);
});
