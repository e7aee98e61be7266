// Several files in KUBECONFIG are put together as kubectl does it: who types both commands means one cluster.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { stringify } from 'yaml';
import { contextsIn, endpointOf } from '../../../kube/http/credentials.ts';

let folder: string;
const before = process.env['KUBECONFIG'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfigs-'));
  await written('east', config('east', 'admin'));
  await written('west', config('west', 'admin'));
  await written('east-again', config('east', 'admin', 'https://elsewhere.test'));
  await written('none-chosen', { ...config('north', 'ann'), 'current-context': '' });
  await written('empty', '');
  await written('comments', '# nothing yet\n');
  await written('null', 'null\n');
  await written('marker', '---\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  if (before === undefined) delete process.env['KUBECONFIG'];
  else process.env['KUBECONFIG'] = before;
});

const config = (name: string, user: string, server = `https://${name}.test`): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name, cluster: { server } }],
  users: [{ name: user, user: { tokenFile: `token-for-${name}` } }],
  contexts: [{ name, context: { cluster: name, user } }],
  'current-context': name,
});

async function written(name: string, content: object | string): Promise<void> {
  await writeFile(join(folder, name), typeof content === 'string' ? content : stringify(content));
  await writeFile(join(folder, `token-for-${name}`), `${name}\n`);
}

function named(...files: string[]): void {
  process.env['KUBECONFIG'] = files.map((file) => join(folder, file)).join(delimiter);
}

test.each([
  [['east', 'west'], 'https://east.test'],
  [['west', 'east'], 'https://west.test'],
  [['none-chosen', 'west'], 'https://west.test'],
  [['east', 'east-again'], 'https://east.test'],
  [['east-again', 'east'], 'https://elsewhere.test'],
  [['missing', 'west'], 'https://west.test'],
  [['west', 'missing'], 'https://west.test'],
  [['empty', 'west', 'east'], 'https://west.test'],
  [['comments', 'west'], 'https://west.test'],
  [['null', 'west'], 'https://west.test'],
  [['marker', 'west'], 'https://west.test'],
])(
  'of %j the first that has a current context counts, and the first that has a name: %s',
  (files, origin) => {
    named(...files);
    expect(endpointOf().origin).toBe(origin);
  },
);

test('a user whom two files name is the one of the first, with the token file beside that', async () => {
  named('east', 'west');
  expect(contextsIn({})).toEqual(['east', 'west']);
  const { headers } = await endpointOf({ context: 'west' }).credentials();
  expect(headers['authorization']).toBe('Bearer east');
});

test('a file that cannot be read is named, and one that is not there where it is the only one', () => {
  named('.', 'west');
  expect(() => endpointOf()).toThrow(`The kubeconfig ${join(folder, '.')} cannot be read: `);
  named('missing');
  expect(() => endpointOf()).toThrow(/ENOENT/);
});

test.each([
  ['!hunter2secret', 'unknown scalar tag (1:8)'],
  ['!<!hunter2secret> x', 'unknown scalar tag (1:8)'],
  ['*hunter2secret', 'unidentified alias (1:9)'],
  ['!hun"ter2secret', 'tag name cannot contain such characters (1:23)'],
  ['hunter2secret: a', 'bad indentation of a mapping entry (1:21)'],
  ['[hunter2secret', 'deficient indentation (2:1)'],
])(
  'what is wrong with a file whose token is %j is said with its place, and without the token',
  async (token, fault) => {
    await written('faulty', `token: ${token}\n`);
    named('faulty');
    expect(() => endpointOf()).toThrow(
      new Error(`The kubeconfig ${join(folder, 'faulty')} cannot be read: ${fault}`),
    );
  },
);

test('a file of another form is named', async () => {
  await written('faulty', 'users: [null]\n');
  named('faulty');
  expect(() => endpointOf()).toThrow(/faulty cannot be read: it has not the form of a kubeconfig$/);
});
