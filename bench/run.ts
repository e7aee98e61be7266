// `make bench`: runs all benchmarks one after the other, or the one in MEASURE, and updates the table.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../deploy/local/terminal.ts';
import { BESIDE_PEER, BY_NAME, CATALOG, isMeasure, STORE_BOUND, type MeasureName } from './catalog.ts';
import { writeTable } from './table.ts';

await runCommand(async (progress) => {
  const failed: MeasureName[] = [];
  // The terminal interrupts the benchmark's process too; this waits for its cleanup.
  let interrupted = false;
  process.on('SIGINT', () => {
    interrupted = true;
  });
  for (const name of chosen()) {
    if (interrupted) break;
    if ((await run(name)) !== 0) failed.push(name);
    await writeTable();
  }
  progress.say('The table is in bench/README.md, the raw figures are in bench/results/.');
  if (interrupted) throw new Error('Interrupted. The remaining benchmarks did not run.');
  if (failed.length > 0) throw new Error(`Not measured: ${failed.join(', ')}.`);
});

function chosen(): readonly MeasureName[] {
  const all = Object.keys(CATALOG).filter(isMeasure);
  const one = process.env['MEASURE'] ?? '';
  if (isMeasure(one)) return [one];
  if (one === '' && (process.env['PEER'] ?? '') !== '') return [BESIDE_PEER];
  if (one !== '') throw new Error(`MEASURE=${one} is no benchmark. Set it to one of ${all.join(', ')}.`);
  return process.env['ENGINE'] === 'postgres'
    ? STORE_BOUND
    : all.filter((name) => name !== BESIDE_PEER && !BY_NAME.includes(name));
}

/** Returns the exit code. COUNT overrides the number of Capps or samples. */
function run(name: MeasureName): Promise<number> {
  const count = process.env['COUNT'] ?? '';
  const file = join(import.meta.dirname, 'measures', `${name}.ts`);
  const child = spawn(process.execPath, [file, ...(count === '' ? [] : [count])], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
