// A workflow that is started over knows of no checks. What its Capp's status says of checks that have failed
// has to stay there until it has shipped the Capp, whatever puts that off: a gate that was shut could open
// otherwise.
import { failureFor } from '../../../activities/hub/ship/failed-before.ts';
import { memoryOf } from '../../../activities/hub/place/move-rules.ts';
import { verificationOf } from '../../../activities/hub/set/verification.ts';
import { ordersOf } from '../../../activities/hub/ship/orders.ts';
import { hubPart } from '../../../activities/hub/status/status.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import { SET_REVISION, VERIFY } from '../../../crds/labels.ts';
import { VerifyCheck } from '../../../crds/verification/check.ts';
import { keyOf, orderText } from '../../../crds/verification/order.ts';
import { writtenAs } from '../../../crds/written.ts';
import { withApplied } from '../../../workflows/capp/after/apply.ts';
import { withChoice } from '../../../workflows/capp/after/choice.ts';
import { abandoned } from '../../../workflows/capp/after/moving/abandoned.ts';
import { readState } from '../../../workflows/parse/start.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import { FAILURE_TOLD, noteChanges } from '../../../workflows/capp/changes.ts';
import { fingerprintOf, publicationOf } from '../../../workflows/capp/conditions/publication.ts';
import { toBeVerified } from '../../../workflows/capp/facts/verification.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Applied } from '../../../workflows/ports/applied.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aCopy, aFinding, aMove, applied, aState, NOW, refused } from '../../support/builders/states.ts';

const ORDER = {
  revision: 'f'.repeat(32),
  round: '1/0',
  generation: 1,
  at: NOW,
  checks: [VerifyCheck.parse({ name: 'answers', http: { path: '/' } })],
};
const STAMP = 'uid-1/1/hash/one';
const FAILED = {
  key: keyOf(ORDER),
  generation: 1,
  site: 'site-1',
  stamp: STAMP,
  verdict: 'Failed' as const,
  at: '2026-03-01T12:00:00Z',
  checks: [],
};

function child(status: CappStatus = { verification: FAILED }, order = orderText(ORDER)): Capp {
  const written = writtenAs({ revision: ORDER.revision, content: '0123456789', at: NOW });
  return { ...aCapp({ annotations: { [VERIFY]: order, [SET_REVISION]: written } }), status };
}

/** The Capp after the workflow has published that state. */
function published(capp: Capp, state: State): { readonly capp: Capp; readonly state: State } {
  const saying = { state, verdicts: conditionsOf(state, NOW), record: null, at: NOW };
  const status = hubPart(capp, saying) ?? capp.status ?? {};
  return { capp: { ...capp, status }, state: { ...state, published: fingerprintOf(state, NOW) } };
}

/** As the activity does it. */
function shipped(capp: Capp, state: State): State {
  const failed = failureFor(capp, state.copies['site-1'], { stamp: STAMP, site: 'site-1' });
  const answer = applied({ stamp: STAMP, ...ordersOf(capp), ...failed });
  return withApplied({ ...state, serving: 'site-1' }, 'site-1', answer);
}

const begun = aState({
  serving: 'site-1',
  generation: 0,
  published: null,
  copies: { 'site-1': aCopy({ stamp: null, found: true, generation: 0 }) },
});
const paused: Applied = { outcome: 'Paused', generation: 1, at: NOW };
const gone: Applied = { outcome: 'Paused', generation: 1, at: NOW, isGone: true };
const asked = { now: NOW, ringsHeard: 1 };
const nowhere = { outcome: 'None', reason: 'NoCandidate', message: 'No site fits.', works: [] } as const;

