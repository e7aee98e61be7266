// What a Capp's workflow does next in each state.
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Copy } from '../../../../workflows/types/copy.ts';
import {
  aCopy,
  aFinding,
  aMove,
  aPlacedState,
  aState,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';

const REST: NextStep = { do: 'rest', until: null };
const WATCH: NextStep = { do: 'watch', cluster: 'site-1', until: NOW + 9 * MINUTE };
const APPLY: NextStep = { do: 'apply', cluster: 'site-1' };
const REPORT: NextStep = { do: 'report', cluster: 'site-1' };

const backoff = { until: NOW + 1_000, tries: 1, ringsHeard: 1 };
const refused = { reason: 'MissingReference', message: 'The pod refers to Secret keys.' } as const;
const extra: Record<string, Copy> = { 'site-2': aCopy({ wanted: false, stamp: null }) };
const leaving = { 'site-3': { since: NOW - MINUTE, lookedAtRing: 1 } };

test.each<[string, NextStep, Partial<State>]>([
  ['a new Capp asks for a site', { do: 'choose' }, { due: ['spec'] }],
  [
    'a Capp for which no site was found waits for a ring',
    REST,
    { placing: { reason: 'NoDecision', message: '' } },
  ],
  ['a ring of any cause makes the workflow choose again', { do: 'choose' }, { due: ['dependency'] }],
  [
    'the next choice waits for the end of the backoff',
    { do: 'rest', until: NOW + 1_000 },
    { due: ['decision'], backoff },
  ],
  [
    'a choice that failed after a refused apply waits for the end of the backoff too',
    { do: 'rest', until: NOW + 1_000 },
    { due: ['decision'], backoff, refused, mayHaveWorks: true },
  ],
  ['a ring ends the backoff', { do: 'choose' }, { due: ['decision'], backoff, ringsHeard: 2 }],
  [
    'the workflow chooses again when the backoff is over',
    { do: 'choose' },
    { backoff: { ...backoff, until: NOW } },
  ],
  ['a site on which there is no copy is chosen anew', { do: 'choose' }, { serving: 'site-1', due: ['work'] }],
  ['a Capp that is being deleted removes its works', { do: 'retire' }, { retiring: true }],
  [
    'a Capp that is being deleted waits for the works that are still there',
    REST,
    { retiring: true, leaving },
  ],
  [
    'a ring makes a Capp that is being deleted look at its works again',
    { do: 'retire' },
    { retiring: true, leaving, due: ['work'] },
  ],
  [
    'a retirement that failed waits for the end of its backoff',
    { do: 'rest', until: NOW + 1_000 },
    { retiring: true, backoff },
  ],
  [
    'a retirement that failed is retried when its backoff is over',
    { do: 'retire' },
    { retiring: true, leaving, backoff: { ...backoff, until: NOW } },
  ],
])('without a copy, %s', (_name, step, state) => {
  expect(nextStep(aState(state), NOW)).toEqual(step);
});

test.each<[string, NextStep, Partial<State>, Partial<Copy>]>([
  ['the work is applied to a site that was just chosen', APPLY, {}, { stamp: null, generation: 0 }],
  ['a refused apply that never succeeded waits for a change', REST, { refused }, { stamp: null }],
  ['a paused Capp that was never applied waits for a change', REST, { paused: true }, { stamp: null }],
  ['a change of the Capp is applied', APPLY, { due: ['spec'] }, { finding: aFinding() }],
  [
    'a change of a Secret or ConfigMap that it refers to is applied',
    APPLY,
    { due: ['dependency'] },
    { finding: aFinding() },
  ],
  [
    'a change is applied before the agent is asked for news',
    APPLY,
    { due: ['meta', 'site'] },
    { finding: aFinding() },
  ],
  [
    'a refused apply is retried after its backoff',
    APPLY,
    { refused, backoff: { ...backoff, until: NOW } },
    {},
  ],
  [
    'a refused apply is retried when a ring arrives',
    APPLY,
    { refused, backoff, ringsHeard: 2, due: ['dependency'] },
    {},
  ],
  ['the agent is asked to await the verdict on what was applied', WATCH, {}, {}],
  ['a failing rollout is watched until its deadline', WATCH, {}, { finding: aFinding('Failed') }],
  [
    'a ring of a site that is being watched starts no second question',
    WATCH,
    { due: ['site'] },
    { finding: aFinding('Progressing') },
  ],
  ['the workflow rests when the copy is Ready', REST, {}, { finding: aFinding() }],
  ['the workflow rests when the rollout has passed its deadline', REST, {}, { deadline: NOW }],
  ['the workflow does not wait for a silent agent', REST, {}, { silentSince: NOW - MINUTE }],
  [
    'a ring of the site makes the workflow ask for news of a Ready copy',
    REPORT,
    { due: ['site'] },
    { finding: aFinding() },
  ],
  [
    'a ring of the site makes the workflow ask an agent that was silent',
    REPORT,
    { due: ['site'] },
    { silentSince: NOW - MINUTE },
  ],
  [
    'a ring of the site makes the workflow ask for news after the deadline',
    REPORT,
    { due: ['site'] },
    { deadline: NOW, finding: aFinding('Failed') },
  ],
  ['the running copy is not watched while a newer generation is refused', REST, { refused }, {}],
  ['the running copy is not watched while the Capp is paused', REST, { paused: true }, {}],
])('with a serving copy, %s', (_name, step, state, copy) => {
  expect(nextStep(aPlacedState(state, copy), NOW)).toEqual(step);
});

test.each<[string, NextStep, Partial<State>, Partial<Copy>]>([
  ['an extra copy stays while the serving copy is not Ready', WATCH, {}, {}],
  [
    'an extra copy is removed when the serving copy is Ready',
    { do: 'remove', clusters: ['site-2'] },
    {},
    { finding: aFinding() },
  ],
  [
    'an extra copy stays when the serving copy failed',
    REST,
    {},
    { finding: aFinding('Failed'), deadline: NOW },
  ],
])('%s', (_name, step, state, copy) => {
  const placed = aPlacedState(state, copy);
  expect(nextStep({ ...placed, copies: { ...placed.copies, ...extra } }, NOW)).toEqual(step);
});

test.each<[string, boolean, Partial<State>, Partial<Copy>, Partial<Copy>]>([
  ['is removed when the serving copy has a work', true, {}, {}, {}],
  ['stays while the serving copy was never applied', false, {}, { stamp: null }, {}],
  [
    'stays while its site is unreachable, because it may have become healthy',
    false,
    { unreachable: ['site-2'] },
    {},
    {},
  ],
  ['stays while the agent of its site is silent', false, {}, {}, { silentSince: NOW }],
])('an extra copy that failed %s', (_what, removes, state, copy, extra) => {
  const bad = aCopy({ wanted: false, finding: aFinding('Failed'), ...extra });
  const placed = aPlacedState({ refused, ...state }, copy);
  expect(nextStep({ ...placed, copies: { ...placed.copies, 'site-2': bad } }, NOW).do === 'remove').toBe(
    removes,
  );
});

test('works that are being deleted are looked for once per ring', () => {
  expect(nextStep(aPlacedState({ leaving }), NOW)).toEqual(REST);
  expect(nextStep(aPlacedState({ leaving, ringsHeard: 2, ringsAnswered: 2 }), NOW)).toEqual({
    do: 'find',
    clusters: ['site-3'],
  });
});

test('during a move, an apply that one site refused is not retried before the other site has got the change', () => {
  const copies = {
    'site-1': aCopy({ finding: aFinding(), appliedAtRing: 1 }),
    'site-2': aCopy({ stamp: null, generation: 0, appliedAtRing: 2 }),
  };
  const state = aPlacedState({
    due: ['dependency'],
    ringsHeard: 2,
    ringsReviewed: 2,
    refused,
    copies,
    move: aMove(),
  });
  expect(nextStep(state, NOW)).toEqual(APPLY);
});

test('while applies to its site are refused, the workflow still looks whether another site has removed an earlier copy', () => {
  const refusing = { backoff, refused, leaving: { 'site-3': { since: NOW - MINUTE, lookedAtRing: 0 } } };
  expect(nextStep(aPlacedState(refusing), NOW)).toEqual({ do: 'find', clusters: ['site-3'] });
  expect(nextStep(aPlacedState({ ...refusing, leaving }), NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
});

test('an extra copy that was never applied does not keep the workflow from looking for an earlier work on its site', () => {
  const left = { ringsHeard: 2, leaving: { 'site-2': { since: NOW - MINUTE, lookedAtRing: 1 } } };
  const beside = (copy: Copy): State => ({
    ...aPlacedState(left),
    copies: { 'site-1': aCopy(), 'site-2': copy },
  });
  expect(nextStep(beside(aCopy({ wanted: false, stamp: null })), NOW)).toEqual({
    do: 'find',
    clusters: ['site-2'],
  });
  expect(nextStep(beside(aCopy({ wanted: false })), NOW)).toEqual(WATCH);
});
