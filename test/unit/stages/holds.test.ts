// Why a rollout does nothing more at present, and until when.
import { aTarget, planned, targets, written } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

const AT_NEW = { revision: 'new', since: NOW - 60_000 } as const;
const FIRST = { stages: [{ name: 'first', sites: { matchLabels: { is: 'first' } } }] };
const first = (changes: object) => aTarget('s1', { labels: { is: 'first' }, ...changes });
const SECOND = aTarget('s2');

test('a stage that asks for approval asks also while its sites are labelled away, and they come back as they were', () => {
  const stages = [
    { name: 'canary', sites: { matchLabels: { tier: 'canary' } } },
    { name: 'rest', approval: 'Required' as const },
  ];
  const canary = aTarget('c1', { revision: 'new', since: NOW - 60_000, labels: { tier: 'canary' } });
  const away = planned([canary], { strategy: { stages } });
  expect(away).toMatchObject({
    advance: [],
    done: false,
    hold: {
      reason: 'AwaitsApproval',
      message:
        'Stage rest waits for approval. It has no site now: one that comes into it would get this revision unasked. Approve it for this revision.',
    },
  });
  const back = planned([canary, aTarget('s2', {})], { strategy: { stages }, rollout: away.rollout });
  expect(back).toMatchObject({ advance: [], hold: { reason: 'AwaitsApproval' } });
});

test('a stage opens only when a person has approved it', () => {
  const strategy = { stages: [{ name: 'first', sites: { count: 1 }, approval: 'Required' as const }] };
  const waiting = planned(targets(1), { strategy });
  expect(waiting).toMatchObject({ advance: [], hold: { reason: 'AwaitsApproval', until: null } });
  expect(written(planned(targets(1), { strategy, rollout: { approved: ['first'] } }))).toEqual(['s1=new']);
});

test('the next stage waits until the sites of this one have been Ready for soakSeconds', () => {
  const strategy = { ...FIRST, soakSeconds: 90 };
  const { advance, hold, wakeAt } = planned([first(AT_NEW), SECOND], { strategy });
  expect({ advance, hold, wakeAt }).toMatchObject({
    advance: [],
    hold: { reason: 'Soaking', until: NOW + 30_000 },
    wakeAt: NOW + 30_000,
  });
  expect(written(planned([first(AT_NEW), SECOND], { strategy, now: NOW + 30_000 }))).toEqual(['s2=new']);
});

test('soak begins again when a site falls back', () => {
  const strategy = { ...FIRST, soakSeconds: 90 };
  const fallen = first({ ...AT_NEW, verdict: 'Progressing', since: NOW - 10_000 });
  expect(planned([fallen, SECOND], { strategy }).hold?.reason).toBe('SitesUnderWay');
  const again = first({ ...AT_NEW, since: NOW });
  expect(planned([again, SECOND], { strategy }).hold).toMatchObject({ until: NOW + 90_000 });
});

test('a site that is not Ready within its deadline has failed', () => {
  const late = first({ ...AT_NEW, verdict: 'Progressing' });
  const strategy = { ...FIRST, deadlineSeconds: 61 };
  const { hold, wakeAt } = planned([late, SECOND], { strategy });
  expect({ reason: hold?.reason, wakeAt }).toEqual({ reason: 'SitesUnderWay', wakeAt: NOW + 1_000 });
  expect(planned([late, SECOND], { strategy, now: NOW + 1_000 }).hold?.reason).toBe('SitesFailed');
});

test('tolerated failures give their places on', () => {
  const failed = { ...AT_NEW, verdict: 'Failed' } as const;
  const given = [aTarget('s1', failed), aTarget('s2', failed), aTarget('s3'), aTarget('s4')];
  const strategy = { maxConcurrent: 1, maxFailures: 2 };
  expect(written(planned(given, { strategy }))).toEqual(['s3=new']);
  expect(planned(given, { strategy: { ...strategy, maxFailures: 1 } }).hold?.reason).toBe('SitesFailed');
});

test('a canary that fails after its stage has passed stops the later stages', () => {
  const given = [first({ ...AT_NEW, verdict: 'Failed' }), SECOND];
  const { advance, hold } = planned(given, { strategy: FIRST, rollout: { closed: ['first'] } });
  expect({ advance, reason: hold?.reason }).toEqual({ advance: [], reason: 'SitesFailed' });
});

test('a retry gives a failed site its deadline once more', () => {
  const failed = [first({ ...AT_NEW, verdict: 'Failed' }), SECOND];
  for (const retries of [{ s1: NOW }, { '*': NOW }]) {
    const { hold, wakeAt } = planned(failed, { strategy: FIRST, rollout: { retries }, now: NOW + 1 });
    expect({ reason: hold?.reason, wakeAt }).toEqual({ reason: 'SitesUnderWay', wakeAt: NOW + 900_000 });
    const late = planned(failed, { strategy: FIRST, rollout: { retries }, now: NOW + 900_000 });
    expect(late.hold?.reason).toBe('SitesFailed');
  }
});

test('a stage without a site that is Ready at the revision proves nothing, and does not pass', () => {
  for (const given of [[SECOND], [first({ reachable: false }), SECOND]]) {
    const { advance, hold } = planned(given, { strategy: FIRST });
    expect({ advance, reason: hold?.reason }).toEqual({ advance: [], reason: 'Unproven' });
  }
  expect(planned([first(AT_NEW)], { strategy: FIRST }).done).toBe(true);
});

