// What users read of a Drain: the status after each report, and the events.
import { happeningOf, revisedStatus } from '../../../../activities/hub/drain/drain-status.ts';
import { DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import { DrainStatus, isSettledDrain } from '../../../../crds/drain/status.ts';
import { REQUESTED_BY } from '../../../../crds/labels.ts';
import type { DrainAccount, DrainReport } from '../../../../workflows/drain/object.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const counted = (plain: Partial<DrainAccount> = {}): DrainAccount => ({
  countedSince: '2026-03-01T12:00:00Z',
  waiting: 3,
  underWay: 2,
  moved: 1,
  targets: { 'site-2': 2 },
  going: [{ capp: 'apps/b', to: 'site-2' }],
  stayed: { Pinned: 1, Manual: 2 },
  named: [{ capp: 'apps/a', why: 'Pinned' }],
  ...plain,
});
const report = (plain: Partial<DrainReport> = {}): DrainReport => ({
  uid: 'uid-1',
  at: NOW,
  generation: null,
  phase: 'Draining',
  account: counted(),
  ...plain,
});
const drain = (status?: DrainStatus): Drain => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Drain',
  metadata: { name: 'site-1', uid: 'uid-1', generation: 1, annotations: { [REQUESTED_BY]: 'alice' } },
  spec: DrainSpec.parse({}),
  ...(status === undefined ? {} : { status }),
});
/** The status after all of these, one after another. */
function after(...reports: Partial<DrainReport>[]): DrainStatus {
  return reports.reduce<DrainStatus>(
    (status, plain, index) =>
      revisedStatus(drain(status), report({ at: NOW + index * 1000, ...plain })) ?? status,
    {},
  );
}
const saidOf = (status: DrainStatus, type: string) => {
  const found = status.conditions?.find((one) => one.type === type);
  return [found?.status, found?.reason, found?.message];
};
const BEGUN = { generation: 1, account: null } as const;
const DONE = {
  generation: 1,
  phase: 'Done',
  account: counted({ waiting: 0, underWay: 0, moved: 6 }),
} as const;

