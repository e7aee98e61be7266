// When the DNS record of a Capp is led to its site, and how long a move waits until users have followed.
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { afterPoint } from '../../../../workflows/capp/after/dns.ts';
import { isLed } from '../../../../workflows/capp/facts/dns.ts';
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { afterMoveStep } from '../../../../workflows/capp/after/in-move.ts';
import type { DnsRecord, State } from '../../../../workflows/capp/state.ts';
import type { Copy } from '../../../../workflows/types/copy.ts';
import type { Move } from '../../../../workflows/types/moves.ts';
import type { Pointed } from '../../../../workflows/ports/hub.ts';
import {
  aCopy,
  aFinding,
  aMove,
  aPlacedState,
  applied,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';

const TTL = 60_000;
const READY = { finding: aFinding() };
const SYNCED: Pointed = { outcome: 'Synced', message: 'a leads to b.', ttlSeconds: 60 };
const PENDING: Pointed = { outcome: 'Pending', reason: 'RecordPending', message: 'Not yet.', isThere: true };
const POINT = { do: 'point', cluster: 'site-1' } as const;

function aRecord(plain: Partial<DnsRecord> = {}): DnsRecord {
  const said = { reason: 'RecordSynced' as const, message: 'a leads to b.' };
  const times = { syncedAt: NOW - 10 * MINUTE, ttlMs: TTL, retryAt: 0, tries: 0 };
  return { cluster: 'site-1', isDue: false, isThere: true, said, ...times, ...plain };
}

const placed = (dns: DnsRecord | null, copy: Partial<Copy> = READY, plain: Partial<State> = {}): State =>
  aPlacedState({ ...(dns === null ? {} : { dns }), ...plain }, copy);

/** Users were sent from site-1 to site-2. */
function switched(dns: DnsRecord, plain: Partial<State> = {}, move: Partial<Move> = {}): State {
  const copies = { 'site-1': aCopy(READY), 'site-2': aCopy(READY) };
  return aPlacedState({ serving: 'site-2', copies, move: aMove(move), dns, ...plain });
}

const onNew = (plain: Partial<DnsRecord> = {}): DnsRecord =>
  aRecord({ cluster: 'site-2', syncedAt: NOW, ...plain });
const unsynced = { syncedAt: null, retryAt: NOW + 4_000 };

test.each<[string, NextStep, State]>([
  ['a Capp without a record has no step for it', { do: 'rest', until: null }, placed(null)],
  ['a record that is as it should be is left alone', { do: 'rest', until: null }, placed(aRecord())],
  ['a record that is due is compared', POINT, placed(aRecord({ isDue: true }))],
  ['a record that leads elsewhere is led to the site', POINT, placed(aRecord({ cluster: 'site-3' }))],
  [
    'a record that is not synced is looked at in a while',
    { do: 'rest', until: NOW + 4_000 },
    placed(aRecord(unsynced)),
  ],
  ['and then again', POINT, placed(aRecord({ ...unsynced, retryAt: NOW }))],
  [
    'nothing is done while the Capp is paused',
    { do: 'rest', until: null },
    placed(aRecord({ isDue: true }), READY, { paused: true }),
  ],
])('%s', (_, step, state) => {
  expect(nextStep(state, NOW)).toEqual(step);
});

test('a record is not led to a copy that does not serve', () => {
  const bad = { finding: aFinding('Failed') };
  expect(nextStep(placed(aRecord({ isDue: true }), bad), NOW).do).not.toBe('point');
});

describe('in a move, after users were sent to the new copy', () => {
  test.each<[string, NextStep, State]>([
    ['the record is led there first', { do: 'point', cluster: 'site-2' }, switched(aRecord())],
    ['the old copy stays until DNS has it', { do: 'rest', until: NOW + 4_000 }, switched(onNew(unsynced))],
    [
      'and until resolvers have forgotten the former one',
      { do: 'rest', until: NOW + TTL },
      switched(onNew()),
    ],
    [
      'then the agent is asked once more',
      { do: 'report', cluster: 'site-2' },
      switched(onNew({ syncedAt: NOW - TTL })),
    ],
    [
      'a lost site is not waited for',
      { do: 'report', cluster: 'site-2' },
      switched(onNew(unsynced), { unreachable: ['site-1'] }),
    ],
    [
      'a record that was never made holds nothing up',
      { do: 'report', cluster: 'site-2' },
      switched(onNew({ ...unsynced, isThere: false })),
    ],
    [
      'users are sent back if DNS still leads to the old site at the deadline',
      { do: 'abandon' },
      switched(onNew(unsynced), {}, { deadline: NOW, askedBack: { at: NOW, ringsHeard: 1 } }),
    ],
    [
      'what resolvers keep is waited for beyond the deadline',
      { do: 'rest', until: NOW + TTL },
      switched(onNew(), {}, { deadline: NOW }),
    ],
  ])('%s', (_, step, state) => {
    expect(nextStep(state, NOW)).toEqual(step);
  });

  test('an old copy of which nothing is known since it was shipped stays until the deadline', () => {
    const copies = { 'site-1': aCopy(), 'site-2': aCopy(READY) };
    const state = { ...switched(onNew(unsynced)), copies };
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + 4_000 });
    expect(
      nextStep({ ...state, move: aMove({ deadline: NOW, askedBack: { at: NOW, ringsHeard: 1 } }) }, NOW),
    ).toEqual({
      do: 'report',
      cluster: 'site-2',
    });
  });

  test('the old copy stays even if its agent has confirmed the new one before DNS has followed', () => {
    const state = switched(onNew(), {}, { confirmation: 'Given' });
    const copies = { ...state.copies, 'site-1': aCopy({ ...READY, wanted: false }) };
    expect(nextStep({ ...state, copies }, NOW)).toEqual({ do: 'rest', until: NOW + TTL });
    expect(nextStep({ ...state, copies }, NOW + TTL).do).not.toBe('rest');
  });

  test('the move gets the time that a record may take', () => {
    const state = { ...switched(aRecord(), {}, { deadline: NOW + 1 }), serving: 'site-1' };
    expect(afterMoveStep(state, 'switch', NOW).move?.deadline).toBe(NOW + 5 * MINUTE);
    const { dns: _none, ...without } = state;
    expect(afterMoveStep(without, 'switch', NOW).move?.deadline).toBe(NOW + 1);
  });

  test('the condition Migrating says what is waited for, and until when', () => {
    const said = (state: State) => conditionsOf(state, NOW).find(({ type }) => type === 'Migrating');
    expect(said(switched(onNew()))).toMatchObject({ status: 'True', reason: 'AwaitsRecord' });
    expect(said(switched(onNew()))?.message).toContain('until 2026-03-01T12:01:00Z');
    expect(said(switched(onNew({ syncedAt: NOW - TTL })))?.reason).toBe('Moving');
  });
});

