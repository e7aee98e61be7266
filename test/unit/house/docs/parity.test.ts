// docs/parity.md names only existing tests and has every weakness once; every conformance case has a test.
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const page = read('docs/parity.md');
const rows = page.split('\n').filter((line) => /^\| W\d/.test(line));
const named = [...page.matchAll(/`((?:unit|activity|history|flow|e2e)\/[\w/-]+)` "([^"]+)"/g)].map(
  ([, file = '', title = '']) => [file, title] as const,
);

test('every weakness has one line, in order, with a test or the reason why it has none', () => {
  expect(rows.slice(0, 47).map((row) => row.split(' ')[1])).toEqual(
    Array.from({ length: 47 }, (_, index) => `W${index + 1}`),
  );
  expect(
    rows.filter(
      (row) => !/`(?:unit|activity|history|flow|e2e)\/[^`]+` "/.test(row) && !row.includes('| no test'),
    ),
  ).toEqual([]);
});

test.each(named)('%s has the test "%s"', (file, title) => {
  expect(read(`test/${file}.test.ts`)).toContain(title);
});

/**
 * The Go operator's cases: M, P, S and V from its end-to-end tests, U from its unit tests and those of its
 * add-on.
 */
const CASES = { M: 5, P: 4, S: 12, V: 11, U: 9 } as const;

test.each(Object.entries(CASES))(
  'each of the conformance cases %s-1 to -%d has a test with its id',
  (letter, count) => {
    const folder = 'test/e2e/conformance';
    const sources = readdirSync(new URL(`${folder}/`, ROOT)).map((file) => read(`${folder}/${file}`));
    const titles = sources.flatMap((source) =>
      [...source.matchAll(/(?:^\s*test\(|^\s*\[|\bid: )["']([A-Za-z]-\d+)/gm)].map(([, id = '']) =>
        id.toUpperCase(),
      ),
    );
    const ids = Array.from({ length: count }, (_, index) => `${letter}-${index + 1}`);
    expect(titles.filter((id) => id.startsWith(`${letter}-`)).toSorted()).toEqual(ids.toSorted());
  },
);