test('a stage that had no site while none came after it has not passed, and protects a site that comes later', () => {
  const strategy = {
    stages: [
      ...FIRST.stages,
      { name: 'early', sites: { matchLabels: { is: 'early' } } },
      { name: 'last', approval: 'Required' as const },
    ],
  };
  const alone = planned([first(AT_NEW)], { strategy });
  expect(alone).toMatchObject({ hold: { reason: 'AwaitsApproval' }, rollout: { closed: ['first'] } });
  const rollout = { ...alone.rollout, approved: ['last'] };
  const joined = planned([first(AT_NEW), SECOND], { strategy, rollout });
  expect(joined).toMatchObject({
    advance: [],
    hold: { reason: 'Unproven', message: expect.stringMatching(/stage early/i) as string },
  });
  // Nobody waits for it where nothing comes after it.
  expect(planned([first(AT_NEW)], { strategy, rollout })).toMatchObject({
    done: true,
    rollout: { settled: 'new' },
  });
});

test('a revision that no site can show is not settled', () => {
  const { rollout, hold } = planned(targets(3, { reachable: false }));
  expect({ settled: rollout.settled, reason: hold?.reason }).toEqual({ settled: 'old', reason: 'Unproven' });
});

test('offline sites: Later passes them by, Wait waits for them, Fail counts them', () => {
  const given = [aTarget('s1', AT_NEW), aTarget('s2', { reachable: false })];
  const outcome = (offline: 'Later' | 'Wait' | 'Fail') => planned(given, { strategy: { offline } });
  expect(outcome('Later')).toMatchObject({ done: true, stages: [{ offline: 1, ready: 1 }] });
  expect(outcome('Wait').hold?.reason).toBe('SitesOffline');
  expect(outcome('Fail').hold?.reason).toBe('SitesFailed');
});

test('a site that becomes unreachable with the new revision keeps its place, and fails after its deadline', () => {
  const lost = { ...AT_NEW, verdict: 'Progressing', reachable: false } as const;
  const given = [aTarget('s1', lost), aTarget('s2')];
  expect(planned(given)).toMatchObject({ advance: [], hold: { reason: 'SitesUnderWay' } });
  expect(planned(given, { now: NOW + 900_000 }).hold?.reason).toBe('SitesFailed');
});

test('outside of the windows no running copy is changed, and a new site gets its first', () => {
  const windows = [{ days: ['Mon' as const], from: '22:00', to: '04:00', timeZone: 'UTC' }];
  const opens = Date.parse('2026-03-02T22:00:00Z');
  const given = [aTarget('s1'), aTarget('s2', { revision: null })];
  const plan = planned(given, { strategy: { windows } });
  expect(written(plan)).toEqual(['s2=new']);
  expect(plan).toMatchObject({ hold: { reason: 'OutsideWindow', until: opens }, wakeAt: opens });
  expect(written(planned(given, { strategy: { windows }, now: opens }))).toEqual(['s1=new']);
});

describe('a site of a stage that has passed', () => {
  const closed = { closed: ['first'] };
  const back = first({ revision: 'old' });

  test('gets the revision when it is back, while a stage before it has been opened again', () => {
    const stages = [{ name: 'zero', sites: { matchLabels: { is: 'zero' } } }, ...FIRST.stages];
    const given = [
      aTarget('s0', { ...AT_NEW, labels: { is: 'zero' }, verdict: 'Progressing' }),
      back,
      SECOND,
    ];
    expect(written(planned(given, { strategy: { stages }, rollout: closed }))).toEqual(['s1=new']);
  });

  test('is looked at again when a window opens, also while another stage soaks for longer', () => {
    const windows = [{ days: ['Mon' as const], from: '22:00', to: '04:00', timeZone: 'UTC' }];
    const stages = [...FIRST.stages, { name: 'second', sites: { count: 1 }, soakSeconds: 5 * 86_400 }];
    const given = [back, aTarget('s2', AT_NEW), aTarget('s3', AT_NEW)];
    const { hold, wakeAt } = planned(given, { strategy: { stages, windows }, rollout: closed });
    expect([hold?.reason, wakeAt]).toEqual(['Soaking', Date.parse('2026-03-02T22:00:00Z')]);
  });
});

test('without a site there is nothing to say about a revision', () => {
  expect(planned([])).toMatchObject({
    done: false,
    hold: { reason: 'NoSites' },
    rollout: { settled: 'old' },
  });
});

test('a message names three sites and counts the others', () => {
  const given = targets(5, { ...AT_NEW, verdict: 'Failed' });
  expect(planned(given).hold?.message).toContain('5 of 5 sites of stage all failed (s1, s2, s3 and 2 more)');
});

test('a rollout does not end while a site of a stage that passed is under way', () => {
  const given = [first({ ...AT_NEW, verdict: 'Progressing' }), aTarget('s2', AT_NEW)];
  const { rollout, done, hold } = planned(given, { strategy: FIRST, rollout: { closed: ['first'] } });
  expect({ done, settled: rollout.settled, reason: hold?.reason }).toEqual({
    done: false,
    settled: 'old',
    reason: 'SitesUnderWay',
  });
});
