// A type name that crosses files says its thing, so no two files export the same.
import { readFileSync } from 'node:fs';
import { namesakes } from '../../../lint/namesakes.ts';
import { sources } from '../../../lint/sources.ts';

function of(first: string, second: string): Promise<string[]> {
  return namesakes([
    { file: 'site/a.ts', text: first },
    { file: 'cli/b.tsx', text: second },
  ]);
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
    'site/a.ts, cli/b.tsx: these export types of one name, Door. Give each a name that says its thing in the words of the glossary (docs/glossary.md).',
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
  expect(await namesakes(both)).toEqual([]);
});

test('all files of one name are said in one sentence', async () => {
  const text = 'export interface Door {}';
  const three = ['a', 'b', 'c'].map((name) => ({ file: `site/${name}.ts`, text }));
  expect(await namesakes(three)).toEqual([
    expect.stringContaining('site/a.ts, site/b.ts, site/c.ts: these export types of one name, Door.'),
  ]);
});

test('the sources keep to it', async () => {
  const read = sources().map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  expect(await namesakes(read)).toEqual([]);
});