test('an extra copy stays while DNS may lead users to it, unless its site is lost', () => {
  const copies = { 'site-1': aCopy(READY), 'site-2': aCopy({ ...READY, wanted: false }) };
  const state = aPlacedState({ copies, dns: aRecord({ syncedAt: NOW }) });
  expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + TTL });
  expect(nextStep({ ...state, unreachable: ['site-2'] }, NOW).do).toBe('remove');
});

test('so does an extra copy of which nothing is known, as after a loss of the data of Temporal', () => {
  const copies = { 'site-1': aCopy(READY), 'site-2': aCopy({ stamp: null, wanted: false }) };
  const state = aPlacedState({ copies, dns: aRecord(unsynced) });
  expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + 4_000 });
  expect(nextStep({ ...state, dns: aRecord() }, NOW).do).toBe('remove');
});

test('the first apply that says so begins with a record, and each apply to the site compares it', () => {
  const before = aPlacedState();
  expect(withApplied(before, 'site-1', applied()).dns).toBeUndefined();
  const begun = withApplied(before, 'site-1', applied({ hasRecord: true }));
  expect(begun.dns).toMatchObject({ isDue: true, isThere: true, cluster: null });
  const known = placed(aRecord());
  expect(withApplied(known, 'site-1', applied()).dns?.isDue).toBe(true);
  expect(withApplied(known, 'site-2', applied({ hasRecord: true })).dns?.isDue).toBe(false);
});

test('when a record was synced is kept while it leads to the same site, and forgotten when it does not', () => {
  const state = placed(aRecord({ isDue: true }));
  expect(afterPoint(state, 'site-1', SYNCED, NOW).dns).toEqual(aRecord());
  expect(afterPoint(state, 'site-2', SYNCED, NOW).dns).toMatchObject({ cluster: 'site-2', syncedAt: NOW });
  expect(afterPoint(state, 'site-1', PENDING, NOW).dns?.syncedAt).toBeNull();
  expect(afterPoint(state, 'site-1', { outcome: 'None' }, NOW)).not.toHaveProperty('dns');
});

test('a record that is not synced is looked at ever more seldom', () => {
  let state = placed(aRecord());
  const waits = (answer: Pointed): number[] =>
    Array.from({ length: 15 }, () => {
      state = afterPoint(state, 'site-1', answer, NOW);
      return (state.dns?.retryAt ?? 0) - NOW;
    });
  const slow = waits(PENDING);
  expect([...slow.slice(0, 3), slow.at(-1)]).toEqual([1_000, 2_000, 4_000, 300_000]);
  expect(waits({ ...PENDING, reason: 'NotServed', isThere: false }).at(-1)).toBe(3_600_000);
});

test('an activity that failed is tried again, and what it said is read in the status', () => {
  const state = afterPoint(placed(aRecord()), 'site-1', 'it is forbidden', NOW);
  expect(state.dns).toMatchObject({ isThere: true, syncedAt: null, retryAt: NOW + 1_000 });
  expect(isLed(state, NOW)).toBe(false);
  const condition = conditionsOf(state, NOW).find(({ type }) => type === 'RecordReady');
  expect(condition).toMatchObject({ status: 'False', reason: 'Refused' });
});

test.each<[string, Pointed, string]>([
  ['synced', SYNCED, 'True RecordSynced'],
  ['not synced yet', PENDING, 'Unknown RecordPending'],
  ['not to be had', { ...PENDING, reason: 'NotServed', isThere: false }, 'False NotServed'],
])(
  'a record that is %s is a condition of the Capp, and does not keep it from being Ready',
  (_, answer, said) => {
    const conditions = conditionsOf(afterPoint(placed(aRecord()), 'site-1', answer, NOW), NOW);
    const record = conditions.find(({ type }) => type === 'RecordReady');
    expect(`${record?.status} ${record?.reason}`).toBe(said);
    expect(conditions.find(({ type }) => type === 'Ready')?.status).toBe('True');
  },
);
