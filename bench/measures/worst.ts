// How long the worst that fits holds a thread: no request may hold one of the hub for longer than 200 ms of
// processor time. It needs no stack.
//
// Usage: node bench/measures/worst.ts [samples]
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { measureAlone } from '../measure.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'test', 'worst', 'worst.ts');

interface Door {
  readonly medianMs: number;
  readonly maxMs: number;
}

await measureAlone('worst', 7, async (count) => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(count)]);
  const doors = JSON.parse(stdout) as Readonly<Record<string, Door>>;
  const ours = Object.entries(doors).map(([door, { medianMs }]) => `${door} ${medianMs} ms`);
  return { ours: ours.join('; '), figures: { doors } };
});
