// One word has one meaning: the glossary has no doubles and replaced words stay away. Every page can be
// found, every room is on the map.
import { readdirSync, readFileSync } from 'node:fs';
import { ROOMS } from '../../../../lint/rooms/rooms.ts';

const ROOT = new URL('../../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const pagesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}${file}`);

const pages = [
  ...pagesIn('./'),
  ...pagesIn('docs/'),
  ...pagesIn('docs/decisions/'),
  'bench/README.md',
  'deploy/helm/README.md',
];
/** Without code, and without the titles of tests, which docs/parity.md quotes. */
const prose = (page: string): string =>
  read(page)
    .replaceAll(/^ *```.*?^ *```/gms, '')
    .replaceAll(/`[^`\n]*`(?: "[^"]*")?/g, '');

const readme = read('README.md');
const rowsIn = (text: string): string[] =>
  [...text.matchAll(/^\| [^|]+ \| .+ \|$/gm)]
    .map(([row]) => row)
    .filter((row) => !row.startsWith('| word |'));
const rows = rowsIn(read('docs/glossary.md'));
const glossary = rows.map((row) => /^\| ([^|]+) \|/.exec(row)?.[1] ?? '');

test('the glossary has each word once, in alphabetical order', () => {
  expect(glossary.length).toBeGreaterThan(30);
  expect(glossary).toEqual(
    [...new Set(glossary)].toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en')),
  );
});

test('the words with which the README begins mean there what they mean in the glossary', () => {
  const first = rowsIn(readme.split('## Five words to begin with')[1] ?? '');
  expect(first).toHaveLength(5);
  expect(rows).toEqual(expect.arrayContaining(first));
});

test('the README leads to every page for users', () => {
  expect(pagesIn('docs/').filter((page) => !readme.includes(`(${page})`))).toEqual([]);
});

test('the architecture page names every room', () => {
  const page = read('docs/architecture.md');
  const rooms = new Set(Object.keys(ROOMS).map((room) => room.split('/')[0] ?? ''));
  expect([...rooms].filter((room) => !page.includes(`| \`${room}/`))).toEqual([]);
});

/** Word → the one that replaced it. */
const REPLACED = {
  marks: 'minimum resource versions',
  census: 'resync',
  troubled: 'unreachable',
  wish: 'move request',
  wishes: 'move requests',
  petition: 'turn request',
  doorbell: 'ring',
  anew: 'again',
  'begun again': 'restarted',
  'stands on': 'is on',
  'stands in': 'is in',
} as const;

test.each(Object.entries(REPLACED))('no page says "%s": the word is "%s"', (word) => {
  expect(pages.filter((page) => new RegExp(String.raw`\b${word}\b`, 'i').test(prose(page)))).toEqual([]);
});
