// Who follows is reviewed for as long as the stream goes on.
import { Refused } from '../../../reach/refusal.ts';
import { MOST_UNMADE, watchRights } from '../../../reach/rights.ts';
import { READER_TIMES } from '../../../reach/times.ts';
import { eventually } from '../../../testbed/eventually.ts';

/** Reviews that end so, one after the other; the last one for ever. */
function watched(...ends: readonly (Error | null)[]) {
  const ending = new AbortController();
  const errors: unknown[] = [];
  let made = 0;
  const review = async (): Promise<void> => {
    const end = ends[Math.min(made, ends.length - 1)] ?? null;
    made += 1;
    if (end !== null) throw end;
  };
  const over = watchRights({ review, onError: (error) => errors.push(error) }, ending, 1);
  return { ending, errors, over, made: () => made };
}

const NO = new Refused(403, 'no');
const UNMADE = new Error('the hub does not answer');

test('a stream ends with the refusal when the right is gone', async () => {
  const { ending, errors, over, made } = watched(null, null, NO);
  await over;
  expect(ending.signal.reason).toBe(NO);
  expect([made(), errors]).toEqual([3, []]);
});

test('the reviews are ten seconds apart, and three that cannot be made are too many', () => {
  expect([READER_TIMES.rights.ms, MOST_UNMADE]).toEqual([10_000, 3]);
});

test(`after ${MOST_UNMADE} reviews in a row that cannot be made, it ends too`, async () => {
  const { ending, errors, over, made } = watched(UNMADE, UNMADE, null, UNMADE);
  await over;
  expect(ending.signal.reason).toBe(UNMADE);
  expect([made(), errors.length]).toEqual([6, 5]);
});

test('reviews that cannot be made now and then end nothing, and those of an ended stream none', async () => {
  const { ending, over, made } = watched(UNMADE, UNMADE, null);
  await eventually(() => (made() > 10 ? true : undefined));
  expect(ending.signal.aborted).toBe(false);
  ending.abort();
  await over;
  const last = made();
  await eventually(() => (performance.now() > 0 ? true : undefined));
  expect(made()).toBe(last);
});
