// The worst inventory that fits, at each hand through which it goes: the gateway and the site's workflow read
// it, and the hub worker compares it with what it has.
import { hubCompare } from '../../../activities/hub/site/compare.ts';
import { readInventory } from '../../../workflows/parse/inventory.ts';
import { stretches, type InventoryEntry } from '../../../workflows/types/ring.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { worstEntries } from '../../support/builders/fleet/worst.ts';
import { timesAsLong } from '../../support/pace.ts';

/** The most entries of one signal, and the bytes that the gateway lets through. */
const MOST = 2_000;
const BYTES = 1_048_576;

const stretch = (entries: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ entries, after: null, upTo: null, ...more });

/** So many as fill the bytes. */
function filled(make: (index: number) => unknown): unknown[] {
  const one = JSON.stringify(make(1_000_000)).length + 1;
  return Array.from({ length: Math.floor((BYTES - 100) / one) }, (_, index) => make(index));
}

function deep(depth: number): unknown {
  let inner: unknown = [];
  for (let left = depth; left > 0; left -= 1) inner = [inner];
  return inner;
}

const good = worstEntries(MOST);
const WORST: readonly [string, string, number | null][] = [
  ['as many entries as may be, with the longest names', stretch(good), MOST],
  ['one entry too many', stretch(worstEntries(MOST + 1)), null],
  ['entries of one byte', stretch(filled(() => 0)), null],
  ['entries without anything', stretch(filled(() => ({})).slice(0, MOST)), 0],
  [
    'one entry with very many fields',
    stretch([Object.fromEntries(filled((index) => [`k${index}`, 0] as never) as never)]),
    0,
  ],
  ['brackets in brackets', stretch([deep(3_000)]), 0],
  [
    'names of the whole length',
    stretch(good.slice(0, 4).map((one) => ({ ...one, name: 'a'.repeat(BYTES / 5) }))),
    0,
  ],
  [
    'names of dots and dashes',
    stretch(good.slice(0, 4).map((one) => ({ ...one, name: 'a.-'.repeat(BYTES / 15) }))),
    0,
  ],
  [
    'stamps of slashes',
    stretch(good.slice(0, 4).map((one) => ({ ...one, stamp: '/'.repeat(BYTES / 5) }))),
    0,
  ],
  ['a bound of the whole length', stretch([], { after: 'a'.repeat(BYTES - 100) }), null],
];

test.each(WORST)('%s: it is read in time that grows with its bytes', (_what, text, kept) => {
  expect(text.length).toBeLessThanOrEqual(BYTES);
  const value: unknown = JSON.parse(text);
  expect(readInventory(value)?.entries.length ?? null).toBe(kept);
  expect(
    timesAsLong(
      20,
      () => readInventory(value),
      () => JSON.parse(text),
    ),
  ).toBeLessThan(20);
});

test('what the gateway lets through has no more bytes than came', () => {
  expect(JSON.stringify(readInventory(JSON.parse(stretch(good)))).length).toBeLessThanOrEqual(
    stretch(good).length,
  );
});

test('it is split into stretches in time that grows with its entries, in whatever order they come', () => {
  const lies = good.toReversed();
  const few = lies.slice(0, MOST / 8);
  const cut = (entries: readonly InventoryEntry[]) => stretches({ entries, after: null, upTo: null }, 500);
  expect(
    timesAsLong(
      40,
      () => cut(lies),
      () => cut(few),
    ),
  ).toBeLessThan(40);
});

function hubWith(capps: number) {
  const all = worstEntries(capps).map(({ namespace, name, uid }) => ({
    ...aCapp({ namespace, name, uid }),
    status: { applicationLinks: { site: 'site-1' }, migration: { statusHash: 'other' } },
  }));
  const byName = new Map(all.map((capp) => [capp.metadata.name, capp]));
  return hubCompare({
    capps: { get: ({ name }: { name: string }) => byName.get(name), by: () => all } as never,
    works: { by: () => [] } as never,
  });
}

test('it is compared in time that grows with its entries and the Capps of its site', async () => {
  const [few, many] = [hubWith(1_000), hubWith(8_000)];
  // The cache answers at once, so that a comparison has done its work when it is called.
  const compare = (hub: ReturnType<typeof hubWith>, entries: readonly InventoryEntry[]) =>
    void hub.compare('site-1', { entries, after: null, upTo: null });
  expect(
    timesAsLong(
      40,
      () => compare(many, good),
      () => compare(few, good.slice(0, MOST / 8)),
    ),
  ).toBeLessThan(40);
  const { differing } = await many.compare('site-1', { entries: good, after: null, upTo: null });
  // Each Capp once, whatever the site says of it.
  expect(differing.length).toBe(8_000);
  expect(new Set(differing.map(({ name }) => name)).size).toBe(8_000);
});
