// A Capp that is found frozen: what runs stays what it is, and a choice that nothing was shipped for does not outlive the freeze.
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import { isNowhere } from '../../../workflows/capp/decide/copies.ts';
import { withApplied } from '../../../workflows/capp/decide/after-apply.ts';
import { nextStep } from '../../../workflows/capp/decide/next-step.ts';
import type { Applied } from '../../../workflows/ports.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { aCopy, aFinding, aMove, aPlacedState, NOW } from '../../support/builders/states.ts';

const NOWHERE: Applied = { outcome: 'Paused', isThere: false, generation: 1, at: NOW };
const THERE: Applied = { ...NOWHERE, isThere: true };
const unshipped = aPlacedState({}, { stamp: null, generation: 0 });

const TERMS = { holdMs: 0, cooldownMs: 0, deadlineMs: 600_000, strategy: 'MakeBeforeBreak', inBulk: false } as const;
const LEAVE = {
  from: 'site-1',
  reason: 'Asked',
  message: 'you asked',
  to: 'site-2',
  terms: TERMS,
  priority: 0,
  since: NOW,
  lookedAt: NOW,
  permit: null,
} as const;

function said(state: State, type: string) {
  return conditionsOf(state, NOW).find((one) => one.type === type);
}

test('a site that was chosen before the freeze, and got nothing, is chosen anew when somebody lifts it', () => {
  const state = withApplied(unshipped, 'site-1', NOWHERE);
  expect(isNowhere(state)).toBe(true);
  expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: null });
  expect(nextStep({ ...state, due: ['meta'], ringsHeard: 2 }, NOW)).toEqual({ do: 'choose' });
});

test('a person’s request that was about to begin there is kept for the look after that', () => {
  const request = { source: 'signal', id: '1', to: 'site-2', by: 'you', why: '', force: false } as const;
  const state = withApplied({ ...unshipped, leave: { ...LEAVE, request } }, 'site-1', NOWHERE);
  expect(state).toMatchObject({ leave: null, request });
});

test('then works are looked for on all sites first: an earlier try may have made one', () => {
  expect(withApplied(unshipped, 'site-1', NOWHERE).mayHaveWorks).toBe(true);
});

test('its users read that it has no site yet, and how to give it one', () => {
  const message = expect.stringContaining('when annotation rcs.dana.io/paused is taken away');
  expect(said(withApplied(unshipped, 'site-1', NOWHERE), 'Placed')).toMatchObject({ status: 'False', reason: 'Paused', message });
});

test.each<[string, State, string, Applied]>([
  ['whose work is there, although nobody knows its stamp', unshipped, 'site-1', THERE],
  ['that was shipped, and whose work somebody has taken away', aPlacedState({}, { finding: aFinding() }), 'site-1', NOWHERE],
  [
    'that was about to move',
    aPlacedState({ move: aMove(), copies: { 'site-1': aCopy(), 'site-2': aCopy({ stamp: null }) } }),
    'site-2',
    NOWHERE,
  ],
])('a Capp %s keeps its site and all of its copies', (_which, before, cluster, answer) => {
  const state = withApplied(before, cluster, answer);
  expect(state).toMatchObject({ serving: 'site-1', paused: true, move: before.move });
  expect(Object.keys(state.copies)).toEqual(Object.keys(before.copies));
});