describe('the status of a Drain', () => {
  test('says who asked, how far it is, who stays and why', () => {
    const status = after(BEGUN, {});
    expect(status).toMatchObject({
      observedGeneration: 1,
      phase: 'Draining',
      requestedBy: 'alice',
      going: [{ capp: 'apps/b', site: 'site-2' }],
      waiting: 3,
      underWay: 2,
      moved: 1,
      stayed: 3,
      targets: [{ site: 'site-2', capps: 2 }],
      reasons: [
        { reason: 'Manual', capps: 2 },
        { reason: 'Pinned', capps: 1 },
      ],
      stays: [{ capp: 'apps/a', reason: 'Pinned' }],
      startedAt: '2026-03-01T12:00:00.000Z',
      reportedAt: '2026-03-01T12:00:01.000Z',
    });
    expect(saidOf(status, 'Complete')).toEqual([
      'False',
      'Draining',
      '3 Capps wait for a lane; on their way: 2; moved: 1.',
    ]);
    expect(saidOf(status, 'Drained').slice(0, 2)).toEqual(['False', 'Draining']);
    expect(DrainStatus.safeParse(status).success).toBe(true);
  });

  test.each<[string, Partial<DrainReport>[], string, string, string]>([
    [
      'paused, how to go on',
      [BEGUN, { phase: 'Paused' }],
      'Complete',
      'Paused',
      'Set spec.paused to false to go on.',
    ],
    [
      'planned, how to drain',
      [{ generation: 1, phase: 'Planned' }],
      'Complete',
      'Planned',
      'A drain would move 3 Capps; it would leave 3 where they are.',
    ],
    [
      'stopped by hand, how to drain again',
      [BEGUN, { ...DONE, phase: 'Stopped' }],
      'Complete',
      'Stopped',
      'delete this Drain and create it again',
    ],
    [
      'done with Capps that stay, why',
      [BEGUN, DONE],
      'Drained',
      'CappsStay',
      '3 Capps stay on the site (Manual 2, Pinned 1).',
    ],
    [
      'done with none left, so',
      [BEGUN, { ...DONE, account: counted({ stayed: {}, named: [] }) }],
      'Drained',
      'SiteEmpty',
      'No Capp is left',
    ],
  ])('says when it is %s', (_title, reports, type, reason, message) => {
    const [, said, text] = saidOf(after(...reports), type);
    expect(said).toBe(reason);
    expect(text).toContain(message);
  });

  test('is settled when the drain is over, with when, and not before', () => {
    expect(isSettledDrain(drain(after(BEGUN, {})))).toBe(false);
    const done = after(BEGUN, {}, DONE);
    expect(isSettledDrain(drain(done))).toBe(true);
    expect(done.endedAt).toBe('2026-03-01T12:00:02.000Z');
  });

  test('is not written again for what it says already', () => {
    expect(revisedStatus(drain(after(BEGUN, {})), report({ at: NOW + 9_000 }))).toBeNull();
    expect(revisedStatus(drain(after(BEGUN)), report({ ...BEGUN, at: NOW + 9_000 }))).toBeNull();
  });

  test.each<[string, Partial<DrainReport>[], Partial<DrainReport>]>([
    ['of an earlier generation', [BEGUN, { generation: 2 }], { generation: 1, phase: 'Paused' }],
    ['of a dry run that has become a drain', [{ generation: 2 }], { generation: 1, phase: 'Planned' }],
    ['of a drain that has ended', [BEGUN, DONE], { generation: 1 }],
    ['of an earlier build, about a drain that has ended', [BEGUN, DONE], { generation: null }],
    ['from before the last, of the same generation', [BEGUN, {}], { generation: 1, at: NOW - 1 }],
  ])('does not take the report of a try that comes late: %s', (_what, before, late) => {
    const status = after(...before);
    expect(revisedStatus(drain(status), report({ at: NOW + 9_000, ...late }))).toBeNull();
  });

  test('goes on from what an earlier build wrote, without its second time', () => {
    const earlier = { ...after(BEGUN, {}), heededAt: '2026-03-01T12:00:00.000Z' };
    const next = revisedStatus(drain(earlier), report({ at: NOW + 9_000, account: counted({ moved: 2 }) }));
    expect(next).toMatchObject({ moved: 2, phase: 'Draining' });
    expect(next).not.toHaveProperty('heededAt');
  });

  test('begins to drain after a dry run of an earlier generation', () => {
    const planned = after({ generation: 1, phase: 'Planned' });
    const begun = revisedStatus(drain(planned), report({ at: NOW + 9_000, generation: 2 }));
    expect(begun).toMatchObject({ phase: 'Draining', observedGeneration: 2 });
  });

  test('says of a dry run what those that would stay wait for', () => {
    const account = counted({ messages: { Pinned: 'spec.site names site-1.', Manual: '' } });
    expect(after({ generation: 1, phase: 'Planned', account }).reasons).toEqual([
      { reason: 'Manual', capps: 2 },
      { reason: 'Pinned', capps: 1, message: 'spec.site names site-1.' },
    ]);
  });

  test('does not go back to what was found out earlier, nor from the end to the way there', () => {
    expect(
      revisedStatus(drain(after(BEGUN, {})), report({ at: NOW, account: counted({ moved: 0 }) })),
    ).toBeNull();
    const done = drain(after(BEGUN, DONE));
    expect(revisedStatus(done, report({ at: NOW + 9_000, account: counted({ moved: 2 }) }))).toBeNull();
  });

  test('keeps the time of a condition that says the same with other figures', () => {
    const first = after(BEGUN, {});
    const later = revisedStatus(drain(first), report({ at: NOW + 60_000, account: counted({ moved: 9 }) }));
    expect(later?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      first.conditions?.map(({ lastTransitionTime }) => lastTransitionTime),
    );
  });

  test('adds up what moved before and after a loss of the drain, and counts nobody twice', () => {
    const lost = after(BEGUN, { account: counted({ moved: 4 }) }, { ...BEGUN, phase: 'Draining' });
    const again = { account: counted({ countedSince: '2026-03-01T13:00:00Z', moved: 1 }) };
    const next = revisedStatus(drain(lost), report({ at: NOW + 9_000, ...again }));
    expect(next?.moved).toBe(5);
    const more = report({ at: NOW + 10_000, account: { ...again.account, moved: 3 } });
    expect(revisedStatus(drain(next ?? {}), more)?.moved).toBe(7);
  });

  test('forgets what a dry run said when the drain begins', () => {
    const status = after({ generation: 1, phase: 'Planned' }, { ...BEGUN, generation: 2 });
    expect(status).toMatchObject({ phase: 'Draining', observedGeneration: 2 });
    for (const field of ['waiting', 'stayed', 'stays', 'reasons', 'targets', 'moved'])
      expect(status).not.toHaveProperty(field);
  });

  test('takes note of a new generation and says all else as before', () => {
    const done = after(BEGUN, DONE);
    const noted = revisedStatus(
      drain(done),
      report({ at: NOW + 9_000, generation: 2, phase: null, account: null }),
    );
    expect(noted).toMatchObject({
      ...done,
      observedGeneration: 2,
      reportedAt: '2026-03-01T12:00:09.000Z',
      conditions: expect.anything(),
    });
    expect(saidOf(noted ?? {}, 'Complete')).toEqual(saidOf(done, 'Complete'));
  });
});

test('a Drain has one event for each turn that it takes', () => {
  const turns = [
    [{}, after(BEGUN), 'DrainStarted'],
    [after(BEGUN), after(BEGUN, {}), null],
    [after(BEGUN), after(BEGUN, { phase: 'Paused' }), 'DrainPaused'],
    [after(BEGUN, { phase: 'Paused' }), after(BEGUN, { phase: 'Paused' }, {}), 'DrainResumed'],
    [{}, after({ generation: 1, phase: 'Planned' }), 'DrainPlanned'],
    [after(BEGUN), after(BEGUN, { ...DONE, phase: 'Stopped' }), 'DrainStopped'],
    [after(BEGUN), after(BEGUN, DONE), 'CappsStay'],
    [after(BEGUN), after(BEGUN, { ...DONE, account: counted({ stayed: {} }) }), 'SiteEmpty'],
  ] as const;
  for (const [before, next, reason] of turns)
    expect(happeningOf(drain(before), next)?.reason ?? null).toBe(reason);
  expect(happeningOf(drain(after(BEGUN)), after(BEGUN, DONE))).toMatchObject({
    type: 'Warning',
    note: expect.stringContaining('3 Capps stay'),
  });
});
