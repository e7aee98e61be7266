// What lies deeper than anything of Kubernetes is left out of each answer of an API server: nobody who walks
// through the rest runs out of stack.
import { isDeepStrictEqual } from 'node:util';
import { seenWork } from '../../../activities/hub/bundle/status/seen.ts';
import { canonical } from '../../../crds/digest.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import { DEEPEST, shallow } from '../../../kube/depth.ts';
import { openStream } from '../../../kube/watch/stream.ts';
import { timesAsLong } from '../../support/pace.ts';

const listsOf = (depth: number, inside = ''): string => '['.repeat(depth) + inside + ']'.repeat(depth);
const objectsOf = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
/** As deep as an API server takes (sigs.k8s.io/json). */
const TAKEN = 9_900;

test.each([
  ['lists', listsOf],
  ['objects', objectsOf],
])('%s as deep as that stay, and one more is null', (_, of) => {
  expect(shallow(of(DEEPEST))).toBe(of(DEEPEST));
  const cut = of(DEEPEST).replace(of === listsOf ? '[]' : '1', of === listsOf ? '[null]' : 'null');
  for (const depth of [DEEPEST + 1, DEEPEST + 2, TAKEN]) expect(shallow(of(depth))).toBe(cut);
});

test('what stands beside it stays, and brackets in texts are none', () => {
  const deep = listsOf(DEEPEST + 5, '"]}[{\\"]",{"x":[1]}');
  const text = `{"a":"${'['.repeat(2_000)}","b":[1,${deep},2,${deep},{"c":"]"}],"d":true}`;
  const kept = listsOf(DEEPEST - 2, 'null');
  expect(JSON.parse(shallow(text))).toEqual(
    JSON.parse(`{"a":"${'['.repeat(2_000)}","b":[1,${kept},2,${kept},{"c":"]"}],"d":true}`),
  );
});

test.each(['['.repeat(2_000), ']'.repeat(2_000), `${listsOf(900)}"`, `{"a":${listsOf(900)}`])(
  'what is no JSON is no JSON afterwards',
  (text) => {
    expect(() => JSON.parse(shallow(text)) as unknown).toThrow(SyntaxError);
  },
);

test('four times as much is looked through in some four times as long', () => {
  const of = (count: number) => `[${Array.from({ length: count }, () => objectsOf(300)).join(',')}]`;
  const [one, four] = [of(200), of(800)];
  expect(
    timesAsLong(
      12,
      () => shallow(four),
      () => shallow(one),
    ),
  ).toBeLessThan(12);
});

/** A work that a site has written into its namespace. */
const workOf = (deep: string): string =>
  `{"metadata":{"name":"w","namespace":"site-1","resourceVersion":"7"},"spec":{"workload":{"manifests":[{"kind":"X","deep":${deep}}]}}}`;

test('a watch in which a site has hidden depths goes on, and its work can be compared and noted', async () => {
  const line = `{"type":"MODIFIED","object":${workOf(listsOf(TAKEN))}}\n`;
  const bytes = { body: [new TextEncoder().encode(line)] };
  const transport = { open: () => Promise.resolve(bytes.body) } as never;
  const events: { object: ManifestWork }[] = [];
  const asked = { signal: new AbortController().signal, idleMs: 1_000 };
  for await (const event of openStream(transport, '/works', asked)) events.push(event as never);
  const [{ object } = { object: null as never }] = events;
  expect(seenWork(object as never).seen.content).toMatch(/^[0-9a-f]+$/);
  expect(isDeepStrictEqual(JSON.parse(JSON.stringify(object)), object)).toBe(true);
  expect(canonical(object)).toContain('"name":"w"');
});
