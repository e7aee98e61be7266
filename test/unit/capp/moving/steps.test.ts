// What an answer changes in the state: whose mirror users read, and how new the caches must be for the next
// choice.
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { afterChoice } from '../../../../workflows/capp/after/choice.ts';
import { afterMoveStep } from '../../../../workflows/capp/after/in-move.ts';
import { afterRetire } from '../../../../workflows/capp/after/removal.ts';
import { afterNews } from '../../../../workflows/capp/after/answer.ts';
import { publicationOf } from '../../../../workflows/capp/conditions/publication.ts';
import { afterApply } from '../../../../workflows/capp/after/apply.ts';
import type { Heard, VerdictNews } from '../../../../workflows/capp/listener.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import {
  aCopy,
  aFinding,
  aMove,
  anAnswer,
  applied as anApply,
  aPlacedState,
  MINUTE,
  NOW,
  stays,
} from '../../../support/builders/states.ts';

const STAMP = 'uid-1/1/hash/one';
const OTHER = 'uid-1/1/hash/two';
const serving = aPlacedState({}, {});
const moving = aPlacedState({
  move: aMove(),
  copies: { 'site-1': aCopy({ finding: aFinding() }), 'site-2': aCopy({ stamp: OTHER }) },
});
const news = (
  copy: { cluster?: string; stamp?: string },
  heard: Heard = { outcome: 'Answered', answer: anAnswer('Ready') },
): VerdictNews => ({ cluster: 'site-1', stamp: STAMP, ...copy, ...heard });

test.each<[string, boolean, State, VerdictNews]>([
  ['the serving copy', true, serving, news({})],
  [
    'a Capp of the same name on the same site, which another hub has shipped',
    false,
    serving,
    news({ stamp: 'uid-7/1/hash/one' }),
  ],
  [
    'a Capp of the same name on another site',
    false,
    serving,
    news({ cluster: 'site-2', stamp: 'uid-7/1/hash/one' }),
  ],
  ['an earlier work of the same Capp', false, serving, news({ stamp: 'uid-1/1/hash/zero' })],
  [
    'the new copy of a move, to which users are not sent yet',
    false,
    moving,
    news({ cluster: 'site-2', stamp: OTHER }),
  ],
  ['no agent, because none answered', false, serving, news({}, { outcome: 'Silent' })],
  ['no copy, because the site has it no more', false, serving, news({}, { outcome: 'Absent', gone: false })],
])('the mirror of %s is published: %s', (_name, shows, state, one) => {
  const publication = publicationOf(afterNews(state, one, NOW), {
    record: null,
    news: one,
    at: NOW,
    tellsFailure: true,
  })?.publication;
  expect(publication?.mirror ?? null).toEqual(shows ? anAnswer('Ready').mirror : null);
});

test.each([
  news({ stamp: 'uid-7/1/hash/one' }),
  news({ cluster: 'site-2' }),
  news({ cluster: 'site-2' }, { outcome: 'Silent' }),
])('an answer about another Capp of the same name changes nothing in the state: %j', (one) => {
  expect(afterNews(serving, one, NOW)).toEqual(serving);
});

test('after an apply has answered a ring, the ring’s minimum resource versions still hold for the next choice', () => {
  const heard = aPlacedState({ due: ['work'], ringsHeard: 2, minimumVersions: { ManifestWork: '7' } });
  const state = afterApply(heard, heard, { cluster: 'site-1', answer: anApply(), tellsFailure: true });
  expect(state).toMatchObject({ due: [], ringsAnswered: 2, minimumVersions: { ManifestWork: '7' } });
  const since = { ...state, minimumVersions: { ...state.minimumVersions, Capp: '9' } };
  expect(afterChoice(since, state, stays(), NOW).minimumVersions).toEqual({ Capp: '9' });
});

test('minimum resource versions that the caches do not reach within a minute are dropped, even if rings arrive meanwhile', () => {
  const minimumVersions = { ManifestWork: '7' };
  const refused = { reason: 'MissingReference', message: 'No Secret.' } as const;
  const state = aPlacedState({
    due: ['decision'],
    ringsReviewed: 0,
    refused,
    minimumVersions,
    backoff: { until: NOW + MINUTE, tries: 20, ringsHeard: 1 },
  });
  const first = afterChoice(state, state, { outcome: 'Behind' }, NOW);
  expect(nextStep(first, NOW)).toEqual({ do: 'rest', until: NOW + 200 });
  const later = { ...first, ringsHeard: 9 };
  const soon = afterChoice(later, later, { outcome: 'Behind' }, NOW + MINUTE - 1);
  const late = afterChoice(soon, soon, { outcome: 'Behind' }, NOW + MINUTE);
  expect([first.minimumVersions, soon.minimumVersions, late.minimumVersions]).toEqual([
    minimumVersions,
    minimumVersions,
    {},
  ]);
});

