// A site may write the status and the spec of the works in its cluster's namespace: as much as an API server
// stores, with the worst texts in it. The hub worker looks at each change of a Bundle's work.
import { refusalOf } from '../../../../../activities/hub/bundle/status/refusals.ts';
import { seenOf } from '../../../../../activities/hub/bundle/status/seen.ts';
import { LONGEST_MESSAGE, MOST_FAILING } from '../../../../../crds/bundle/status.ts';
import type { ManifestWork } from '../../../../../crds/ocm/ocm.ts';
import { MANIFEST_LIMIT } from '../../../../../crds/ocm/work-size.ts';
import { timesAsLong } from '../../../../support/pace.ts';

/** Of a condition, as OCM's CRD has it. */
const LONGEST_TOLD = 32_768;

const idOf = (index: number) => ({
  group: 'apps',
  resource: 'deployments',
  namespace: 'shop',
  name: `app-${index}`,
});

/** A work that says of `count` objects what `conditions` gives. */
function told(count: number, conditions: (index: number) => readonly object[]): ManifestWork {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const rules = [{ condition: 'Ready', type: 'CEL', celExpressions: ['true'] }];
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { namespace: 'site-1', name: 'bundle', generation: 1 },
    spec: {
      workload: { manifests: [] },
      manifestConfigs: indexes.map((index) => ({ resourceIdentifier: idOf(index), conditionRules: rules })),
    },
    status: {
      conditions: [{ type: 'Applied', status: 'True', observedGeneration: 1 }],
      resourceStatus: {
        manifests: indexes.toReversed().map((index) => ({
          resourceMeta: { ...idOf(index), kind: 'Deployment' },
          conditions: conditions(index),
        })),
      },
    },
  } as unknown as ManifestWork;
}

const condition = (type: string, status: string, message = '') => ({
  type,
  status,
  message,
  observedGeneration: 1,
});
const applied = () => [condition('Applied', 'True'), condition('Available', 'True')];
const refused = (message: string) => () => [condition('Applied', 'False', message)];
const long = (text: string): string => text.repeat(LONGEST_TOLD / text.length);

test.each<[string, ManifestWork]>([
  ['thousands of objects', told(3_000, applied)],
  [
    'thousands of objects under other names',
    told(3_000, (index) => applied().map((one) => ({ ...one, index }))),
  ],
  ['refusals in one word', told(40, refused(`${long('a')} Invalid value`))],
  ['refusals of many paths', told(40, refused(`${long('a.b[0] ')} Invalid value`))],
  ['refusals that are tried again and again', told(40, refused(long(', will try again in ')))],
  ['refusals that nearly name a field', told(40, refused(`${long('a: Too ')}strict decoding`))],
  ['thousands of webhooks that do not answer', told(3_000, refused('failed calling webhook "a.b"'))],
  ['webhooks that nearly have a name', told(40, refused(long(`failed calling webhook "${'a'.repeat(101)}`)))],
  [
    'rules without an answer',
    told(40, () => [...applied(), condition('Ready', 'False', long('ERROR: <input>:1'))]),
  ],
])('a work with %s is seen in time that grows with its bytes', (_what, work) => {
  const text = JSON.stringify(work);
  const { problems } = seenOf(work);
  expect(problems.length).toBeLessThanOrEqual(MOST_FAILING);
  for (const { message = '' } of problems)
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(LONGEST_MESSAGE);
  expect(
    timesAsLong(
      30,
      () => seenOf(work),
      () => JSON.parse(text),
    ),
  ).toBeLessThan(30);
});

test('what a refusal names is still named', () => {
  const said =
    'Failed to apply manifest: Deployment.apps "web" is invalid: spec.template.spec.containers[0].image: Required value, metadata.labels[a/b]: Invalid value: "s3cr3t", will try again in 1s';
  expect(refusalOf({ kind: 'Deployment', name: 'web' }, said).message).toBe(
    "The site's API server refuses it: spec.template.spec.containers[0].image: Required, metadata.labels[a/b]: Invalid. The status of the ManifestWork has its words. Write each field that is required.",
  );
});

test('a Bundle fails with those that fail for good, however many others wait before them', () => {
  const { state, problems } = seenOf(
    told(100, (index) => [
      condition('Applied', 'True'),
      condition('Available', 'True'),
      index === 0
        ? {
            ...condition('Ready', 'False'),
            reason: 'ConditionRuleExpressionError',
            message: 'ERROR: <input>:1:2: x',
          }
        : condition('Ready', 'False'),
    ]),
  );
  expect({ state, most: problems.length }).toEqual({ state: 'Failed', most: MOST_FAILING });
  expect(problems[0]?.reason).toBe('BadRule');
});

test('manifests that are more than a work brings are not put in order, and are not what was written', () => {
  const carrying = (bytes: number): ManifestWork => {
    const manifest = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, text: 'x'.repeat(bytes) };
    return { metadata: { name: 'w', namespace: 'site-1' }, spec: { workload: { manifests: [manifest] } } };
  };
  expect(seenOf(carrying(MANIFEST_LIMIT - 1_000)).content).toMatch(/^[0-9a-f]+$/);
  expect(seenOf(carrying(MANIFEST_LIMIT))).toMatchObject({ content: '', revision: null });
});
