// What a hub of 1,000 sites and 10,000 Capps asks of the dashboard: what one change costs the program and
// sends, and which frames of a real browser it holds up. It needs no stack: the hub's watches are made, the
// rest is as it is.
//
// Usage: node bench/measures/page.ts [changes]
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { measureAlone } from '../measure.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'test', 'worst', 'page.ts');

interface Answer {
  readonly changes: number;
  readonly program: Readonly<Record<string, Picture>>;
  readonly page: Readonly<Record<string, Drawn>>;
}

interface Picture {
  readonly firstMs: number;
  readonly changeMs: number;
  readonly entries: number;
  readonly entriesAtChange: number;
}

interface Drawn {
  readonly lateFrames: number;
  readonly longestFrameMs: number;
}

await measureAlone('page', 10, async (count) => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(count)]);
  const { changes, program, page } = JSON.parse(stdout) as Answer;
  const ours = Object.entries(program).map(([view, { firstMs, changeMs, entries, entriesAtChange }]) => {
    const { lateFrames = 0, longestFrameMs = 0 } = page[view] ?? {};
    const share = (changeMs / Math.max(1, firstMs)).toFixed(2);
    return `${view}: a change sends ${entriesAtChange} of ${entries} entries and takes ${share} of the first picture; ${lateFrames} frames over 50 ms at ${changes} changes, the longest ${longestFrameMs} ms`;
  });
  return { ours: ours.join('; '), figures: { changes, program, page } };
});
