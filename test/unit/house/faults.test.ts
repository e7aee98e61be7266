// Each fault in docs/faults.md says how it was found, and names a test that exists or the reason why it has
// none.
import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const page = read('docs/faults.md');
const [head = '', ...groups] = page.split('\n## ');
const WAYS = new Set([...head.matchAll(/^\| ([a-z ]+) \| .+ \|$/gm)].map(([, way]) => way));
const rows = groups.flatMap((group) =>
  group.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what went wrong |')),
);

const NO_TEST = /^no test: .{20,}$/;
const NAMED = /`(test\/[\w./-]+\.ts)` "([^"]+)"/g;

/** What is wrong with a test that a row names, or null. The title is a whole text in the file's source. */
function wrongWith(file: string, title: string): string | null {
  if (!existsSync(new URL(file, ROOT))) return `there is no file ${file}`;
  const source = read(file);
  const isThere = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
  return isThere ? null : `${file} has no title "${title}"`;
}

/** What is wrong with a row of the page, each with the row's own words before it. */
function problemsOf(row: string): string[] {
  const [, fault = '', way = '', protection = ''] = /^\| (.+\.) \| ([^|]*) \| (.*) \|$/.exec(row) ?? [];
  const named = [...protection.matchAll(NAMED)].map(([, file = '', title = '']) => wrongWith(file, title));
  const rest = protection.replaceAll(NAMED, '').replaceAll(', ', '');
  const problems = [
    fault === '' ? 'it has no sentence, way and test in three cells' : null,
    WAYS.has(way) ? null : `the page does not explain "${way}"`,
    named.length === 0 && !NO_TEST.test(protection) ? 'it has neither a test nor a reason' : null,
    named.length > 0 && rest !== '' ? `this is no test: ${rest}` : null,
    ...named,
  ];
  return problems.filter((problem) => problem !== null).map((problem) => `${fault || row} ${problem}`);
}

test('each table of the page has a head, without which it would be no table', () => {
  const heads = page.match(/^\| what went wrong \|.+\n\|---\|---\|---\|$/gm) ?? [];
  expect(heads).toHaveLength(page.match(/^\|---\|---\|---\|$/gm)?.length ?? 0);
});

test('each fault says how it was found, and has a test that exists or the reason why it has none', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.flatMap(problemsOf)).toEqual([]);
});

const OURS = '`test/unit/house/faults.test.ts`';

test.each([
  ['without a way', `| It fell. |  | ${OURS} "no fault is on the page twice" |`, 'does not explain ""'],
  ['with a way of its own', `| It fell. | luck | ${OURS} "no fault is on the page twice" |`, '"luck"'],
  ['without a test', '| It fell. | use |  |', 'neither a test nor a reason'],
  ['with a reason of no words', '| It fell. | use | no test: yet |', 'neither a test nor a reason'],
  ['whose file is gone', '| It fell. | use | `test/gone.test.ts` "it stays" |', 'no file test/gone.test.ts'],
  [
    'with half of a title',
    '| It fell. | use | `test/unit/house/packages.test.ts` "every command that" |',
    'has no title',
  ],
  [
    'with a file alone',
    `| It fell. | use | ${OURS} "no fault is on the page twice", ${OURS} |`,
    'is no test',
  ],
  ['with two cells', '| It fell. | use |', 'in three cells'],
])('a row %s is refused, and named', (_what, row, problem) => {
  expect(problemsOf(row).join('\n')).toContain(problem);
  expect(problemsOf(row).join('\n')).toContain('It fell.');
});

test('no fault is on the page twice', () => {
  const faults = rows.map((row) => row.split(' | ')[0]);
  expect(faults.filter((fault, index) => faults.indexOf(fault) !== index)).toEqual([]);
});

test('the page says how many faults it has, and how many have a test and have none', () => {
  const without = rows.filter((row) => row.includes(' | no test: ')).length;
  expect(head).toContain(`has ${rows.length} faults`);
  expect(head).toContain(`Of ${rows.length - without} it names`);
  expect(head).toContain(`of the other ${without} it says`);
});
