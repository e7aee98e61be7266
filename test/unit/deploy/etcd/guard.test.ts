// With what a member of `cappstan etcd` is started, by what it has: the shell runs as it stands, with a
// program in etcd's place that prints its arguments.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memberSpec, membersOf } from '../../../../deploy/etcd/members.ts';

const members = membersOf({ bind: '127.0.0.1', host: '127.0.0.1', port: 2379 });
const ALL = 'etcd-0=https://127.0.0.1:2380,etcd-1=https://127.0.0.1:2382,etcd-2=https://127.0.0.1:2384';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'etcd-guard-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const leave = (): string => join(folder, 'begins');

/** The arguments on how a cluster begins. Throws when the member may not start. */
function started(): string[] {
  const [member] = members;
  if (member === undefined) throw new Error('no member');
  const { command, args } = memberSpec(
    member,
    { all: members, bind: '127.0.0.1' },
    {
      binary: 'echo',
      dataDir: join(folder, 'data'),
      leave: leave(),
      healthPort: 1,
      authority: '/ca',
      serving: { cert: '/c', key: '/k' },
    },
  );
  const printed = execFileSync(command, [...args], { encoding: 'utf8', stdio: 'pipe' });
  return printed
    .trim()
    .split(' ')
    .filter((arg) => arg.startsWith('--initial-cluster'));
}

test('one with data is told of no others: it cannot begin anew when its data goes at that moment', () => {
  const wal = join(folder, 'data', 'member', 'wal');
  mkdirSync(wal, { recursive: true });
  writeFileSync(join(wal, '0.wal'), '');
  const alone = '--initial-cluster=etcd-0=https://127.0.0.1:2380';
  expect(started()).toEqual(['--initial-cluster-state=existing', alone]);
});

test.each(['new', 'existing'])('one without data that may begin as %s is told of all, once', (how) => {
  writeFileSync(leave(), `${how}\n`);
  expect(started()).toEqual([`--initial-cluster-state=${how}`, `--initial-cluster=${ALL}`]);
  expect(existsSync(leave())).toBe(false);
  expect(started).toThrow(/waits until the others let it in again/);
});
