// A hub says, and an etcd for hubs, that its disk is full, before etcd finds out.
import { checkRoom, needOfEtcd, roomFor } from '../../../../deploy/hub/room.ts';

const MIB = 1_048_576;

test('with less room than a start takes a hub is refused, and the directory and the remedy are named', () => {
  expect(() => roomFor('/srv/hub', { free: 256 * MIB - 1, isNew: true })).toThrow(
    'dataDirectory (--data-dir): 255 MiB are left on the disk of /srv/hub, and a hub needs 256. Make room, or give another directory.',
  );
  expect(roomFor('/srv/hub', { free: 256 * MIB, isNew: true })).toEqual([
    'dataDirectory (--data-dir): 256 MiB are left on the disk of /srv/hub. A hub may come to need 4096: watch it, or make room.',
  ]);
});

test('a hub that has run is warned, and not kept from running', () => {
  expect(roomFor('/srv/hub', { free: 10 * MIB, isNew: false })).toEqual([
    expect.stringContaining('10 MiB are left'),
  ]);
});

test('an etcd of three members needs three times as much', () => {
  const need = needOfEtcd(3);
  expect(() => roomFor('/srv/etcd', { free: 768 * MIB - 1, isNew: true }, need)).toThrow(
    '--data-dir: 767 MiB are left on the disk of /srv/etcd, and an etcd needs 768. Make room, or give another directory.',
  );
  expect(roomFor('/srv/etcd', { free: 12_288 * MIB - 1, isNew: true }, need)).toEqual([
    '--data-dir: 12287 MiB are left on the disk of /srv/etcd. An etcd may come to need 12288: watch it, or make room.',
  ]);
  expect(roomFor('/srv/etcd', { free: 12_288 * MIB, isNew: true }, need)).toEqual([]);
});

test('with enough room nothing is said', () => {
  expect(roomFor('/srv/hub', { free: 4096 * MIB, isNew: true })).toEqual([]);
});

test('for a directory that is yet to be made, the disk is that of the next one above it', async () => {
  // A file system without any room of its own.
  await expect(checkRoom('/proc/not/yet/there', true)).rejects.toThrow(
    '0 MiB are left on the disk of /proc/not/yet/there',
  );
});
