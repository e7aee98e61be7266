// Whom a site believes to be the hub of its line, before it shows its token: real servers on loopback, with
// the hub's authority and with others.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificatesOf, fingerprintOfKey } from '../../../../crds/join/authority.ts';
import { clusterInfoMap } from '../../../../crds/join/cluster-info.ts';
import type { JoinLine } from '../../../../crds/join/join-line.ts';
import { codeFor, knownHub } from '../../../../deploy/join/hub.ts';
import { openPki, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';

const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };
let folder: string;
let real: Pki;
let evil: Pki;
let server: Server;
/** What the server says, and what it has been shown. */
let says: { readonly code: number; readonly body: string; readonly date?: string };
let shown: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'join-hub-'));
  real = await openPki(join(folder, 'real'), { name: 'hub' });
  evil = await openPki(join(folder, 'evil'), { name: 'evil' });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => new Promise((done) => server.close(done)));

const caOf = (pki: Pki): string => readFileSync(pki.authority.cert, 'utf8');
const saying = (ca: string): string => JSON.stringify(clusterInfoMap({ server: 'https://hub', ca }));

/** A server with a certificate of this authority. */
async function serving(pki: Pki): Promise<JoinLine> {
  const pair = await pki.issue('serving', { name: 'kube-apiserver', hosts: ['127.0.0.1'] });
  shown = [];
  const tls = { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
  server = createServer(tls, ({ headers, url = '' }, answer) => {
    if (headers.authorization !== undefined) shown.push(headers.authorization);
    if (says.date !== undefined) answer.setHeader('date', says.date);
    answer.statusCode = url.includes('/configmaps/') ? says.code : 200;
    answer.end(says.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const [authority] = certificatesOf(caOf(real));
  return {
    fingerprint: authority === undefined ? '' : fingerprintOfKey(authority.publicKey),
    cluster: 'shop-7',
    token: TOKEN,
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
  };
}

test('the hub of the line is believed, and only its authority, whatever else it sends', async () => {
  says = { code: 200, body: saying(caOf(evil) + caOf(real)) };
  const hub = await knownHub(await serving(real), null);
  expect(certificatesOf(hub.ca).map(String)).toEqual(certificatesOf(caOf(real)).map(String));
  expect(shown).toEqual([]);
  expect(await codeFor(hub, `${TOKEN.id}.${TOKEN.secret}`, '/x')).toBe(200);
  expect(shown).toEqual([`Bearer ${TOKEN.id}.${TOKEN.secret}`]);
});

test('who sends the hub’s certificate and has not its key is not believed', async () => {
  says = { code: 200, body: saying(caOf(real)) };
  await expect(knownHub(await serving(evil), null)).rejects.toThrow(/cannot be reached/);
  expect(shown).toEqual([]);
});

test.each<[string, () => typeof says, RegExp]>([
  ['another authority', () => ({ code: 200, body: saying(caOf(evil)) }), /another authority/],
  ['no certificate', () => ({ code: 200, body: saying('nonsense') }), /another authority/],
  [
    'a broken certificate',
    () => ({ code: 200, body: saying('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n') }),
    /another authority/,
  ],
  ['nothing of itself', () => ({ code: 404, body: '{}' }), /does not say that it is a hub/],
  ['no JSON', () => ({ code: 200, body: '<html>' }), /does not say that it is a hub/],
  ['too much', () => ({ code: 200, body: 'x'.repeat(300_000) }), /too much/],
  [
    'another time',
    () => ({ code: 200, body: saying(caOf(real)), date: 'Sun, 01 Mar 2020 12:00:00 GMT' }),
    /clock/,
  ],
])('a server that sends %s is refused, and is shown no token', async (_what, what, why) => {
  says = what();
  await expect(knownHub(await serving(real), null)).rejects.toThrow(why);
  expect(shown).toEqual([]);
});
