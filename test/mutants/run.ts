// Applies each mutant to a copy of the repository and runs the tests. Prints the mutants that survive.
//
// Usage: make mutants. MUTANTS=n runs n of them, selected by the commit; MUTANT=n runs the n-th, from 1.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MUTANTS } from './list.ts';
import { applyMutant, type Mutant } from './mutant.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Tests that run longer than this, in milliseconds, count as failed. */
const TIMEOUT_MS = 1_200_000;
/** The number of seeds for the simulator, which runs last. */
const SEEDS = '3000';

function main(): void {
  const copy = copyOfRepository();
  try {
    const chosen = chosenOf(process.env['MUTANT'], process.env['MUTANTS']);
    const survivors = chosen.filter((mutant) => !isDetected(copy, mutant));
    for (const mutant of survivors)
      console.error(`SURVIVED ${placeOf(mutant)}: ${mutant.breaks}. No test detects it. Write one.`);
    console.log(`${chosen.length - survivors.length} of ${chosen.length} mutants were detected.`);
    process.exitCode = survivors.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function chosenOf(one: string | undefined, some: string | undefined): readonly Mutant[] {
  if (one !== undefined) return MUTANTS.slice(Number(one) - 1, Number(one));
  if (some === undefined) return MUTANTS;
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const order = (mutant: Mutant): string =>
    createHash('sha256').update(`${commit} ${mutant.file} ${mutant.text}`).digest('hex');
  return MUTANTS.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, Number(some));
}

/** Copies the files of the work tree that git does not ignore; node_modules is a link. */
function copyOfRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'cappstan-mutants-'));
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  // Some tests ask git for the list of files.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  execFileSync('git', ['add', '--all'], { cwd: copy });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Throws if the tests that fail with the mutant fail without it, too. */
function isDetected(copy: string, mutant: Mutant): boolean {
  const begun = performance.now();
  const detector = testRuns(mutant).find(({ look }) => !lookWith(mutant, copy, look));
  if (detector !== undefined && !passesWithout(copy, detector))
    throw new Error(`${detector.name} fails without a mutant, too. Fix that first.`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const result = detector === undefined ? 'SURVIVED' : `detected by ${detector.name}`;
  console.log(`${placeOf(mutant)}: ${mutant.breaks}: ${result} after ${seconds} s`);
  return detector !== undefined;
}

function lookWith(mutant: Mutant, copy: string, look: TestRun['look']): boolean {
  const path = join(copy, mutant.file);
  writeFileSync(path, applyMutant(ROOT, mutant).source);
  try {
    return look(copy);
  } finally {
    cpSync(join(ROOT, mutant.file), path);
  }
}

/** The names of tests that pass without a mutant; each is looked at once. */
const sound = new Set<string>();

function passesWithout(copy: string, { name, look }: TestRun): boolean {
  if (!sound.has(name) && look(copy)) sound.add(name);
  return sound.has(name);
}

interface TestRun {
  readonly name: string;
  /** Whether the tests pass. */
  readonly look: (copy: string) => boolean;
}

/** The mutant's own tests, then all tests without a server, then the simulator. */
function testRuns({ seenBy }: Mutant): TestRun[] {
  const named = seenBy.map((file) => ({
    name: file,
    look: (copy: string) => jest(copy, ['--runTestsByPath', file]),
  }));
  return [
    ...named,
    { name: 'make test-fast', look: fast },
    { name: 'make simulate', look: (copy) => passes(copy, ['test/soak/simulate.ts']) },
  ];
}

/** All except the test that applies the mutants, because no mutant can be applied twice. */
function fast(copy: string): boolean {
  return jest(copy, [
    '--selectProjects',
    'fast',
    '--bail',
    '--testPathIgnorePatterns',
    'test/unit/house/mutants',
  ]);
}

function jest(copy: string, args: readonly string[]): boolean {
  const start = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--ci',
    '--testTimeout=60000',
  ];
  return passes(copy, [...start, ...args]);
}

function passes(cwd: string, args: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, args, {
    cwd,
    timeout: TIMEOUT_MS,
    stdio: 'ignore',
    env: { ...process.env, SEEDS, SEED: undefined, FIRST: undefined },
  });
  return status === 0;
}

function placeOf(mutant: Mutant): string {
  return `${mutant.file}:${applyMutant(ROOT, mutant).line}`;
}

main();
