// Runs Jest. The files that fail are run once more, alone, and named at the end: docs/decisions/0065.
//
// Usage: node test/once-more.ts <argument of Jest …>. It ends with the exit code of the last run.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** When more files fail, something is broken, and a second run would only cost time. */
const MOST = 3;

const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

const folder = await mkdtemp(join(tmpdir(), 'cappstan-jest-'));
const results = join(folder, 'results.json');
try {
  process.exitCode = await runAll(process.argv.slice(2));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runAll(args: readonly string[]): Promise<number> {
  const first = await jest(args);
  if (first === 0) return 0;
  const failed = await filesThatFailed();
  if (failed.length === 0 || failed.length > MOST) return first;
  console.error(`These files failed, and run once more, alone:\n${listed(failed)}`);
  // Jest refuses a number of workers beside --runInBand.
  const others = args.filter((arg) => !arg.startsWith('--maxWorkers') && arg !== '--runInBand');
  const second = await jest([...others, '--runInBand', '--runTestsByPath', ...failed]);
  console.error(
    second === 0
      ? `These files failed, and passed when they ran alone. Read what failed above: it is a fault, of the test or of what it tests.\n${listed(failed)}`
      : `These files failed twice:\n${listed(failed)}`,
  );
  return second;
}

function jest(args: readonly string[]): Promise<number> {
  // A connection that a failed test left open would keep Jest, and with it the whole run, from ending.
  const given = [...JEST, ...args, '--forceExit', '--json', `--outputFile=${results}`];
  const child = spawn(process.execPath, given, {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** None when Jest ended without results. */
async function filesThatFailed(): Promise<string[]> {
  const text = await readFile(results, 'utf8').catch(() => '{}');
  const { testResults = [] } = JSON.parse(text) as {
    testResults?: readonly { readonly name: string; readonly status: string }[];
  };
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

function listed(files: readonly string[]): string {
  return files.map((file) => `  ${relative(process.cwd(), file)}`).join('\n');
}
