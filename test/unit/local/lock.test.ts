// The lock of what one process at a time does in a folder, whichever path leads there.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { acquire, acquireMade, isHeld, type ProcessLock } from '../../../deploy/local/supervise/lock.ts';

let root: string;
let folder: string;
const held: (ProcessLock | null)[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lock-'));
  folder = join(root, 'folder');
  mkdirSync(folder);
});
afterEach(async () => {
  for (const lock of held.splice(0)) await lock?.release();
  rmSync(root, { recursive: true });
});

const at = (place: string, what = 'hub') => ({ what, folder: place });
/** Whether it is acquired; what is acquired is held until the test ends. */
async function takes(lock: Parameters<typeof acquire>[0]): Promise<boolean> {
  held.push(await acquire(lock));
  return held.at(-1) !== null;
}

test.each<[string, () => string]>([
  ['its own path', () => folder],
  ['a slash behind it', () => `${folder}/`],
  ['its parent’s link', () => join(linkTo(root), 'folder')],
  ['a link', () => linkTo(folder)],
  ['another name since', () => (renameSync(folder, join(root, 'renamed')), join(root, 'renamed'))],
])('a folder that is held by its path is held by %s', async (_, other) => {
  expect(await takes(at(folder))).toBe(true);
  const place = other();
  expect([await isHeld(at(place)), await takes(at(place))]).toEqual([true, false]);
  // Who was refused has nothing left, and what was held is free again.
  await held[0]?.release();
  expect([await isHeld(at(place)), await isHeld(at(folder))]).toEqual([false, false]);
  expect(await takes(at(place))).toBe(true);
});

function linkTo(target: string): string {
  const link = join(root, 'link');
  symlinkSync(target, link);
  return link;
}

test('a folder that was not there is made for its owner alone, and of two by two paths one gets it', async () => {
  const places = [join(root, 'new'), join(linkTo(root), 'new')];
  const paths = await Promise.all(places.map((place) => acquire(at(place))));
  held.push(...paths);
  // While there was nothing, each has its path.
  expect(paths).not.toContain(null);
  const made: (ProcessLock | null)[] = [];
  for (const [index, place] of places.entries()) {
    const path = paths[index];
    if (path === null || path === undefined) throw new Error('not held');
    made.push(await acquireMade(at(place), path));
  }
  held.push(...made);
  expect(made.map((lock) => lock !== null)).toEqual([true, false]);
  expect(statSync(join(root, 'new')).mode & 0o777).toBe(0o700);
  expect(await isHeld(at(join(root, 'link', 'new')))).toBe(true);
});

const AS_ROOT_OF_MOUNTS = ['--user', '--map-root-user', '--mount'];
// Not everywhere may users have namespaces of their own.
const canMount = spawnSync('unshare', [...AS_ROOT_OF_MOUNTS, 'true']).status === 0;

/** Whether a process that has the folder mounted at another place finds it held. */
function isHeldWhereMounted(): string {
  const other = join(root, 'mounted');
  mkdirSync(other);
  const lock = resolve(import.meta.dirname, '../../../deploy/local/supervise/lock.ts');
  const asks = `import(${JSON.stringify(lock)}).then(async ({ isHeld }) => console.log(await isHeld(${JSON.stringify(at(other))})))`;
  const command = 'mount --bind "$0" "$1" && exec "$2" -e "$3"';
  const inside = [...AS_ROOT_OF_MOUNTS, 'sh', '-c', command];
  return execFileSync('unshare', [...inside, folder, other, process.execPath, asks], { encoding: 'utf8' });
}

(canMount ? test : test.skip)('a folder that is held is held where it is mounted', async () => {
  expect(isHeldWhereMounted().trim()).toBe('false');
  rmdirSync(join(root, 'mounted'));
  expect(await takes(at(folder))).toBe(true);
  expect(isHeldWhereMounted().trim()).toBe('true');
});

test('something else in the same folder, and the same in another folder, is free', async () => {
  mkdirSync(join(root, 'other'));
  expect(await takes(at(folder))).toBe(true);
  expect(await takes(at(folder, 'etcd'))).toBe(true);
  expect(await takes(at(join(root, 'other')))).toBe(true);
});

test('a folder that is not there is held by its path until it is made', async () => {
  const later = join(root, 'later');
  expect(await takes(at(later))).toBe(true);
  expect(await takes(at(later))).toBe(false);
  mkdirSync(later);
  expect(await takes(at(later))).toBe(false);
});

test('who held a folder by its path alone, as earlier versions, holds it still', async () => {
  expect(await takes(`hub ${folder}`)).toBe(true);
  expect([await isHeld(at(folder)), await takes(at(folder))]).toEqual([true, false]);
});

test('a folder that was deleted while it was held stands for none that is made afterwards', async () => {
  expect(await takes(at(folder))).toBe(true);
  rmdirSync(folder);
  const others = Array.from({ length: 20 }, (_, index) => join(root, `other-${index}`));
  for (const other of others) {
    mkdirSync(other);
    expect(await isHeld(at(other))).toBe(false);
  }
});
