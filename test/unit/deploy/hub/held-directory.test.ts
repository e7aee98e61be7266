// A data directory is one command's alone while that runs, by whichever path it is given.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedAlone, hubLock } from '../../../../deploy/hub/data-directory.ts';
import { etcdLock } from '../../../../deploy/etcd/directory.ts';
import { acquire } from '../../../../deploy/local/supervise/lock.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'held-directory-'));
  symlinkSync(root, join(root, 'link'));
});
afterEach(() => rmSync(root, { recursive: true }));

const passes = (): Promise<string> => Promise.resolve('passed');
const refusal = (started: Promise<unknown>): Promise<string> =>
  started.then(
    () => 'started',
    (error: Error) => error.message,
  );

test('a directory that is there is checked once, and held by each path', async () => {
  const [place, other] = [join(root, 'hub'), join(root, 'link', 'hub')];
  mkdirSync(place);
  let checks = 0;
  expect(await checkedAlone(hubLock(place), () => Promise.resolve((checks += 1)))).toBe(1);
  for (const path of [place, other])
    expect(await refusal(checkedAlone(hubLock(path), passes))).toBe(
      `A hub runs in ${path} already. Stop it with Ctrl-C where it runs, or give another --data-dir.`,
    );
});

test('one that is not there is made for its owner alone, and then held by each path', async () => {
  const [place, other] = [join(root, 'etcd'), join(root, 'link', 'etcd')];
  expect(await checkedAlone(etcdLock(place), passes)).toBe('passed');
  expect(statSync(place).mode & 0o777).toBe(0o700);
  expect(await refusal(checkedAlone(etcdLock(other), passes))).toBe(
    `An etcd runs in ${other} already. Stop it with Ctrl-C where it runs, or give another --data-dir.`,
  );
});

test('of two that start at one moment where nothing is, by two paths, one starts', async () => {
  const paths = [join(root, 'hub'), join(root, 'link', 'hub')];
  const ends = await Promise.all(paths.map((path) => refusal(checkedAlone(hubLock(path), passes))));
  expect(ends.toSorted().map((end) => end.split(' ')[0])).toEqual(['A', 'started']);
});

test('what somebody has made there by another path meanwhile is checked again', async () => {
  const [place, other] = [join(root, 'hub'), join(root, 'link', 'hub')];
  let isMade = false;
  const checked = await checkedAlone(hubLock(place), async () => {
    if (isMade) return existsSync(join(other, 'state'));
    isMade = true;
    // A hub that has run there, and has ended.
    const lock = await acquire(hubLock(other));
    mkdirSync(join(other, 'state'), { recursive: true });
    await lock?.release();
    return false;
  });
  expect(checked).toBe(true);
});

test('where the check fails nothing is made', async () => {
  const place = join(root, 'a', 'hub');
  const fails = (): Promise<never> => Promise.reject(new Error('There is no room.'));
  expect(await refusal(checkedAlone(hubLock(place), fails))).toBe('There is no room.');
  expect(existsSync(join(root, 'a'))).toBe(false);
});
