// What a hub refuses of a reader before it writes anything.
import { check } from '../../../../../deploy/hub/foundation.ts';
import { read, refusals } from '../../../../support/builders/hub-config.ts';

const ALL = { userServer: 'https://proxy.example:9092/hub-a', userServerCaFile: '/etc/ca.crt' };

test('it runs where file or flags name the way to sites, and nowhere else', () => {
  const reader = { userServer: ALL.userServer, authority: ALL.userServerCaFile };
  expect(read(`reader: ${JSON.stringify(ALL)}`).config.reader).toEqual(reader);
  const flags = ['--reader-user-server', ALL.userServer, '--reader-user-server-ca-file', '/etc/ca.crt'];
  expect(read(null, ...flags).config.reader).toEqual(reader);
  expect(read(null).config.reader).toBeNull();
});

test.each([
  ['--reader-user-server', ALL.userServer, 'reader.userServerCaFile (--reader-user-server-ca-file)'],
  ['--reader-user-server-ca-file', '/etc/ca.crt', 'reader.userServer (--reader-user-server)'],
])('%s alone is refused, and names what is missing', (flag, value, missing) => {
  expect(refusals(null, flag, value)).toEqual([
    `${missing} is missing: the reader needs the address of cluster-proxy's user server and its authority. Give both, or neither.`,
  ]);
});

test.each(['me:word@proxy.example', 'proxy.example/?word', 'proxy.example#word'])(
  'an address with more than a host, a port and a path is refused, and not repeated: %s',
  (rest) => {
    const sentences = refusals(`reader: ${JSON.stringify({ ...ALL, userServer: `https://${rest}` })}`);
    expect(sentences).toEqual([
      expect.stringMatching(/^reader\.userServer \(--reader-user-server\) must be an https address without/),
    ]);
    expect(sentences.join()).not.toContain('word');
  },
);

test('a hub does not start without the authority of the user server, which no backup has', async () => {
  const { config } = read(`reader: ${JSON.stringify({ ...ALL, userServerCaFile: '/nowhere/ca.crt' })}`);
  await expect(check(config)).rejects.toThrow(
    'reader.userServerCaFile (--reader-user-server-ca-file): /nowhere/ca.crt does not exist. Give the path of a PEM file',
  );
});