test.each<[string, State]>([
  ['the Capp is paused', withApplied(begun, 'site-1', paused)],
  ['it is paused and its work is gone', withApplied(begun, 'site-1', gone)],
  ['it is refused', withApplied(begun, 'site-1', refused())],
  [
    'no site is chosen',
    withChoice(aState({ generation: 0, published: null }), { ...nowhere, generation: 1 } as never, asked),
  ],
])('a gate that was shut stays so when a workflow is started over and at first %s', (_what, first) => {
  const after = published(child(), first);
  expect(after.capp.status?.verification).toEqual(FAILED);
  const resumed = shipped(after.capp, after.state);
  expect(resumed.copies['site-1']?.verification?.verdict).toBe('Failed');
  const ready = { ...resumed.copies['site-1'], finding: aFinding() } as never;
  expect(toBeVerified({ ...resumed, copies: { 'site-1': ready } })).toEqual([]);
  const told = published(after.capp, resumed).capp.status?.verification;
  expect(told).toMatchObject({ key: FAILED.key, verdict: 'Failed', stamp: STAMP });
});

test.each<[string, Capp, State]>([
  ['that passed', child({ verification: { ...FAILED, verdict: 'Passed' } }), begun],
  ['by another order, such as after a retry', child(undefined, orderText({ ...ORDER, round: '1/1' })), begun],
  ['that nobody orders any more', child(undefined, ''), begun],
  ['of another generation', child({ verification: { ...FAILED, generation: 2 } }), begun],
  ['of a Capp that is being deleted', child(), { ...begun, retiring: true }],
  [
    'of former content, which the workflow has shipped anew',
    child(),
    withApplied(begun, 'site-1', applied({ stamp: 'uid-1/1/new/one', ...ordersOf(child()) })),
  ],
])('a verdict %s does not stay', (_what, capp, state) => {
  expect(published(capp, state).capp.status?.verification).toBeUndefined();
});

const MOVE_CHECKS = [VerifyCheck.parse({ name: 'new-site', http: { path: '/new' } })];

/** The Capp moves, and has checks of its own made of the new copy: `verdict` is what came of them. */
function inMove(verdict: 'Passed' | 'Failed' | null): State {
  const capp = asksOfMoves(child());
  const { order, moveOrder } = ordersOf(capp);
  if (order === undefined || moveOrder === undefined) throw new Error('nothing is ordered');
  const failed = {
    key: order.key,
    verdict: 'Failed',
    says: 'no',
    at: Date.parse(FAILED.at),
    checks: [],
  } as const;
  const come = { ...failed, key: moveOrder.key, at: NOW, verdict: verdict ?? 'Failed' } as const;
  const there = { generation: 1, finding: aFinding(), stamp: STAMP };
  return aState({
    serving: 'site-1',
    generation: 1,
    move: aMove({ from: 'site-1', to: 'site-2', since: NOW, deadline: NOW + 600_000 }),
    copies: {
      'site-1': aCopy({ ...there, order, verification: failed }),
      'site-2': aCopy({ ...there, order: moveOrder, ...(verdict === null ? {} : { verification: come }) }),
    },
  });
}

function asksOfMoves(capp: Capp): Capp {
  const migration = {
    policy: 'Evacuate',
    strategy: 'MakeBeforeBreak',
    failback: 'Never',
    verify: MOVE_CHECKS,
  };
  return { ...capp, spec: { ...capp.spec, migration } as Capp['spec'] };
}

test.each([null, 'Passed', 'Failed'] as const)(
  'what has failed where the Capp is outlives the checks of its move, which say %p, and the loss of its workflow',
  (verdict) => {
    const during = published(asksOfMoves(child()), inMove(verdict));
    expect(during.capp.status).toMatchObject({ failedVerification: { ...FAILED, at: FAILED.at } });
    expect(during.capp.status?.verification?.verdict).toBe(verdict ?? undefined);
    expect(verificationOf(during.capp, { writtenAt: 0, now: Date.now() })?.result).toMatchObject({
      verdict: 'Failed',
    });
    // A workflow that is started over is paused first: it publishes before it ships.
    const over = published(during.capp, withApplied(begun, 'site-1', paused));
    const resumed = shipped(over.capp, over.state);
    expect(resumed.copies['site-1']?.verification).toMatchObject({ verdict: 'Failed', key: FAILED.key });
    const after = published(over.capp, resumed).capp.status;
    expect(after?.verification).toMatchObject({ key: FAILED.key, site: 'site-1', verdict: 'Failed' });
    expect(after?.failedVerification).toBeUndefined();
  },
);

