// Which manifests a Bundle may hold, what is said of the others, and that a token tells nothing of a Secret.
import { carriedOf, documentsOf, type Found } from '../../../../activities/hub/bundle/manifests/manifests.ts';
import { aConfigMap, aDeployment } from '../../../support/builders/fleet/bundles.ts';

const found = (value: unknown, index = 0, version: string | null = null): Found => ({
  value,
  where: `spec.manifests[${index}]`,
  version,
});
const said = (...values: unknown[]): string => {
  const read = carriedOf(values.map((value, index) => found(value, index)));
  return 'reason' in read ? `${read.reason}: ${read.message}` : 'fine';
};

test.each<[string, unknown[], string]>([
  [
    'no object',
    ['text'],
    'Invalid: spec.manifests[0] is no Kubernetes object: write it with apiVersion, kind and metadata.name.',
  ],
  [
    'no kind',
    [{ apiVersion: 'v1', metadata: { name: 'a' } }],
    'Invalid: spec.manifests[0] has no apiVersion or no kind: write the whole object.',
  ],
  [
    'no name',
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } }],
    'Invalid: spec.manifests[0] is a ConfigMap without metadata.name: give it a name.',
  ],
  [
    'the same object twice',
    [aConfigMap(), aDeployment(), aConfigMap({ color: 'blue' })],
    'Invalid: spec.manifests[2] is ConfigMap apps/settings, as spec.manifests[0] is: leave one of them out.',
  ],
  [
    'one object in two versions',
    [{ ...aDeployment(), apiVersion: 'apps/v1beta1' }, aDeployment()],
    'Invalid: spec.manifests[1] is Deployment apps/web, as spec.manifests[0] is: leave one of them out.',
  ],
  [
    'a label that is a number',
    [{ ...aConfigMap(), metadata: { name: 'a', labels: { n: 1 } } }],
    'Invalid: spec.manifests[0] is ConfigMap a, with a value in metadata.labels that is no text: put it in quotes.',
  ],
  [
    'a Capp',
    [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', metadata: { name: 'a' } }],
    'Invalid: spec.manifests[0] is a Capp: create it on the hub, which places and moves it.',
  ],
  ['nothing', [], 'Invalid: The Bundle has no manifests: its ConfigMaps and Secrets hold no YAML document.'],
])('a Bundle with %s is refused with its place and the remedy', (_what, values, message) => {
  expect(said(...values)).toBe(message);
});

test('more than 500 KiB are refused with the largest manifests and no content', () => {
  const message = said(
    aConfigMap({ big: 'x'.repeat(400_000) }, 'a'),
    aConfigMap({ big: 'x'.repeat(200_000) }, 'b'),
  );
  expect(message).toContain('TooLarge: The manifests have 587 KiB, more than the 500 KiB');
  expect(message).toContain('ConfigMap apps/a (391 KiB), ConfigMap apps/b (196 KiB)');
  expect(message).not.toContain('xxx');
});

test('what an API server has written into a manifest is left out', () => {
  const read = carriedOf([
    found({
      ...aConfigMap(),
      metadata: { name: 'a', uid: '1', resourceVersion: '2', creationTimestamp: null },
      status: {},
    }),
  ]);
  expect(read).toMatchObject({ carried: [{ manifest: { metadata: { name: 'a' } } }] });
  expect(JSON.stringify(read)).not.toMatch(/uid|resourceVersion|creationTimestamp|status/);
});

test('a manifest has another token when it changes, and one that may be secret only when its version does', () => {
  const tokenOf = (value: unknown, version: string | null): string => {
    const read = carriedOf([found(value, 0, version)]);
    return 'reason' in read ? read.message : (read.carried[0]?.token ?? '');
  };
  expect(tokenOf(aConfigMap(), null)).toBe(tokenOf({ ...aConfigMap(), kind: 'ConfigMap' }, null));
  expect(tokenOf(aConfigMap(), null)).not.toBe(tokenOf(aConfigMap({ color: 'blue' }), null));
  expect(tokenOf(aConfigMap(), 'u/1')).toBe(tokenOf(aConfigMap({ color: 'blue' }), 'u/1'));
  expect(tokenOf(aConfigMap(), 'u/1')).not.toBe(tokenOf(aConfigMap(), 'u/2'));
});

test('a text of YAML documents gives each of them, those of a List one by one, and none for comments', () => {
  expect(documentsOf('a: 1\n---\n# nothing\n---\nkind: List\nitems: [{b: 2}, {c: 3}]\n')).toEqual([
    { a: 1 },
    { b: 2 },
    { c: 3 },
  ]);
  expect(documentsOf('')).toEqual([]);
});

test('a text that is no YAML, or that unfolds to very much, is unreadable', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
    .split('')
    .map(
      (one, index) =>
        `${one}: &${one} [${Array.from({ length: 9 }, () => `*${'abcdefg'[index]}`).join(',')}]`,
    )
    .join('\n')}`;
  expect(documentsOf('a: [1')).toBeNull();
  expect(documentsOf(bomb)).toBeNull();
});

test.each(['a: 1\na: 2', '{a: 1, a: 2}', 'b: {c: 1}\nd: [{e: 1, e: 1}]', 'a: 1\n"a": 2'])(
  'a key that stands twice in one map makes %j unreadable',
  (text) => {
    expect(documentsOf(text)).toBeNull();
    expect(documentsOf('a: {k: 1}\nb: {k: 1}\n---\na: 1')).toHaveLength(2);
  },
);

test('a thousand anchors and aliases are read, and one more is not', () => {
  const anchored = (many: number) => Array.from({ length: many }, (_, i) => `k${i}: &a${i} 1`).join('\n');
  expect(documentsOf(`${anchored(999)}\nlast: *a998`)).toHaveLength(1);
  expect(documentsOf(`${anchored(1000)}\nlast: *a998`)).toBeNull();
});

test.each<[string, (many: number) => string]>([
  ['keys', (many) => Array.from({ length: many }, (_, i) => `k${i}: 1`).join('\n')],
  ['keys in braces', (many) => `{${Array.from({ length: many }, (_, i) => `k${i}: 1`).join(', ')}}`],
  ['aliases', (many) => `a: &a 1\n${Array.from({ length: many }, (_, i) => `k${i}: *a`).join('\n')}`],
  ['documents', (many) => 'a: 1\n---\n'.repeat(many)],
])('four times as many %s are read with less than eight times the work', (_, textOf) => {
  leastWork(textOf(4000));
  expect(leastWork(textOf(20_000))).toBeLessThan(8 * leastWork(textOf(5000)));
});

/** Processor time in microseconds, the least of three runs: what else the machine does adds to it only. */
function leastWork(text: string): number {
  const runs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    documentsOf(text);
    return process.cpuUsage(before).user;
  });
  return Math.min(...runs);
}
