// What a Drain means: whether it keeps new Capps away, which Capps go first, and whether it is complete.
import { DRAIN_DEFINITION } from '../../../crds/definitions/definitions.ts';
import {
  DRAIN_LANES,
  DrainSpec,
  drainPriorityOf,
  isDraining,
  type Drain,
} from '../../../crds/drain/drain.ts';
import { isSettledDrain, type DrainStatus } from '../../../crds/drain/status.ts';
import { LANES } from '../../../workflows/drain/decide/width.ts';
import { readLanes } from '../../../workflows/drain/input.ts';

const drain = (spec: object = {}, metadata: object = {}): Drain => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Drain',
  metadata: { name: 'site-1', generation: 2, ...metadata },
  spec: DrainSpec.parse(spec),
});

describe('a Drain', () => {
  it('has the default lanes of the workflow when its spec is empty', () => {
    const { width, perTarget, ratePerSecond } = DrainSpec.parse({});
    expect({ width, perTarget, ratePerSecond }).toEqual(LANES);
  });

  it.each(Object.entries(DRAIN_LANES))(
    'has the same upper bound for %s as the workflow',
    (lane, { most }) => {
      expect(readLanes(LANES, { [lane]: most })).toMatchObject({ [lane]: most });
      expect(() => readLanes(LANES, { [lane]: most + 1 })).toThrow(`"${lane}" must be a whole number`);
      expect(DrainSpec.safeParse({ [lane]: most }).success).toBe(true);
      expect(DrainSpec.safeParse({ [lane]: most + 1 }).success).toBe(false);
    },
  );

  it('is refused with the bounds and an example when a number is out of bounds', () => {
    const text = JSON.stringify(DRAIN_DEFINITION);
    for (const message of [
      'must be a whole number from 1 to 1000, such as 50',
      'must be a whole number from 1 to 500, such as 25',
      'must be a whole number from -1000 to 1000, such as 10',
    ])
      expect(text).toContain(message);
  });

  it.each<[string, Drain, boolean]>([
    ['that is active', drain(), true],
    ['that is paused', drain({ paused: true }), true],
    ['that only plans', drain({ dryRun: true }), false],
    ['that is being deleted', drain({}, { deletionTimestamp: '2026-03-01T12:00:00Z' }), false],
  ])('%s keeps new Capps away or not, by its spec: %#', (_title, one, isSo) => {
    expect(isDraining(one)).toBe(isSo);
  });
});

test('the priority of a Capp in a drain is that of its own entry, else that of its namespace, else its own', () => {
  const spec = DrainSpec.parse({
    priorities: [
      { namespace: 'shop', priority: 5 },
      { namespace: 'shop', name: 'till', priority: 9 },
    ],
  });
  expect(drainPriorityOf(spec, { namespace: 'shop', name: 'till' })).toBe(9);
  expect(drainPriorityOf(spec, { namespace: 'shop', name: 'cart' })).toBe(5);
  expect(drainPriorityOf(spec, { namespace: 'bank', name: 'till' })).toBeNull();
  expect(drainPriorityOf({}, { namespace: 'shop', name: 'till' })).toBeNull();
});

describe('a Drain is settled', () => {
  const complete = (status: 'True' | 'False', observedGeneration = 2): DrainStatus => ({
    observedGeneration,
    conditions: [
      { type: 'Complete', status, reason: 'Done', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' },
    ],
  });
  it.each<[string, DrainStatus | undefined, boolean]>([
    ['not before it has a status', undefined, false],
    ['not while it is in progress', complete('False'), false],
    ['not when its spec was edited since', complete('True', 1), false],
    ['when it is complete', complete('True'), true],
  ])('%s', (_title, status, isSo) => {
    expect(isSettledDrain({ ...drain(), ...(status === undefined ? {} : { status }) })).toBe(isSo);
  });
});