test('a failure that comes in the middle of a move is published', () => {
  const { 'site-1': old, ...others } = inMove(null).copies;
  const { verification: _none, ...unknown } = old ?? aCopy();
  const before = { ...inMove(null), copies: { ...others, 'site-1': unknown } };
  expect(fingerprintOf(before, NOW)).not.toBe(fingerprintOf(inMove(null), NOW));
});

test('a run that went through a move before failures were published beside it publishes as it did', () => {
  const { 'site-1': old, ...others } = inMove(null).copies;
  const { verification: _none, ...unknown } = old ?? aCopy();
  const before = { ...inMove(null), copies: { ...others, 'site-1': unknown } };
  const former = { tellsFailure: false };
  expect(fingerprintOf(before, NOW, former)).toBe(fingerprintOf(inMove(null), NOW, former));
  const at = { record: null, news: null, at: NOW };
  const known = { ...inMove(null), published: fingerprintOf(before, NOW, former) };
  expect(publicationOf(known, { ...at, ...former })).toBeNull();
  expect(publicationOf(known, { ...at, tellsFailure: true })).not.toBeNull();
});

test.each<[string, State, readonly string[]]>([
  ['whose failure stands beside the checks of its move', inMove(null), [FAILURE_TOLD]],
  ['that does not move', { ...inMove(null), move: null }, []],
  ['whose users have left the site', { ...inMove(null), serving: 'site-2' }, []],
  ['of which nothing is ordered there', { ...inMove(null), copies: { 'site-1': aCopy() } }, []],
])('a run of a Capp %s notes what its history needs', (_what, state, expected) => {
  const noted = new Set<string>();
  noteChanges({ runtime: { now: () => NOW, patched: () => true } as never, noted }, state);
  expect([...noted]).toEqual(expected);
});

test('what has failed is said of the site no more when users have left it', () => {
  const state = { ...inMove('Passed'), serving: 'site-2' };
  expect(published(asksOfMoves(child()), state).capp.status?.failedVerification).toBeUndefined();
  const { order: _order, ...fresh } = state.copies['site-2'] ?? aCopy();
  const unknown = { ...state, copies: { 'site-2': fresh } };
  const during = published(asksOfMoves(child()), inMove('Passed')).capp;
  expect(during.status?.failedVerification).toBeDefined();
  const { failedVerification, verification } = published(during, unknown).capp.status ?? {};
  expect([failedVerification, verification]).toEqual([undefined, undefined]);
});

test('the measurements for which a move was given up stay said of it, also after its workflow is lost', () => {
  const given = abandoned(inMove('Failed'), NOW, 'Failed');
  const { capp } = published(asksOfMoves(child()), given);
  const { moveOrder } = ordersOf(asksOfMoves(child()));
  expect(capp.status?.migration?.lastMove).toMatchObject({
    to: 'site-2',
    verification: { key: moveOrder?.key, verdict: 'Failed' },
  });
  expect(capp.status?.verification).toMatchObject({ key: FAILED.key, site: 'site-1' });
  expect(memoryOf(capp).lastMove?.verification).toMatchObject({ key: moveOrder?.key, verdict: 'Failed' });
  expect(readState(JSON.parse(JSON.stringify(given)), 'capp/apps/app')?.lastMove).toEqual(given.lastMove);
  // Nothing is said of a move that was given up for something else.
  const late = abandoned(inMove(null), NOW, 'Failed');
  expect(late.lastMove).not.toHaveProperty('verification');
});
