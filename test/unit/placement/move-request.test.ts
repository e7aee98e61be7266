// What a move request changes about whether a Capp stays on its site.
import { review } from '../../../workflows/placement/review.ts';
import type { PlacedInputs } from '../../../workflows/placement/inputs.ts';
import type { Request } from '../../../workflows/types/moves.ts';
import { MEMBER, NOT_ASKED, RULES, aStrayField, reviewedAs } from '../../support/builders/placement.ts';
import { NOW } from '../../support/builders/states.ts';

type Placed = PlacedInputs;

/** By annotation, unless said otherwise. */
function aRequest(to: string | null, source: Request['source'] = 'migrate'): Request {
  return { source, id: 'request-1', to, by: 'you', why: '', force: false };
}

const LOST = { reachable: false };

describe('a move request', () => {
  test.each<[string, string | null, Partial<Placed>, string]>([
    ['for a site', 'c', {}, 'Asked c'],
    ['for any other site', null, {}, 'Asked b'],
    ['for the site that the Capp is on', 'a', {}, 'stays NotSelected AlreadyThere'],
    ['for a site that does not exist', 'nowhere', {}, 'stays NotSelected UnknownSite'],
    [
      'for a site that may not be named',
      'c',
      { clusters: { a: MEMBER, b: MEMBER, c: { ...MEMBER, mayPin: false } } },
      'stays NotSelected PinRefused',
    ],
    ['for the hub', 'hub', {}, 'stays NotSelected SelfManaged'],
    ['against spec.site', 'c', { site: 'a' }, 'stays NotMoving Pinned'],
    [
      'for a site where a work of the Capp is being deleted',
      'c',
      { works: { a: { leaving: false }, c: { leaving: true } } },
      'stays NotSelected StillLeaving',
    ],
    [
      'for any other site while the only one still removes an earlier copy',
      null,
      { works: { a: { leaving: false }, b: { leaving: true } } },
      'stays NotSelected StillLeaving',
    ],
    ['for a site that failed the Capp a while ago', 'c', { avoid: { c: NOW + 1 } }, 'Asked c'],
    [
      'for any other site while all others are avoided',
      null,
      { avoid: { b: NOW + 1 } },
      'stays NotSelected NoCandidate',
    ],
  ])('%s gets its answer', (_name, to, plain, expected) => {
    const inputs = aStrayField({}, plain);
    const reviewed = review(
      inputs,
      { ...NOT_ASKED, placedFor: inputs.site, request: aRequest(to) },
      RULES,
      NOW,
    );
    const refusal = reviewed.handled?.outcome === 'Refused' ? ` ${reviewed.handled.reason}` : '';
    expect(reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}${refusal}`).toBe(
      expected,
    );
  });

  test.each<[string, string | null, Partial<Placed>, string]>([
    ['for a site that a placement has decided for', 'b', {}, 'Asked b'],
    ['for any other site', null, {}, 'Asked b'],
    ['for a site that no placement has decided for', 'c', {}, 'stays NotSelected NoDecision'],
    ['for a site that does not exist', 'nowhere', {}, 'stays NotSelected UnknownSite'],
    [
      'for a site that another placement than the one in spec.site has decided for',
      'c',
      {
        site: 'all',
        placements: ['all', 'others'],
        byPlacement: {
          all: { clusters: ['a', 'b'], complete: true },
          others: { clusters: ['c'], complete: true },
        },
      },
      'stays NotMoving NoDecision',
    ],
  ])('by a message to Temporal %s gets its answer', (_name, to, plain, expected) => {
    const inputs = aStrayField({}, plain);
    for (const source of ['signal', 'update'] as const) {
      const history = { ...NOT_ASKED, placedFor: inputs.site, request: aRequest(to, source) };
      const reviewed = review(inputs, history, RULES, NOW);
      const refusal = reviewed.handled?.outcome === 'Refused' ? ` ${reviewed.handled.reason}` : '';
      expect(reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}${refusal}`).toBe(
        expected,
      );
    }
  });

  test('by a message that no placement supports is told how to ask with the rights of a user of Kubernetes', () => {
    const history = { ...NOT_ASKED, request: aRequest('c', 'signal') };
    expect(review(aStrayField(), history, RULES, NOW).handled?.message).toContain(
      'kubectl capp move <name> c, or annotation rcs.dana.io/migrate=c#<new word>',
    );
  });

  test('is granted under policy Manual, at once and without a turn', () => {
    const reviewed = review(
      aStrayField(),
      { ...NOT_ASKED, request: aRequest('c') },
      { ...RULES, policy: 'Manual' },
      NOW,
    );
    expect(reviewed).toMatchObject({
      goes: true,
      to: 'c',
      terms: { holdMs: 0, cooldownMs: 0, inBulk: false },
    });
  });

  test('keeps the Capp on the requested site, even if the decisions no longer contain it', () => {
    expect(reviewedAs(aStrayField(), { pin: 'a' }, { policy: 'Follow' })).toBe('stays NotSelected');
    expect(reviewedAs(aStrayField(LOST), { pin: 'a' }, { policy: 'Follow' })).toBe('SiteLost b');
  });
});
