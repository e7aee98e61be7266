// `make bench`: runs every measure, or the one that MEASURE names, one after the other, and writes the table anew.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../deploy/local/terminal.ts';
import { CATALOG, isMeasure, STORE_BOUND, type MeasureName } from './catalog.ts';
import { writeTable } from './table.ts';

await runCommand(async (progress) => {
  const failed: MeasureName[] = [];
  // A terminal interrupts the measure as well, which tidies up: that is waited for.
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
  if (interrupted) throw new Error('Interrupted.');
  if (failed.length > 0) throw new Error(`Not measured: ${failed.join(', ')}.`);
});

function chosen(): readonly MeasureName[] {
  const all = Object.keys(CATALOG).filter(isMeasure);
  const one = process.env['MEASURE'] ?? '';
  if (isMeasure(one)) return [one];
  if (one !== '') throw new Error(`There is no measure "${one}": say one of ${all.join(', ')}.`);
  return process.env['ENGINE'] === 'postgres' ? STORE_BOUND : all;
}

/** Its exit code. COUNT says how many Capps or samples, if not as many as usual. */
function run(name: MeasureName): Promise<number> {
  const count = process.env['COUNT'] ?? '';
  const file = join(import.meta.dirname, 'measures', `${name}.ts`);
  const child = spawn(process.execPath, [file, ...(count === '' ? [] : [count])], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
