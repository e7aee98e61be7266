// The same files make the same archive, whoever packs them, when and where; and everybody may read what is in
// it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, sha256Of } from '../../../deploy/release/archive.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'cappstan-archive-'));
});
afterEach(() => rmSync(work, { recursive: true }));

const NAMES = ['b.txt', 'a.txt', 'C.txt', 'left-out.txt'];

/** Files in this order, of this time and with these rights. */
function filled(
  name: string,
  { order, seconds, mode }: { order: readonly string[]; seconds: number; mode: number },
): string {
  const folder = join(work, name);
  mkdirSync(join(folder, 'app/inner'), { recursive: true, mode: mode + 0o100 });
  for (const file of order) {
    writeFileSync(join(folder, 'app', file), file, { mode });
    utimesSync(join(folder, 'app', file), seconds, seconds);
  }
  writeFileSync(join(folder, 'app/program'), '', { mode: 0o700 });
  symlinkSync('a.txt', join(folder, 'app/link'));
  return folder;
}

const packing = { paths: ['app'], without: ['app/left-*.txt'], epoch: 1_700_000_000 };

test('order, times, rights and place of the files do not matter', async () => {
  const files = [join(work, 'one.tar.gz'), join(work, 'two.tar.gz')] as const;
  await pack(files[0], { ...packing, from: filled('one', { order: NAMES, seconds: 1, mode: 0o600 }) });
  const other = { order: NAMES.toReversed(), seconds: 2_000_000_000, mode: 0o664 };
  await pack(files[1], { ...packing, from: filled('elsewhere', other) });
  expect(await sha256Of(files[1])).toBe(await sha256Of(files[0]));
});

test('everything belongs to root, may be read by everybody and written by nobody else, and has the given time', async () => {
  const file = join(work, 'one.tar.gz');
  await pack(file, { ...packing, from: filled('one', { order: NAMES, seconds: 1, mode: 0o600 }) });
  const listed = execFileSync('tar', ['-tvzf', file, '--numeric-owner', '--utc'], { encoding: 'utf8' });
  const entries = listed
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s+/));
  expect(entries.map(([rights, owner, , day, , name]) => [rights, owner, day, name])).toEqual([
    ['drwxr-xr-x', '0/0', '2023-11-14', 'app/'],
    ['-rw-r--r--', '0/0', '2023-11-14', 'app/C.txt'],
    ['-rw-r--r--', '0/0', '2023-11-14', 'app/a.txt'],
    ['-rw-r--r--', '0/0', '2023-11-14', 'app/b.txt'],
    ['drwxr-xr-x', '0/0', '2023-11-14', 'app/inner/'],
    [expect.stringMatching(/^l/), '0/0', '2023-11-14', 'app/link'],
    ['-rwxr-xr-x', '0/0', '2023-11-14', 'app/program'],
  ]);
});

test('another time, or another byte, is another archive', async () => {
  const folder = filled('one', { order: NAMES, seconds: 1, mode: 0o600 });
  const sums: string[] = [];
  for (const [name, epoch] of [
    ['first', 1],
    ['later', 2],
  ] as const) {
    await pack(join(work, name), { ...packing, from: folder, epoch });
    sums.push(await sha256Of(join(work, name)));
  }
  chmodSync(join(folder, 'app/a.txt'), 0o600);
  writeFileSync(join(folder, 'app/a.txt'), 'other');
  await pack(join(work, 'changed'), { ...packing, from: folder, epoch: 1 });
  sums.push(await sha256Of(join(work, 'changed')));
  expect(new Set(sums).size).toBe(3);
  expect(readFileSync(join(work, 'changed')).subarray(4, 8)).toEqual(Buffer.alloc(4));
});

test('what cannot be packed is an error with what tar said', async () => {
  await expect(pack(join(work, 'x'), { from: work, paths: ['nothing'], epoch: 1 })).rejects.toThrow(
    /tar could not pack .*nothing/,
  );
});
