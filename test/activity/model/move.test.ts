// Every state of a small model of the move (docs/model.md): what is promised holds in each, and without one
// guard of the removal it does not.
import { join } from 'node:path';
import { debianProgram, type Runnable } from '../../../deploy/local/programs/debian.ts';
import { noProgress } from '../../../deploy/local/terminal.ts';
import { check } from '../../support/model/checker.ts';

const MODEL = join(import.meta.dirname, '../../model/move.pml');

let spin: Runnable;
beforeAll(async () => {
  spin = await debianProgram('spin', noProgress);
}, 300_000);

test.each([
  ['nothing fails', {}],
  ['copies fail and somebody deletes a work', { MOVES: 3, FAILURES: 2, HANDS: 1 }],
  ['a try of a removal is held up for as long as may be', { MOVES: 3, LATE: 1, FAILURES: 1 }],
  ['one is held up and somebody deletes a work', { MOVES: 3, LATE: 1, FAILURES: 1, HANDS: 1 }],
  ['somebody orders removals at will, and copies fail', { LIES: 2, FAILURES: 1 }],
  ['somebody orders removals at will, and deletes a work', { LIES: 1, HANDS: 1 }],
])('a move keeps its promises where %s', async (_world, settings) => {
  const { states, violated } = await check(spin, MODEL, settings);
  expect(violated).toBeNull();
  expect(states).toBeGreaterThan(1_000);
});

test.each([
  ['that the status says that the other copy serves', 'WITHOUT_STATUS', { LIES: 1 }],
  ['that the work that stays is there', 'WITHOUT_STAYING', { HANDS: 1 }],
  ['that it is the work that was looked at', 'WITHOUT_UID', { LATE: 1 }],
  ['that it is the work that was to go', 'WITHOUT_TARGET', { LATE: 1 }],
  ['that the new copy is Ready before users are sent there', 'WITHOUT_READY', {}],
  ['that the new copy is confirmed after users were sent there', 'WITHOUT_CONFIRMATION', { FAILURES: 1 }],
])('a move that does not check %s breaks a promise', async (_guard, guard, settings) => {
  const { violated } = await check(spin, MODEL, { ...settings, [guard]: '' });
  expect(violated).toMatch(/^assertion violated/);
});
