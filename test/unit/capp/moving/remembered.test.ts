// A move to a site where the state still remembers a copy, whose work may have gone with the site: it is
// shipped there before anything rests on it.
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { begun, switched } from '../../../../workflows/capp/after/moving/moved.ts';
import {
  aCopy,
  aFinding,
  aLeave,
  aMove,
  aPlacedState,
  applied,
  NOW,
} from '../../../support/builders/states.ts';

const REMEMBERED = { 'site-2': aCopy({ wanted: false, finding: aFinding(), wasHealthy: true }) };
const FAILING = { finding: aFinding('Failed') };

const beginning = begun(
  aPlacedState({ copies: { 'site-1': aCopy(FAILING), ...REMEMBERED }, leave: aLeave() }),
  NOW,
);

test('users are sent to a remembered copy, which was healthy once, only when its work is there', () => {
  expect(nextStep(beginning, NOW)).toEqual({ do: 'apply', cluster: 'site-2' });
  const shipped = withApplied(beginning, 'site-2', applied({ created: false }));
  expect(nextStep(shipped, NOW)).toEqual({ do: 'switch' });
});

test('a remembered copy whose work has to be created again must become Ready as a new one', () => {
  const stamp = 'uid-1/1/hash/two';
  const shipped = withApplied(beginning, 'site-2', applied({ created: true, stamp }));
  expect(nextStep(shipped, NOW)).toMatchObject({ do: 'apply', cluster: 'site-1' });
  expect(shipped.copies['site-2']).toMatchObject({ finding: null, stamp });
});

test('with Recreate a move to a remembered copy ends when its work is there', () => {
  const moving = aPlacedState({ copies: REMEMBERED, move: aMove({ strategy: 'Recreate' }) });
  const sent = switched(moving);
  expect(nextStep(sent, NOW)).toEqual({ do: 'apply', cluster: 'site-2' });
  const shipped = withApplied(sent, 'site-2', applied({ created: false }));
  expect(nextStep(shipped, NOW)).toEqual({ do: 'arrive' });
});
