// Who looks at data directories, by what the system says; and whether real users, groups and user namespaces
// of this machine are told apart.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ownGroupOf, unmappedIn } from '../../../../../deploy/hub/hubs/onlooker.ts';

const PASSWD = 'root:x:0:0::/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\nyou:x:1001:1001::/:/bin/sh\n';
const GROUP = 'root:x:0:\nme:x:1000:\nyou:x:1001:\nusers:x:100:me,you\n';

test.each<[string, string, string, number | null]>([
  ['is alone in the group', PASSWD, GROUP, 1000],
  ['is named in the group as well', PASSWD, GROUP.replace('me:x:1000:', 'me:x:1000:me'), 1000],
  ['shares the group with one whom it names', PASSWD, GROUP.replace('me:x:1000:', 'me:x:1000:you'), null],
  ['shares the group with one whose own it is', PASSWD.replace('1001:1001', '1001:1000'), GROUP, null],
  ['has a group that no file names', PASSWD, GROUP.replace('me:x:1000:\n', ''), null],
  ['is in no file', 'root:x:0:0::/root:/bin/sh\n', GROUP, null],
])('of a user who %s the own group is known, or none is', (_, passwd, group, own) => {
  expect(ownGroupOf(1000, passwd, group)).toBe(own);
});

test.each<[string, string | null, number | null]>([
  ['the machine’s own', '         0          0 4294967295\n', null],
  ['of one user', '         0       1000          1\n', 65_534],
  ['of a container without root', '  0 1000 1\n  1 100000 65536\n', 65_534],
  ['that nobody has filled', '', 65_534],
  ['of a system without any', null, null],
])('in the user namespace %s it is known as whom strangers are shown', (_, map, unmapped) => {
  expect(unmappedIn(map, '65534\n')).toBe(unmapped);
});

/** On Debian it has a group of its own, as here. */
const DAEMON = { uid: 1, gid: 1 };
const BELIEVED = resolve(import.meta.dirname, '../../../../../deploy/hub/hubs/believed.ts');
const as = (gid: number): string[] => ['--reuid', '1', '--regid', String(gid), '--clear-groups'];
const canBe = (...command: readonly string[]): boolean =>
  spawnSync('setpriv', [...as(DAEMON.gid), ...command]).status === 0;
// Without root nobody becomes another user, and not everywhere may users have namespaces of their own.
const canBecome =
  process.geteuid?.() === 0 &&
  ownGroupOf(1, readFileSync('/etc/passwd', 'utf8'), readFileSync('/etc/group', 'utf8')) === 1 &&
  canBe('test', '-r', BELIEVED) &&
  canBe('unshare', '--user', 'true');
const SCRIPT = `const { disbelief } = await import(process.argv[1]); console.log(disbelief(process.argv[2]));`;

(canBecome ? describe : describe.skip)(
  'a hub of another user of this machine, below a folder of its group',
  () => {
    let folder: string;
    let hub: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'onlooker-'));
      hub = join(folder, 'hub');
      mkdirSync(join(hub, 'state'), { recursive: true });
      chownSync(folder, DAEMON.uid, DAEMON.gid);
      chmodSync(folder, 0o775);
      for (const path of [hub, join(hub, 'state')]) {
        chownSync(path, DAEMON.uid, DAEMON.gid);
        chmodSync(path, 0o700);
      }
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** What that user gets to hear, in this group, and behind these words of a command line. */
    function says(gid: number, ...inside: readonly string[]): string {
      const run = [process.execPath, '--input-type=module', '--eval', SCRIPT, BELIEVED, hub];
      const env = { PATH: process.env['PATH'] ?? '' };
      return execFileSync('setpriv', [...as(gid), ...inside, ...run], { encoding: 'utf8', env }).trim();
    }

    test('is believed by its owner, also after newgrp', () => {
      expect(says(DAEMON.gid)).toBe('null');
      expect(says(33)).toBe('null');
    });

    test('is not believed where the folder is of a group that the owner shares', () => {
      chownSync(folder, DAEMON.uid, 65_534);
      expect(says(65_534)).toBe(
        `Others can write ${folder}, so nothing of this hub is read. See to it that only its owner can: chmod go-w ${folder}`,
      );
    });

    test('is believed in a user namespace that does not know root, and only there where it is its user’s', () => {
      chmodSync(folder, 0o755);
      expect(says(DAEMON.gid, 'unshare', '--user', '--map-root-user')).toBe('null');
      chownSync(hub, 33, 33);
      chmodSync(hub, 0o755);
      expect(says(DAEMON.gid, 'unshare', '--user', '--map-root-user')).toContain("is another user's");
      // Nor where it knows nobody, and everybody looks alike.
      chownSync(hub, DAEMON.uid, DAEMON.gid);
      expect(says(DAEMON.gid, 'unshare', '--user')).toContain("is another user's");
    });
  },
);
