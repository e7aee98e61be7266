import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markUsed, prune, pruneAfterBuild, type Pruning } from '../../../deploy/local/programs/prune.ts';
import { noProgress } from '../../../deploy/local/terminal.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAYS = 24 * 3_600_000;
const hash = (digit: string) => digit.repeat(12);

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cappstan-prune-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A folder that was last used `days` ago. */
async function folder(name: string, days: number): Promise<string> {
  const path = join(root, name);
  await mkdir(join(path, 'bin'), { recursive: true });
  await writeFile(join(path, 'bin', 'program'), '');
  await utimes(path, (NOW - days * DAYS) / 1000, (NOW - days * DAYS) / 1000);
  return path;
}

const pruning = (): Pruning => ({ root, part: 'kube', present: `kube-${hash('a')}`, now: NOW });

it.each([
  [`kube-${hash('b')}`, 15, true],
  [`kube-${hash('b')}`, 13, false],
  [`kube-${hash('a')}`, 99, false],
  [`ocm-${hash('b')}`, 99, false],
  [`kube-${hash('b')}.half-XyZ123`, 2, true],
  [`ocm-${hash('b')}.half-XyZ123`, 2, true],
  [`kube-${hash('b')}.half-XyZ123`, 0.5, false],
  ['kube-notes', 99, false],
  ['kube', 99, false],
  ['else', 99, false],
])('%s, unused for %d days, is removed: %p', async (name, days, gone) => {
  await folder(name, days);
  expect(await prune(pruning())).toEqual(gone ? [name] : []);
  expect(await readdir(root)).toEqual(gone ? [] : [name]);
});

it('a version that was used since then is kept', async () => {
  const path = await folder(`kube-${hash('b')}`, 15);
  await markUsed(path);
  expect(await prune({ ...pruning(), now: Date.now() })).toEqual([]);
  expect(await prune({ ...pruning(), now: Date.now() + 15 * DAYS })).toEqual([`kube-${hash('b')}`]);
});

it('a version whose program runs is kept, however old it is', async () => {
  const path = await folder(`kube-${hash('b')}`, 99);
  const program = join(path, 'bin', 'sleep');
  await copyFile('/bin/sleep', program);
  await utimes(path, 0, 0);
  const child = spawn(program, ['60']);
  await once(child, 'spawn');
  try {
    expect(await prune(pruning())).toEqual([]);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  expect(await prune(pruning())).toEqual([`kube-${hash('b')}`]);
});

it('a failure is a warning with the folder and the reason', async () => {
  const said: string[] = [];
  const progress = { ...noProgress, say: (line: string) => void said.push(line) };
  await pruneAfterBuild({ ...pruning(), root: join(root, 'nowhere') }, progress);
  expect(said).toEqual([
    expect.stringMatching(/^Warning: could not remove old programs from .*nowhere \(.*ENOENT.*by hand/),
  ]);
  await folder(`kube-${hash('b')}`, 15);
  await pruneAfterBuild(pruning(), progress);
  await pruneAfterBuild(pruning(), progress);
  expect(said.slice(1)).toEqual([`Removed unused programs from ${root}: kube-${hash('b')}.`]);
});
