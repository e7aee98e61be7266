// `cappstan kubeconfig`: a way to a site with an account of one's own, and one sentence where there is none.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from '../../../../cli/program.ts';
import { OF_MANAGED_ACCOUNT } from '../../../../crds/ocm/managed-service-account.ts';
import { statusOf } from '../../../../reach/refusal.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

const UNTIL = '2026-12-24T00:00:00.000Z';
const PEM = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const aToken = (name: string): string =>
  `h.${Buffer.from(JSON.stringify({ sub: `system:serviceaccount:addons:${name}`, exp: Date.parse(UNTIL) / 1000 })).toString('base64url')}.s`;
const aSecret = (token: string, labels: object = { [OF_MANAGED_ACCOUNT]: 'true' }): object => ({
  metadata: { namespace: 'site-1', name: 'dana', labels },
  data: { token: base64(token), 'ca.crt': base64('of the site') },
});
const anAccount = (name: string): object => ({ metadata: { namespace: 'site-1', name } });

const ACCOUNTS =
  '/apis/authentication.open-cluster-management.io/v1beta1/namespaces/site-1/managedserviceaccounts';
const ADD_ON =
  '/apis/addon.open-cluster-management.io/v1alpha1/namespaces/site-1/managedclusteraddons/cluster-proxy';
const TOKEN = '/api/v1/namespaces/site-1/secrets/dana';
const AUTHORITY = '/api/v1/namespaces/open-cluster-management-addon/secrets/proxy-server-ca';

let server: Server;
let dir: string;
/** By path; a number refuses. */
let answers: Record<string, object | number>;
beforeEach(async () => {
  answers = {
    [ADD_ON]: { metadata: { namespace: 'site-1', name: 'cluster-proxy' } },
    [ACCOUNTS]: { metadata: { resourceVersion: '1' }, items: ['cappstan-reader', 'dana'].map(anAccount) },
    [`${ACCOUNTS}/dana`]: anAccount('dana'),
    [TOKEN]: aSecret(aToken('dana')),
    [AUTHORITY]: { metadata: {}, data: { 'ca.crt': base64(PEM) } },
  };
  dir = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  server = createServer(({ url = '' }, response) => {
    // What kinds there are is not known: it is a hub as far as anybody can say.
    const found = answers[url.split('?')[0] ?? ''] ?? (url.includes('/namespaces/') ? 404 : 500);
    const code = typeof found === 'number' ? found : 200;
    const body = typeof found === 'number' ? statusOf(code, 'no') : found;
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const hub = {
    name: 'hub',
    cluster: {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'insecure-skip-tls-verify': true,
    },
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'hub',
    clusters: [hub],
    users: [{ name: 'me', user: { token: 'x' } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'me' } }],
  };
  await writeFile(join(dir, 'hub'), JSON.stringify(config));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true });
});

async function kubeconfig(...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const given = ['kubeconfig', ...args, '--kubeconfig', join(dir, 'hub')];
  const exit = await run({ args: given, name: 'cappstan', version: 'test' }, terminal);
  return { exit, out: out.join('\n'), notes };
}

test('the only account for people is taken, and its token and the authority of the proxy are in the file', async () => {
  const { exit, out, notes } = await kubeconfig('site-1');
  expect(exit).toBe(0);
  expect(parse(out)).toMatchObject({
    'current-context': 'site-1',
    clusters: [
      {
        cluster: {
          server: 'https://cluster-proxy-addon-user.open-cluster-management-addon.svc:9092/site-1',
          'certificate-authority-data': base64(PEM),
        },
      },
    ],
    users: [{ user: { token: aToken('dana') } }],
  });
  expect(out).not.toContain('tls-server-name');
  expect(notes).toEqual([
    expect.stringContaining(UNTIL),
    expect.stringContaining(
      'kubectl port-forward -n open-cluster-management-addon svc/cluster-proxy-addon-user',
    ),
    expect.stringContaining(
      'kubectl create clusterrolebinding dana --clusterrole=view --serviceaccount=addons:dana',
    ),
  ]);
});

test('by another address the certificate is still checked by the name of the Service', async () => {
  const { out } = await kubeconfig('site-1', '--server', 'https://127.0.0.1:9092/');
  expect(parse(out)).toMatchObject({
    clusters: [
      {
        cluster: {
          server: 'https://127.0.0.1:9092/site-1',
          'tls-server-name': 'cluster-proxy-addon-user.open-cluster-management-addon.svc',
        },
      },
    ],
  });
});

