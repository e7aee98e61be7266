// A hub says that its disk is full, before etcd finds out.
import { checkRoom, roomFor } from '../../../../deploy/hub/room.ts';

const MIB = 1_048_576;

test('with less room than a start takes a hub is refused, and the directory and the remedy are named', () => {
  expect(() => roomFor('/srv/hub', 256 * MIB - 1, true)).toThrow(
    'dataDirectory (--data-dir): 255 MiB are left on the disk of /srv/hub, and a hub needs 256. Make room, or give another directory.',
  );
  expect(roomFor('/srv/hub', 256 * MIB, true)).toEqual([
    'dataDirectory (--data-dir): 256 MiB are left on the disk of /srv/hub. A hub may come to need 4096: watch it, or make room.',
  ]);
});

test('a hub that has run is warned, and not kept from running', () => {
  expect(roomFor('/srv/hub', 10 * MIB, false)).toEqual([expect.stringContaining('10 MiB are left')]);
});

test('with enough room nothing is said', () => {
  expect(roomFor('/srv/hub', 4096 * MIB, true)).toEqual([]);
});

test('for a directory that is yet to be made, the disk is that of the next one above it', async () => {
  // A file system without any room of its own.
  await expect(checkRoom('/proc/not/yet/there', true)).rejects.toThrow(
    '0 MiB are left on the disk of /proc/not/yet/there',
  );
});
