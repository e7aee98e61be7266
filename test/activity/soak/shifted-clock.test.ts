// A Node process that starts with the storm's clock.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../../../testbed/eventually.ts';

const CLOCK = join(import.meta.dirname, '../../soak/storm/faults/shifted-clock.ts');
const TELL = `setInterval(() => console.log(JSON.stringify([Date.now(), new Date().getTime(),
  new Date(5).getTime(), new Date() instanceof Date, typeof Date(), Date.UTC(1970, 0, 1)])), 50)`;

let folder: string;
let child: ChildProcess;
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('its clock jumps ahead and back while it runs, and a time that is given stays as it is', async () => {
  folder = mkdtempSync(join(tmpdir(), 'cappstan-clock-'));
  const file = join(folder, 'clock');
  child = spawn(process.execPath, ['--import', CLOCK, '-e', TELL], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, STORM_CLOCK: file },
  });
  let off = { now: NaN, made: NaN };
  let others: unknown[] = [];
  if (child.stdout === null) throw new Error('There is no output.');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [now, made, ...rest] = JSON.parse(line) as [number, number, ...unknown[]];
    off = { now: now - Date.now(), made: made - Date.now() };
    others = rest;
  });
  const isOffBy = (ms: number) =>
    eventually(() =>
      Math.abs(off.now - ms) < 30_000 && Math.abs(off.made - ms) < 30_000 ? true : undefined,
    );
  await isOffBy(0);
  writeFileSync(file, '600000');
  await isOffBy(600_000);
  writeFileSync(file, '-600000');
  await isOffBy(-600_000);
  rmSync(file);
  await isOffBy(0);
  expect(others).toEqual([5, true, 'string', 0]);
});
