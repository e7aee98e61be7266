// Puts every small fault that StrykerJS knows into a room of decisions, and runs the room's tests against
// each. It fails where one survives of which survivors.ts does not say why.
//
// Usage: make stryker ROOM=placement
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedFrom } from '../support/installed.ts';
import { judge, type StrykerReport, type Survivor } from './judge.ts';
import { STRYKER_ROOMS, type StrykerRoom } from './rooms.ts';
import { SURVIVORS } from './survivors.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const named = process.argv[2] ?? '';
const room = STRYKER_ROOMS[named];
if (room === undefined) {
  const rooms = Object.keys(STRYKER_ROOMS).join(', ');
  console.error(`There is no room "${named}". Usage: make stryker ROOM=<${rooms}>`);
  process.exitCode = 2;
} else process.exitCode = await tryRoom(room);

async function tryRoom(chosen: StrykerRoom): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'cappstan-stryker-'));
  try {
    const packages = join(
      await installedFrom(import.meta.dirname, 'stryker'),
      'node_modules/@stryker-mutator',
    );
    const config = join(folder, 'stryker.json');
    const report = join(folder, 'report.json');
    await writeFile(config, JSON.stringify(configOf(chosen, packages, report, join(folder, 'copy'))));
    const code = await stryker(join(packages, 'core/bin/stryker.js'), config);
    if (code !== 0) return code;
    return say(JSON.parse(await readFile(report, 'utf8')) as StrykerReport);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function configOf({ mutate, tests }: StrykerRoom, packages: string, report: string, copy: string): object {
  return {
    mutate,
    testFiles: tests,
    testRunner: 'jest',
    plugins: [join(packages, 'jest-runner/dist/src/index.js')],
    jest: { projectType: 'custom', configFile: 'test/stryker/jest.json', enableFindRelatedTests: false },
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // A busy machine is no fault that was seen.
    timeoutMS: 60_000,
    ignorePatterns: ['.local', '.hub', '.site', 'dist', 'docs', 'bench'],
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    tempDirName: copy,
    // It would read it by a compiler that is not installed here.
    tsconfigFile: 'none.json',
  };
}

function stryker(program: string, config: string): Promise<number> {
  const child = spawn(process.execPath, [program, 'run', config], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function say(report: StrykerReport): number {
  const { tried, unknown, outdated } = judge(report, SURVIVORS);
  for (const one of unknown)
    console.error(
      `SURVIVED ${shown(one)}\nWrite a test that sees it, or say in test/stryker/survivors.ts why it may survive.`,
    );
  for (const one of outdated)
    console.error(`SEEN NOW, or gone: ${shown(one)}\nTake it out of test/stryker/survivors.ts.`);
  console.log(
    `${tried} faults were tried: ${unknown.length} survived of which nobody has said why they may.`,
  );
  return unknown.length + outdated.length === 0 ? 0 : 1;
}

function shown({ file, line, text, becomes }: Survivor): string {
  return `${file}: ${line}\n  ${text}\n  became ${becomes}`;
}
