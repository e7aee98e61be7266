// The worst questions that fit into a body: more fields than any object has, wherever they are. What reading
// and judging take is bounded before anything is read.
import { MOST_NOTES } from '../../../admission/longest.ts';
import { hasChanged } from '../../../admission/request.ts';
import { answer, readReview, requestOf } from '../../../admission/review.ts';
import { PATHS } from '../../../admission/router.ts';
import { DEEPEST, isTooHeavy, MOST_FIELDS } from '../../../admission/weight.ts';
import { CAPACITY } from '../../../workers/webhook/door/bodies.ts';
import { asked, judged, raw, said, WITH_DEFAULTS } from '../../support/builders/admission.ts';
import { fieldsOf, HEAVY } from '../../support/builders/heavy-questions.ts';
import { timesAsLong } from '../../support/pace.ts';

const whole = (path: string, text: string): string | null => {
  const review = readReview(text);
  if (review === null) return null;
  return JSON.stringify(answer(review, judged(path, requestOf(review), WITH_DEFAULTS)));
};

// Reading as many fields takes less than half of what one question may take.
test.each(Object.entries(HEAVY))(
  'a question with %s is answered in little more time than it takes to read it',
  (_what, [path, question]) => {
    const text = question(MOST_FIELDS - 100);
    expect(text.length).toBeLessThan(CAPACITY.largest);
    expect(whole(path, text)?.length).toBeLessThan(20_000);
    const times = timesAsLong(
      5,
      () => whole(path, text),
      () => JSON.parse(text),
    );
    expect(times).toBeLessThan(5);
  },
);

test.each(Object.entries(HEAVY))(
  'a question with more of %s is not read at all',
  (_what, [path, question]) => {
    const text = question(MOST_FIELDS + 100);
    expect(whole(path, text)).toBeNull();
    const times = timesAsLong(
      1,
      () => whole(path, text),
      () => JSON.parse(text),
    );
    expect(times).toBeLessThan(1);
  },
);

test('150,000 fields of a question are read, and of one more nothing', () => {
  expect(isTooHeavy(JSON.stringify(fieldsOf(150_000)))).toBe(false);
  expect(isTooHeavy(JSON.stringify(fieldsOf(150_001)))).toBe(true);
});

test('a spec that stays is compared once for all rules', () => {
  let reads = 0;
  const spec = Object.defineProperty({}, 'more', { enumerable: true, get: () => (reads += 1) });
  const request = asked({ spec }, { spec: { more: 1 } });
  expect([hasChanged(request, 'spec'), hasChanged({ ...request }, 'spec')]).toEqual([false, false]);
  expect(hasChanged(asked({ spec }, { spec: { more: 1 } }), 'spec')).toBe(true);
  expect(reads).toBe(2);
});

test('what is deeper than any object is not read, and what only looks like fields is', () => {
  const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
  expect([isTooHeavy(nested(DEEPEST)), isTooHeavy(nested(DEEPEST + 2))]).toEqual([false, true]);
  const text = `${'":{['.repeat(MOST_FIELDS)}\\`;
  expect(isTooHeavy(JSON.stringify({ [text]: text }))).toBe(false);
  expect(isTooHeavy(`{"a\\\\" : ${JSON.stringify(fieldsOf(MOST_FIELDS, 1))}}`)).toBe(true);
  expect(isTooHeavy('{"never ended')).toBe(false);
});

describe('labels and annotations that are more than any object has', () => {
  const [most, more] = [fieldsOf(MOST_NOTES), fieldsOf(MOST_NOTES + 1)];
  const paths = [PATHS.mutateCapp, PATHS.validateCapp, PATHS.validateClusterFacts, PATHS.mutateBundle];

  test.each(['labels', 'annotations'])('are refused before a rule looks at them: %s', (name) => {
    const refusal = `metadata.${name}: has ${MOST_NOTES + 1} fields, and they may have ${MOST_NOTES}: write fewer of them`;
    for (const path of paths) {
      expect(said(judged(path, asked(raw({}, { [name]: more }))).problems)).toEqual([refusal]);
      expect(judged(path, asked(raw({}, { [name]: most }))).problems).toEqual([]);
    }
  });

  test('may be taken away, and do not keep what is being deleted', () => {
    const before = raw({}, { annotations: more });
    expect(judged(PATHS.validateCapp, asked(raw({}), before)).problems).toEqual([]);
    const ending = raw({}, { annotations: more, deletionTimestamp: 'now' });
    expect(judged(PATHS.validateCapp, asked(ending, before)).problems).toEqual([]);
    expect(judged(PATHS.validateCapp, asked(ending, raw({}))).problems).toHaveLength(1);
  });

  test('keep nobody from another edit, and may be cut in steps', () => {
    const before = raw({}, { annotations: fieldsOf(2 * MOST_NOTES) });
    for (const annotations of [fieldsOf(2 * MOST_NOTES), more])
      expect(
        judged(PATHS.validateCapp, asked(raw({ state: 'disabled' }, { annotations }), before)).problems,
      ).toEqual([]);
  });

  test('of a cluster do not hide what it changes of its own', () => {
    const cluster = { username: 'system:open-cluster-management:site-1:agent' };
    const request = asked(raw({}, { labels: { region: 'eu' } }), raw({}, { labels: more }), cluster);
    expect(said(judged(PATHS.validateClusterFacts, request).problems).join()).toContain('labels[region]');
  });
});