test('caches that lag are looked at every five seconds, and at once when what they lack counts as lost: no ring comes when they have caught up', () => {
  let state = aPlacedState({ due: ['decision'], ringsReviewed: 0, minimumVersions: { Drain: '7' } });
  const looks: number[] = [];
  for (let now = NOW; now < NOW + 2 * MINUTE;) {
    looks.push(now);
    state = afterChoice(state, state, { outcome: 'Behind' }, now);
    now = state.backoff?.until ?? Infinity;
  }
  const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
  const until = looks.findIndex((at) => at >= NOW + MINUTE);
  expect(Math.max(...gaps.slice(0, until))).toBe(5_000);
  expect(gaps[until]).toBe(200);
  expect(Math.max(...gaps.slice(until))).toBeGreaterThan(20_000);
});

test('at the end of a move, rings that only the old copy has not answered count as answered', () => {
  const there = aPlacedState({
    serving: 'site-2',
    move: aMove(),
    due: ['spec'],
    ringsHeard: 3,
    copies: { 'site-2': aCopy({ appliedAtRing: 3 }) },
  });
  expect(afterMoveStep(there, 'arrive', NOW)).toMatchObject({ due: ['decision'], move: null });
  const since = { ...there, ringsHeard: 4 };
  expect(afterMoveStep(since, 'arrive', NOW).due).toEqual(['spec', 'decision']);
});

test.each<[string, (state: State) => State]>([
  [
    'an apply',
    (state) =>
      afterApply(state, state, { cluster: 'site-1', answer: { outcome: 'Deleted' }, tellsFailure: true }),
  ],
  ['a choice', (state) => afterChoice(state, state, { outcome: 'Absent' }, NOW)],
])(
  'a Capp that %s finds deleted is retired at once, even while an earlier site is still removing its copy',
  (_what, found) => {
    const leaving = { 'site-2': { since: NOW, lookedAtRing: 1 } };
    const going = found(aPlacedState({ leaving, due: ['spec', 'meta', 'work'], ringsHeard: 4 }));
    expect(nextStep(going, NOW)).toEqual({ do: 'retire' });
    const asked = afterRetire(going, going, { outcome: 'Leaving', clusters: ['site-1', 'site-2'] }, NOW);
    expect(nextStep(asked, NOW)).toEqual({ do: 'rest', until: null });
  },
);

describe('a choice because a work is gone', () => {
  const both = {
    'site-1': aCopy({ finding: aFinding(), appliedAtRing: 2 }),
    'site-2': aCopy({ stamp: OTHER, appliedAtRing: 2 }),
  };
  const state = aPlacedState({ due: ['gone'], ringsHeard: 2, copies: both, move: aMove() });
  const look = (...clusters: string[]) => ({
    ...stays(),
    works: clusters.map((cluster) => ({ cluster, leaving: false })),
  });

  test('makes the work of a move’s new copy again', () => {
    const after = afterChoice(state, state, look('site-1'), NOW);
    expect(nextStep(after, NOW)).toEqual({ do: 'apply', cluster: 'site-2' });
    const answered = afterApply(after, after, {
      cluster: 'site-2',
      answer: anApply({ stamp: OTHER }),
      tellsFailure: true,
    });
    expect(answered).toMatchObject({ due: [], ringsAnswered: 2 });
  });

  test('applies nothing when all works of the wanted copies are there', () => {
    expect(afterChoice(state, state, look('site-1', 'site-2'), NOW)).toMatchObject({
      due: [],
      ringsAnswered: 2,
      copies: both,
    });
  });

  test('is the only one that makes works again, because a cache may not show yet a work that was just created', () => {
    const other = { ...state, due: ['decision'] as const };
    expect(afterChoice(other, other, look('site-1'), NOW)).toMatchObject({ due: [], copies: both });
  });
});

test('a choice after the backoff of a refused apply retries the apply, although that site has answered the ring', () => {
  const refused = { reason: 'Refused', message: '' } as const;
  const copies = { 'site-1': aCopy({ stamp: null, appliedAtRing: 2 }) };
  const state = aPlacedState({
    due: ['decision'],
    ringsHeard: 2,
    refused,
    backoff: { until: NOW, tries: 1, ringsHeard: 2 },
    copies,
  });
  expect(nextStep(afterChoice(state, state, stays(), NOW), NOW)).toEqual({ do: 'apply', cluster: 'site-1' });
});
