// Which members of an etcd have lost their data, and which only their disk.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lossesOf, type Losses } from '../../../../deploy/etcd/losses.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'etcd-losses-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const seen = (name: string, ownDisks: readonly string[]): Losses =>
  lossesOf([name], (one) => join(dir, one), { ownDisks, made: '/srv/etcd/state/etcd.json' });

test('a member with a log is whole, one without has lost it, also where its folder is gone', () => {
  mkdirSync(join(dir, 'etcd-0', 'member', 'wal'), { recursive: true });
  expect(seen('etcd-0', [])).toEqual({ whole: [], lost: ['etcd-0'], unclear: [], ownDisks: [] });
  writeFileSync(join(dir, 'etcd-0', 'member', 'wal', '1.wal'), '');
  expect(seen('etcd-0', [])).toEqual({ whole: ['etcd-0'], lost: [], unclear: [], ownDisks: [] });
  expect(seen('etcd-1', [])).toEqual({ whole: [], lost: ['etcd-1'], unclear: [], ownDisks: [] });
});

test('a member whose disk is not mounted waits for it, and the way on is named', () => {
  mkdirSync(join(dir, 'etcd-1'));
  const { lost, unclear, ownDisks } = seen('etcd-1', ['etcd-1']);
  expect({ lost, unclear, ownDisks }).toEqual({
    lost: [],
    unclear: [
      `etcd-1 waits: its data was on a disk of its own, which is not mounted at ${join(dir, 'etcd-1')}. Mount it, or, if it is gone for good, an empty one. To go on without a disk of its own, stop this command, take etcd-1 out of ownDisks in /srv/etcd/state/etcd.json, and start it again.`,
    ],
    ownDisks: ['etcd-1'],
  });
});

test('an empty disk that is mounted in its place is a loss', () => {
  // A file system of its own, wherever this runs, on which no etcd is.
  symlinkSync('/proc/self', join(dir, 'etcd-1'));
  expect(seen('etcd-1', ['etcd-1'])).toMatchObject({ lost: ['etcd-1'], unclear: [], ownDisks: ['etcd-1'] });
});

test('a member whose data has come back to the common disk has no other any more', () => {
  mkdirSync(join(dir, 'etcd-1', 'member', 'wal'), { recursive: true });
  writeFileSync(join(dir, 'etcd-1', 'member', 'wal', '1.wal'), '');
  expect(seen('etcd-1', ['etcd-1'])).toMatchObject({ whole: ['etcd-1'], ownDisks: [] });
});

test.each(['', 'member'])('a place that cannot be read is no loss: %j', (inside) => {
  const place = join(dir, 'etcd-2', inside);
  mkdirSync(join(place, '..'), { recursive: true });
  symlinkSync(place, place);
  const { lost, unclear } = seen('etcd-2', []);
  expect({ lost, unclear }).toEqual({
    lost: [],
    unclear: [
      expect.stringMatching(/^etcd-2 waits: .*etcd-2 cannot be read \(ELOOP\).* Mount its disk again/),
    ],
  });
});