test('a file is for its owner alone, and none is written over', async () => {
  const file = join(dir, 'site-1.kubeconfig');
  expect(await kubeconfig('site-1', '--account', 'dana', '--save', file)).toMatchObject({ exit: 0, out: '' });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain(aToken('dana'));
  expect(await kubeconfig('site-1', '--save', file)).toMatchObject({ exit: 2 });
});

test('the token of the reader is lent to nobody, under whatever name it lies', async () => {
  answers[`${ACCOUNTS}/cappstan-reader`] = anAccount('cappstan-reader');
  answers['/api/v1/namespaces/site-1/secrets/cappstan-reader'] = aSecret(aToken('cappstan-reader'));
  const named = await kubeconfig('site-1', '--account', 'cappstan-reader');
  answers[TOKEN] = aSecret(aToken('cappstan-reader'));
  const hidden = await kubeconfig('site-1', '--account', 'dana');
  for (const { exit, out, notes } of [named, hidden]) {
    expect({ exit, out }).toEqual({ exit: 4, out: '' });
    expect(notes).toEqual([expect.stringContaining('lent to nobody')]);
  }
});

const CASES: readonly (readonly [string, Record<string, object | number>, string[], number, string])[] = [
  ['no tunnel', { [ADD_ON]: 404 }, [], 5, 'it has no add-on cluster-proxy'],
  ['no managed-serviceaccount', { [ACCOUNTS]: 404 }, [], 5, 'does not know ManagedServiceAccounts'],
  [
    'no account',
    { [ACCOUNTS]: { metadata: {}, items: [anAccount('cappstan-reader')] } },
    [],
    5,
    'for people',
  ],
  [
    'no account of that name',
    { [`/api/v1/namespaces/site-1/secrets/kim`]: 404, [`${ACCOUNTS}/kim`]: 404 },
    ['--account', 'kim'],
    5,
    'There is no ManagedServiceAccount kim',
  ],
  [
    'several accounts',
    { [ACCOUNTS]: { metadata: {}, items: ['kim', 'dana'].map(anAccount) } },
    [],
    2,
    'choose one with --account, of dana, kim',
  ],
  ['no token yet', { [TOKEN]: 404 }, [], 1, 'has made no token of ManagedServiceAccount dana yet'],
  ['a Secret of somebody else', { [TOKEN]: aSecret(aToken('dana'), {}) }, [], 1, 'has made no token'],
  ['what is no token', { [TOKEN]: aSecret('x.y.z') }, [], 1, 'has made no token'],
  [
    'no right to the token',
    { [TOKEN]: 403 },
    ['--account', 'dana'],
    4,
    'kubectl create role dana-kubeconfig -n site-1 --verb=get --resource=secrets --resource-name=dana &&',
  ],
  ['no right to the accounts', { [ACCOUNTS]: 403 }, [], 4, 'name yours with --account'],
  ['no right to the authority', { [AUTHORITY]: 403 }, [], 4, '--certificate-authority'],
  ['no authority', { [AUTHORITY]: 404 }, [], 5, '--proxy-namespace'],
  ['an authority that is none', {}, ['--certificate-authority', '/dev/null'], 2, 'has no certificate'],
  ['an address without TLS', {}, ['--server', 'http://x'], 2, 'https://127.0.0.1:9092'],
  ['a site that leaves its place', {}, ['../x'], 2, ''],
];

test('who may get that one Secret and nothing else has a kubeconfig', async () => {
  const file = join(dir, 'ca.crt');
  await writeFile(file, PEM);
  Object.assign(answers, { [ADD_ON]: 403, [ACCOUNTS]: 403, [`${ACCOUNTS}/dana`]: 403, [AUTHORITY]: 403 });
  const { exit, out } = await kubeconfig('site-1', '--account', 'dana', '--certificate-authority', file);
  expect(exit).toBe(0);
  expect(out).toContain(aToken('dana'));
  answers[TOKEN] = 404;
  const none = await kubeconfig('site-1', '--account', 'dana', '--certificate-authority', file);
  expect(none.notes).toEqual([expect.stringContaining('has made no token')]);
});

test.each(CASES)('%s is one sentence, and no kubeconfig', async (_what, said, args, exit, sentence) => {
  Object.assign(answers, said);
  const found = await kubeconfig(...(args[0] === '../x' ? args : ['site-1', ...args]));
  expect({ exit: found.exit, out: found.out }).toEqual({ exit, out: '' });
  expect(found.notes).toEqual([expect.stringContaining(sentence)]);
});
