// What a Capp's workflow does next, for every state that it can be in.
import { nextStep, type Step } from '../../../../workflows/capp/decide/next-step.ts';
import type { Copy, State } from '../../../../workflows/capp/state.ts';
import {
  aCopy,
  aFinding,
  aMove,
  aPlacedState,
  aState,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';

const REST: Step = { do: 'rest', until: null };
const WATCH: Step = { do: 'watch', cluster: 'site-1', until: NOW + 9 * MINUTE };
const APPLY: Step = { do: 'apply', cluster: 'site-1' };
const REPORT: Step = { do: 'report', cluster: 'site-1' };

const backoff = { until: NOW + 1_000, tries: 1, ringsHeard: 1 };
const refused = { reason: 'MissingReference', message: 'The pod refers to Secret keys.' } as const;
const extra: Record<string, Copy> = { 'site-2': aCopy({ wanted: false, stamp: null }) };
const leaving = { 'site-3': { since: NOW - MINUTE, lookedAtRing: 1 } };

test.each<[string, Step, Partial<State>]>([
  ['a new one asks for a site', { do: 'choose' }, { due: ['spec'] }],
  ['one without a site waits for a ring', REST, { placing: { reason: 'NoDecision', message: '' } }],
  ['any cause is a reason to choose again', { do: 'choose' }, { due: ['dependency'] }],
  ['a backoff holds it back', { do: 'rest', until: NOW + 1_000 }, { due: ['decision'], backoff }],
  [
    'a look that could not be done is not done again at once',
    { do: 'rest', until: NOW + 1_000 },
    { due: ['decision'], backoff, refused, mayHaveWorks: true },
  ],
  ['a ring ends a backoff', { do: 'choose' }, { due: ['decision'], backoff, ringsHeard: 2 }],
  [
    'a backoff that is over is a reason to try again',
    { do: 'choose' },
    { backoff: { ...backoff, until: NOW } },
  ],
  ['a site without a copy is chosen anew', { do: 'choose' }, { serving: 'site-1', due: ['work'] }],
  ['one that is to go retires', { do: 'retire' }, { retiring: true }],
  ['one that is to go waits for its works', REST, { retiring: true, leaving }],
  ['a ring makes it look at its works again', { do: 'retire' }, { retiring: true, leaving, due: ['work'] }],
  ['a failed retirement pauses', { do: 'rest', until: NOW + 1_000 }, { retiring: true, backoff }],
  ['and is tried again', { do: 'retire' }, { retiring: true, leaving, backoff: { ...backoff, until: NOW } }],
])('without a copy, %s', (_name, step, state) => {
  expect(nextStep(aState(state), NOW)).toEqual(step);
});

test.each<[string, Step, Partial<State>, Partial<Copy>]>([
  ['a chosen site gets the Capp', APPLY, {}, { stamp: null, generation: 0 }],
  ['what could not be shipped waits for a change', REST, { refused }, { stamp: null }],
  ['what is paused waits for a change', REST, { paused: true }, { stamp: null }],
  ['a change of the Capp is shipped', APPLY, { due: ['spec'] }, { finding: aFinding() }],
  ['a change of what it refers to is shipped', APPLY, { due: ['dependency'] }, { finding: aFinding() }],
  ['a change comes before the news of the site', APPLY, { due: ['meta', 'site'] }, { finding: aFinding() }],
  [
    'a failed apply is tried again after its backoff',
    APPLY,
    { refused, backoff: { ...backoff, until: NOW } },
    {},
  ],
  [
    'a failed apply is tried again when somebody rings',
    APPLY,
    { refused, backoff, ringsHeard: 2, due: ['dependency'] },
    {},
  ],
  ['what was shipped is watched', WATCH, {}, {}],
  ['a failing rollout is watched until its deadline', WATCH, {}, { finding: aFinding('Failed') }],
  [
    'news of a watched site are left to the watch',
    WATCH,
    { due: ['site'] },
    { finding: aFinding('Progressing') },
  ],
  ['a Ready copy rests', REST, {}, { finding: aFinding() }],
  ['a rollout past its deadline rests', REST, {}, { deadline: NOW }],
  ['a silent agent is not waited for', REST, {}, { silentSince: NOW - MINUTE }],
  ['news of a Ready copy are asked for', REPORT, { due: ['site'] }, { finding: aFinding() }],
  ['news of a silent agent are asked for', REPORT, { due: ['site'] }, { silentSince: NOW - MINUTE }],
  [
    'news are asked for past the deadline',
    REPORT,
    { due: ['site'] },
    { deadline: NOW, finding: aFinding('Failed') },
  ],
  ['what runs is not watched while a newer generation is refused', REST, { refused }, {}],
  ['what runs is not watched while paused', REST, { paused: true }, {}],
])('with a copy, %s', (_name, step, state, copy) => {
  expect(nextStep(aPlacedState(state, copy), NOW)).toEqual(step);
});

test.each<[string, Step, Partial<State>, Partial<Copy>]>([
  ['an extra copy stays while the serving one is not Ready', WATCH, {}, {}],
  [
    'an extra copy goes when the serving one is Ready',
    { do: 'remove', clusters: ['site-2'] },
    {},
    { finding: aFinding() },
  ],
  [
    'an extra copy stays when the serving one failed',
    REST,
    {},
    { finding: aFinding('Failed'), deadline: NOW },
  ],
])('%s', (_name, step, state, copy) => {
  const placed = aPlacedState(state, copy);
  expect(nextStep({ ...placed, copies: { ...placed.copies, ...extra } }, NOW)).toEqual(step);
});

test.each<[string, boolean, Partial<State>, Partial<Copy>, Partial<Copy>]>([
  ['goes when another work stands', true, {}, {}, {}],
  ['stays while the serving one has never been shipped', false, {}, { stamp: null }, {}],
  [
    'stays while its site is out of reach: it may have come to serve',
    false,
    { unreachable: ['site-2'] },
    {},
    {},
  ],
  ['stays while its agent is silent', false, {}, {}, { silentSince: NOW }],
])('an extra copy that is known to be bad %s', (_what, removes, state, copy, extra) => {
  const bad = aCopy({ wanted: false, finding: aFinding('Failed'), ...extra });
  const placed = aPlacedState({ refused, ...state }, copy);
  expect(nextStep({ ...placed, copies: { ...placed.copies, 'site-2': bad } }, NOW).do === 'remove').toBe(
    removes,
  );
});

test('works that leave are looked at once for each ring', () => {
  expect(nextStep(aPlacedState({ leaving }), NOW)).toEqual(REST);
  expect(nextStep(aPlacedState({ leaving, ringsHeard: 2, ringsAnswered: 2 }), NOW)).toEqual({
    do: 'find',
    clusters: ['site-3'],
  });
});

test('what a site does not get is not shipped there again before the other site of the move has been asked', () => {
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

test('while it cannot be shipped where it is, it is found out whether an earlier copy has made room elsewhere', () => {
  const refusing = { backoff, refused, leaving: { 'site-3': { since: NOW - MINUTE, lookedAtRing: 0 } } };
  expect(nextStep(aPlacedState(refusing), NOW)).toEqual({ do: 'find', clusters: ['site-3'] });
  expect(nextStep(aPlacedState({ ...refusing, leaving }), NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
});

test('a copy that was given up before it was shipped does not hide that an earlier work on its site has gone', () => {
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
