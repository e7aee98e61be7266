// docs/security-tests.md names, for each part of docs/security.md, a test that exists or the reason why there
// is none, in words that stand on that page.
import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** Words alone: no links, no marks, one blank between them. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

interface Section {
  readonly title: string;
  /** Each paragraph, item of a list and row of a table below its head. */
  readonly blocks: readonly string[];
}

/** The sections of a page, without its blocks of code. */
function sectionsOf(page: string): Section[] {
  const [, ...parts] = page.replaceAll(/^ *```.*?^ *```$/gms, '').split(/^##+ /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title: plain(title), blocks: blocksOf(lines) };
  });
}

function blocksOf(lines: readonly string[]): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (/^\|[-|]+\|$/.test(line)) blocks.pop();
    else if (line.trim() === '') isOpen = false;
    else if (!isOpen || /^(\||- |\d+\. )/.test(line)) {
      blocks.push(line);
      isOpen = true;
    } else blocks.push(`${blocks.pop() ?? ''} ${line}`);
  }
  return blocks.map(plain).filter((block) => block !== '');
}

const NO_TEST = /^no test: .{20,}$/;
const NAMED = /`(test\/[\w./-]+\.test\.ts)` "([^"]+)"/g;

/** What is wrong with a test that a row names, or null. The title is a whole text in the file's source. */
function wrongWith(file: string, title: string): string | null {
  if (!existsSync(new URL(file, ROOT))) return `there is no file ${file}`;
  const source = read(file);
  const isThere = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
  return isThere ? null : `${file} has no title "${title}"`;
}

/** Of a row, the words of the page, in their order; what is between them is left out. */
function wordsOf(row: string): string[] {
  const [, words = ''] = /^\| (.+?) \| /.exec(row) ?? [];
  return words.split(' … ').map(plain);
}

const holds = (block: string, words: readonly string[]): boolean => {
  let from = 0;
  return words.every((part) => {
    const at = block.indexOf(part, from);
    from = at + part.length;
    return part !== '' && at >= 0;
  });
};

function problemsOf(row: string, blocks: readonly string[]): string[] {
  const cell = /^\| .+? \| (.+) \|$/.exec(row)?.[1] ?? '';
  const named = [...cell.matchAll(NAMED)].map(([, file = '', title = '']) => wrongWith(file, title));
  const rest = cell.replaceAll(NAMED, '').replaceAll(', ', '');
  const problems = [
    blocks.some((block) => holds(block, wordsOf(row))) ? null : 'these words are not on the page',
    named.length === 0 && !NO_TEST.test(cell) ? 'it has neither a test nor a reason' : null,
    named.length > 0 && rest !== '' ? `this is no test: ${rest}` : null,
    ...named,
  ];
  return problems.filter((problem) => problem !== null).map((problem) => `${row.slice(0, 80)}: ${problem}`);
}

const rowsOf = (page: string, title: string): string[] =>
  (page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| what the page says |'));

/** What of the page has no row, or a row that shows nothing. */
function gaps(page: string, table: string): string[] {
  return sectionsOf(page).flatMap(({ title, blocks }) => {
    const rows = rowsOf(table, title);
    const bare = blocks.filter((block) => !rows.some((row) => holds(block, wordsOf(row))));
    return [
      ...bare.map((block) => `${title}: nothing shows "${block.slice(0, 80)}"`),
      ...rows.flatMap((row) => problemsOf(row, blocks)),
    ];
  });
}

const page = read('docs/security.md');
const table = read('docs/security-tests.md');

test('each paragraph, item and row of the page has words in the table, and each of these a test or a reason', () => {
  expect(sectionsOf(page).length).toBeGreaterThan(10);
  expect(gaps(page, table)).toEqual([]);
});

test('the table has the sections of the page, in their order, and no others', () => {
  const titles = [...table.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(titles).toEqual(sectionsOf(page).map(({ title }) => title));
});

test('no test that the page itself names is missing in the table', () => {
  const named = [...page.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file);
  expect([...new Set(named)].filter((file) => !table.includes(`\`${file}\``))).toEqual([]);
});

const OURS = '`test/unit/house/docs/security.test.ts`';
const PAGE =
  '# A page\n\n## Doors\n\nThe door is [shut](a.md). Nobody\nenters.\n\n- The **key** is `here`.\n';
const NOBODY = `| The door is shut … Nobody enters | ${OURS} "a page whose rows are true has no gaps" |`;
const KEY = '| The key is here | no test: it is only an example |';
const rows = (...all: readonly string[]): string => `## Doors\n\n${all.join('\n')}\n`;

test('a page whose rows are true has no gaps', () => {
  expect(gaps(PAGE, rows(NOBODY, KEY))).toEqual([]);
});

test.each([
  ['an item without a row', rows(NOBODY), 'nothing shows "- The key is here."'],
  ['a section without rows', '', 'nothing shows "The door is shut'],
  ['words that were changed', rows(NOBODY, KEY, KEY.replace('here', 'there')), 'not on the page'],
  ['words in another order', rows(KEY, NOBODY.replace('shut … Nobody enters', 'shut … The')), 'not on'],
  ['a test that is gone', rows(NOBODY.replace('has no gaps', 'has some'), KEY), 'has no title'],
  ['a reason of no words', rows(NOBODY, KEY.replace('it is only an example', 'so')), 'neither a test'],
])('%s is found', (_what, given, problem) => {
  expect(gaps(PAGE, given).join('\n')).toContain(problem);
});
