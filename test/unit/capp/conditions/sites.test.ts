// What conditions say of sites: when an agent was last seen, and where a copy may still run.
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Leaving, Copy } from '../../../../workflows/types/copy.ts';
import { aFinding, aPlacedState, NOW } from '../../../support/builders/states.ts';

test.each<[Partial<Copy>, string]>([
  [{}, 'No agent on site-1 answers; last seen before 2026-03-01T12:00:00Z.'],
  [{ seenAt: NOW - 360_000 }, 'No agent on site-1 answers; last seen at 2026-03-01T11:54:00Z.'],
])('the Available condition says when a silent agent was last seen: %j', (copy, said) => {
  const conditions = conditionsOf(aPlacedState({}, { finding: aFinding(), silentSince: NOW, ...copy }), NOW);
  expect(conditions.find(({ type }) => type === 'Available')?.message).toContain(said);
});

test.each<[string, Leaving, string, string]>([
  [
    'unreachable',
    { since: NOW, lookedAtRing: 1, lost: 'Unreachable' },
    'SiteUnreachable',
    'Being deleted: site-1 cannot be reached and has not removed its copy. Wait until it returns. If it never will, abandon the copy that may still run there: kubectl -n apps annotate capp app --overwrite rcs.dana.io/abandon=site-1.',
  ],
  [
    'no managed cluster any more',
    { since: NOW, lookedAtRing: 1, lost: 'Gone' },
    'SiteUnreachable',
    expect.stringContaining('site-1 is no managed cluster any more'),
  ],
  [
    'abandoned but reachable',
    { since: NOW, lookedAtRing: 1, givenUp: true },
    'AbandonRefused',
    'Being deleted: site-1 can be reached and removes its copy itself, so annotation rcs.dana.io/abandon has no effect there.',
  ],
])(
  'the Ready condition of a deletion that waits for a site that is %s says so',
  (_name, leaving, reason, message) => {
    const [ready] = conditionsOf(
      aPlacedState({
        retiring: true,
        leaving: { 'site-1': leaving, 'site-2': { since: NOW, lookedAtRing: 1 } },
      }),
      NOW,
    );
    expect(ready).toMatchObject({ status: 'False', reason, message });
  },
);

test.each<[string, Partial<State>]>([
  ['The Capp stays on site-1.', {}],
  [
    'The Capp stays on site-1. A copy may still run on site-2, which has yet to remove it.',
    { leaving: { 'site-2': { since: NOW, lookedAtRing: 1 } } },
  ],
  [
    'The Capp stays on site-1. A copy may still run on site-2, which has yet to remove it. If it never returns, set annotation rcs.dana.io/abandon=site-2 to abandon that copy.',
    { leaving: { 'site-2': { since: NOW, lookedAtRing: 1 } }, unreachable: ['site-2'] },
  ],
])('the Migrating condition of a Capp that does not move says: %s', (message, state) => {
  expect(conditionsOf(aPlacedState(state), NOW).find(({ type }) => type === 'Migrating')?.message).toBe(
    message,
  );
});

test('the Ready condition of a deletion names the sites that have still to remove their copy', () => {
  const [ready] = conditionsOf(
    aPlacedState({ retiring: true, leaving: { 'site-1': { since: NOW, lookedAtRing: 1 } } }),
    NOW,
  );
  expect(ready?.message).toBe('Being deleted: site-1 still has to remove its copy.');
});
