// The worst manifests that fit: as many and as large as an API server stores, in the Bundle itself and in
// what it reads.
import { carriedOf, type FoundManifest } from '../../../../../activities/hub/bundle/manifests/manifests.ts';
import { MOST_MANIFESTS } from '../../../../../crds/bundle/bundle.ts';
import { MANIFEST_LIMIT } from '../../../../../crds/ocm/work-size.ts';
import { timesAsLong } from '../../../../support/pace.ts';

const STORED = 1_500_000;

function found(values: readonly unknown[]): FoundManifest[] {
  return values.map((value, index) => ({ value, where: `spec.manifests[${index}]`, version: null }));
}

const named = (index: number, more: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'apps', name: `c-${index}`, ...more },
});
const each = (count: number, make: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Brackets in brackets, as deep as YAML may have them. */
function deep(depth: number): object {
  let inner: object = {};
  for (let left = depth; left > 0; left -= 1) inner = { a: inner };
  return inner;
}

const WORST: readonly [string, object[], RegExp][] = [
  ['thousands of manifests', each(20_000, (index) => named(index, {})), /more than the 250 allowed/],
  [
    'manifests that are far too large',
    each(MOST_MANIFESTS, (index) => ({
      ...named(index, {}),
      data: { a: 'x'.repeat(STORED / MOST_MANIFESTS) },
    })),
    /more than the 500 KiB/,
  ],
  [
    'one manifest twice at the end',
    [
      ...each(MOST_MANIFESTS - 1, (index) => named(index, { labels: { a: 'b'.repeat(1_000) } })),
      named(0, {}),
    ],
    /leave one of them out/,
  ],
  [
    'very many keys',
    [
      {
        ...named(0, {}),
        data: Object.fromEntries(each(40_000, (index) => [`k${index}`, 'v'] as never) as never),
      },
    ],
    /^$/,
  ],
  [
    'brackets in brackets',
    each(MOST_MANIFESTS, (index) => ({ ...named(index, {}), spec: deep(490) })),
    /^$|more than/,
  ],
];

test.each(WORST)('%s are checked in time that grows with their bytes', (_what, values, told) => {
  const given = found(values);
  const text = JSON.stringify(values);
  const answer = carriedOf(given);
  expect('message' in answer ? answer.message : '').toMatch(told);
  if ('message' in answer) expect(Buffer.byteLength(answer.message)).toBeLessThan(2_048);
  else
    expect(JSON.stringify(answer.carried.map(({ manifest }) => manifest)).length).toBeLessThan(
      MANIFEST_LIMIT + 65_536,
    );
  expect(
    timesAsLong(
      60,
      () => carriedOf(given),
      () => JSON.parse(text),
    ),
  ).toBeLessThan(60);
});
