// A type name that crosses files says its thing, so no two files export the same.
import { readFileSync } from 'node:fs';
import { namesakes } from '../../../lint/namesakes.ts';
import { SHARED } from '../../../lint/shared-names.ts';
import { sources } from '../../../lint/sources.ts';

function of(first: string, second: string, shared: Readonly<Record<string, number>> = {}): Promise<string[]> {
  return namesakes(
    [
      { file: 'site/a.ts', text: first },
      { file: 'cli/b.tsx', text: second },
    ],
    shared,
  );
}

test.each([
  ['interfaces', 'export interface Door { readonly port: number }', 'export interface Door {}'],
  ['an interface and an alias', 'export interface Door {}', "export type Door = 'open' | 'shut';"],
  ['a class and an alias', 'export abstract class Door {}', 'export type Door<T> = T[];'],
  ['an enum and an interface', 'export enum Door { Open }', 'export interface Door {}'],
  ['an alias that is exported below', 'type Door = string; export type { Door };', 'export class Door {}'],
  [
    'one that is exported by another name',
    'type Gate = string; export { Gate as Door };',
    'export class Door {}',
  ],
])('%s of one name in two files are refused', async (_what, first, second) => {
  expect(await of(first, second)).toEqual([
    'site/a.ts, cli/b.tsx: these export types of one name, Door. Give each a name that says its thing in the words of the glossary (README.md).',
  ]);
});

test.each([
  ['types that stay in their files', 'interface Door {}', 'export interface Door {}'],
  ['what is exported further', 'export type Door = string;', "export type { Door } from './a.ts';"],
  [
    'what is imported and exported',
    'export type Door = string;',
    "import type { Door } from './a.ts'; export type { Door };",
  ],
  ['values', 'export const Door = 1;', 'export interface Door {}'],
  [
    'a value and its type',
    'export const Door = 1; export type Door = typeof Door;',
    'export const other = 1;',
  ],
  ['names in another case', 'export type Door = string;', 'export type Doors = string;'],
])('%s are allowed', async (_what, first, second) => {
  expect(await of(first, second)).toEqual([]);
});

test('tests name their types as they like', async () => {
  const text = 'export interface Door {}';
  const both = ['gateway/door.ts', 'test/unit/door.test.ts'].map((file) => ({ file, text }));
  expect(await namesakes(both, {})).toEqual([]);
});

describe('a name that is shared still', () => {
  const text = 'export interface Door {}';

  test('is allowed to as many files as the list says', async () => {
    expect(await of(text, text, { Door: 2 })).toEqual([]);
  });

  test('is refused to one more', async () => {
    const three = ['a', 'b', 'c'].map((name) => ({ file: `site/${name}.ts`, text }));
    expect(await namesakes(three, { Door: 2 })).toEqual([
      expect.stringContaining('site/a.ts, site/b.ts, site/c.ts: these export types of one name, Door.'),
    ]);
  });

  test('goes from the list when it is not shared any more, and has its number corrected before', async () => {
    expect(await of(text, '', { Door: 2 })).toEqual([
      'lint/shared-names.ts: no two files export Door any more. Take it out.',
    ]);
    expect(await of(text, text, { Door: 3 })).toEqual([
      'lint/shared-names.ts: only 2 files still export Door. Write that number for it.',
    ]);
    expect(await of('', '', { Door: 2 })).toHaveLength(1);
  });
});

test('the sources keep to it', async () => {
  const read = sources().map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  expect(await namesakes(read)).toEqual([]);
  expect(Object.keys(SHARED)).toEqual(Object.keys(SHARED).toSorted());
});
