// Runs Spin on a model: it makes a program of it, which a C compiler builds and which walks through every
// state.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Runnable } from '../../../deploy/local/programs/debian.ts';

const run = promisify(execFile);
const PATIENCE_MS = 600_000;

export interface Checked {
  /** How many states there are, up to the first violation. */
  readonly states: number;
  /** The promise that does not hold, as the model has it; null if all do. */
  readonly violated: string | null;
}

/**
 * `settings`: names that are defined in the model, each with its value, or ''. Throws when the model cannot
 * be read or built, or not all states were seen.
 */
export async function check(
  spin: Runnable,
  model: string,
  settings: Readonly<Record<string, number | ''>>,
): Promise<Checked> {
  const cwd = await mkdtemp(join(tmpdir(), 'cappstan-model-'));
  const defined = Object.entries(settings).map(([name, value]) =>
    value === '' ? `-D${name}` : `-D${name}=${value}`,
  );
  const given = { cwd, timeout: PATIENCE_MS };
  try {
    await run(spin.command, ['-a', ...defined, model], { ...given, env: { ...process.env, ...spin.env } });
    await run('cc', ['-O1', '-w', '-DSAFETY', '-DCOLLAPSE', '-DMEMLIM=4000', '-o', 'pan', 'pan.c'], given);
    const { stdout } = await run('./pan', ['-m200000', '-n'], given);
    return readReport(stdout, model);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function readReport(report: string, model: string): Checked {
  const states = /([\d.e+]+) states, stored/.exec(report)?.[1];
  const errors = /errors: (\d+)/.exec(report)?.[1];
  const isCut = /max search depth too small|out of memory|VECTORSZ too small/.test(report);
  if (states === undefined || errors === undefined || isCut)
    throw new Error(`Not all states of ${model} were seen: ${report}`);
  if (errors === '0') return { states: Number(states), violated: null };
  const why = /pan:1: (.*?)(?: \(at depth \d+\))?$/m.exec(report)?.[1] ?? report;
  return { states: Number(states), violated: why };
}
