// Links between pages, anchors, paths of the code in pages, and pages that the code names lead to something
// that exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const SKIPPED = new Set(['node_modules', 'dist']);

/** Paths from the root of all files below a folder, without hidden folders, packages and what is built. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !SKIPPED.has(name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)],
    );
}

const files = filesIn('.');
const pages = files.filter((file) => file.endsWith('.md'));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** A page without its code blocks. */
const prose = (page: string): string => read(page).replaceAll(/^ *```.*?^ *```/gms, '');

function linksOf(page: string): string[] {
  const text = prose(page).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** GitHub's anchors: lower case, no punctuation, a dash for each blank, a number for repetitions. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).has(anchor);
}

test.each(pages)('every link in %s leads to a page, file or heading that exists', (page) => {
  expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
});

const rooms = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''));

/** `room/…/file.ts` and `room/` in backticks; a name with a star or an ellipsis stands for several. */
function codePathsOf(page: string): string[] {
  const quoted = [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return quoted.filter((text) => rooms.has(text.split('/')[0] ?? '') && /^[\w.-]+\/[\w./-]*$/.test(text));
}

test.each(pages)('every path of the code that %s names exists', (page) => {
  expect(codePathsOf(page).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every page that code, chart and messages name exists', () => {
  const sources = files.filter(
    (file) => /\.(?:ts|ya?ml|tpl|txt|json)$/.test(file) && !file.startsWith('test/history/'),
  );
  const named = sources.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({ file, page })),
  );
  expect(named.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([]);
});
