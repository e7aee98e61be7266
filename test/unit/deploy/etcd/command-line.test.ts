// The command line of `cappstan etcd`, and where its members are.
import { etcdAskedBy } from '../../../../deploy/etcd/command-line.ts';
import { memberSpec, membersOf } from '../../../../deploy/etcd/members.ts';

test('without flags three members are on loopback, at the ports that etcd has and the next ones', () => {
  const { directory, place, isDryRun } = etcdAskedBy([]);
  expect({ directory, place, isDryRun }).toEqual({
    directory: '/var/lib/cappstan-etcd',
    place: { bind: '127.0.0.1', host: '127.0.0.1', port: 2379 },
    isDryRun: false,
  });
  const members = membersOf(place);
  expect(members.map(({ name, url, peerUrl }) => [name, url, peerUrl])).toEqual([
    ['etcd-0', 'https://127.0.0.1:2379', 'https://127.0.0.1:2380'],
    ['etcd-1', 'https://127.0.0.1:2381', 'https://127.0.0.1:2382'],
    ['etcd-2', 'https://127.0.0.1:2383', 'https://127.0.0.1:2384'],
  ]);
});

test('hubs reach it by its name, and its members each other on loopback', () => {
  const { place } = etcdAskedBy(['--bind-address', '0.0.0.0', '--external-hostname', 'etcd.example']);
  const members = membersOf(place);
  expect(members.map(({ url, near }) => [url, near])[1]).toEqual([
    'https://etcd.example:2381',
    'https://127.0.0.1:2381',
  ]);
  const [first] = members;
  if (first === undefined) throw new Error('no member');
  const files = { binary: 'etcd', dataDir: '/d', leave: '/l', healthPort: 1, authority: '/ca' };
  const serving = { cert: '/c', key: '/k' };
  const { args, addresses, ports } = memberSpec(
    first,
    { all: members, bind: place.bind },
    { ...files, serving },
  );
  expect(args).toEqual(
    expect.arrayContaining([
      '--listen-client-urls=https://0.0.0.0:2379',
      '--listen-peer-urls=https://127.0.0.1:2380',
      '--client-cert-auth',
      '--peer-client-cert-auth',
      '--peer-cert-allowed-cn=etcd-member',
    ]),
  );
  expect({ addresses, ports }).toEqual({ addresses: [{ host: '0.0.0.0', port: 2379 }], ports: [2380, 1] });
});

test.each([
  [['here'], /"here" belongs to no flag/],
  [['--data-dir', ''], /--data-dir needs a value/],
  [['--ports', '1'], /^Unknown option '--ports'\. See cappstan etcd --help\.$/],
  [['-x'], /^Unknown option '-x'\. See cappstan etcd --help\.$/],
  [['--port'], /^Option '--port <value>' argument missing\. See cappstan etcd --help\.$/],
  [['--port', '65531'], /--port must be a number from 1 to 65530/],
  [['--port', 'x'], /--port must be a number/],
  [['--bind-address', 'localhost'], /--bind-address must be an IPv4 address/],
  [['--bind-address', '0.0.0.0'], /--external-hostname must be given with --bind-address 0\.0\.0\.0/],
  [['--external-hostname', 'https://etcd.example'], /--external-hostname must be a name or an IPv4 address/],
])('the command line %j is refused', (args, sentence) => {
  expect(() => etcdAskedBy(args)).toThrow(sentence);
});
