// A Capp that its site refuses as another hub's goes to the next candidate, unless somebody has said where it
// is to be.
import { review } from '../../../workflows/placement/review.ts';
import type { PlacedInputs } from '../../../workflows/placement/inputs.ts';
import { aField, MEMBER, members, NOT_ASKED, reviewedAs, RULES } from '../../support/builders/placement.ts';
import { MINUTE, NOW } from '../../support/builders/states.ts';

const SAYS = 'Namespace team-a of a belongs to hub hub-b, whose Secrets are there.';
const REFUSED = { otherHub: SAYS };

function onA(plain: Partial<PlacedInputs> = {}): PlacedInputs {
  return { ...aField({ works: { a: { leaving: false } } }), present: 'a', ...plain };
}
const message = (inputs: PlacedInputs, rules = RULES): string =>
  review(inputs, { ...NOT_ASKED, ...REFUSED }, rules, NOW).message;

test.each(['Evacuate', 'Follow'] as const)(
  'with policy %s it goes, and the reason names the other hub',
  (policy) => {
    expect(reviewedAs(onA(), REFUSED, { policy })).toBe('OtherHub b');
    expect(message(onA(), { ...RULES, policy })).toBe(
      'a refuses the Capp (Namespace team-a of a belongs to hub hub-b, whose Secrets are there)',
    );
  },
);

test('nothing of it serves there, so that it waits for no cool-down', () => {
  const rules = { ...RULES, strategy: 'Recreate', cooldownMs: MINUTE } as const;
  expect(review(onA(), { ...NOT_ASKED, ...REFUSED }, rules, NOW)).toMatchObject({
    reason: 'OtherHub',
    terms: { cooldownMs: 0, strategy: 'Recreate' },
  });
});

test('without a refusal it stays', () => {
  expect(reviewedAs(onA())).toBe('stays NotMoving');
});

test('one that is pinned, or whose policy is Manual, stays, and says why', () => {
  const pinned = onA({ site: 'a', clusters: members('a', 'b') });
  expect(reviewedAs(pinned, { ...REFUSED, placedFor: 'a' })).toBe('stays Pinned');
  expect(review(pinned, { ...NOT_ASKED, ...REFUSED, placedFor: 'a' }, RULES, NOW).message).toBe(
    'spec.site names a, which refuses it (Namespace team-a of a belongs to hub hub-b, whose Secrets are there); the Capp stays. Change spec.site to move it.',
  );
  expect(reviewedAs(onA(), REFUSED, { policy: 'Manual' })).toBe('stays Manual');
  expect(message(onA(), { ...RULES, policy: 'Manual' })).toContain('hub hub-b');
});

test('also where no placement selects the site any more, and not before a lost site is one', () => {
  const deselected = onA({ byPlacement: { all: { clusters: ['b'], complete: true } } });
  expect(reviewedAs(deselected, REFUSED)).toBe('OtherHub b');
  const lost = onA({ clusters: { ...members('b', 'c'), a: { ...MEMBER, reachable: false } } });
  expect(reviewedAs(lost, REFUSED)).not.toContain('OtherHub');
});

test('a site that has refused it so is no candidate again; without one it says so and waits', () => {
  expect(reviewedAs(onA({ avoid: { b: NOW + MINUTE } }), REFUSED)).toBe('OtherHub c');
  const alone = onA({ avoid: { b: NOW + MINUTE, c: NOW + MINUTE } });
  expect(reviewedAs(alone, REFUSED)).toBe('OtherHub null');
  expect(message(alone)).toMatch(/hub hub-b.*\. No /);
});

test('also where spec.site was edited to a placement that selects its site', () => {
  const edited = onA({ site: 'all' });
  expect(reviewedAs(edited, { placedFor: '' })).toBe('stays NotMoving');
  expect(reviewedAs(edited, { ...REFUSED, placedFor: '' })).toBe('OtherHub b');
  const named = onA({ site: 'a', clusters: members('a', 'b') });
  expect(reviewedAs(named, { ...REFUSED, placedFor: '' })).toBe('stays Pinned');
});

test('an edit of spec.site moves it with policy Manual too, but not from the site that it names', () => {
  const manual = { policy: 'Manual' } as const;
  const edited = onA({ site: 'all' });
  expect(reviewedAs(edited, { ...REFUSED, placedFor: '' }, manual)).toBe('SiteEdited b');
  expect(
    review(edited, { ...NOT_ASKED, ...REFUSED, placedFor: '' }, { ...RULES, ...manual }, NOW).message,
  ).toBe(
    'spec.site asks for all, and a refuses the Capp (Namespace team-a of a belongs to hub hub-b, whose Secrets are there)',
  );
  expect(reviewedAs(edited, { placedFor: '' }, manual)).toBe('stays NotMoving');
  expect(reviewedAs(edited, { ...REFUSED, placedFor: 'all' }, manual)).toBe('stays Manual');
  const named = onA({ site: 'a', clusters: members('a', 'b') });
  expect(reviewedAs(named, { ...REFUSED, placedFor: '' }, manual)).toBe('stays Pinned');
});
