// What is said of an etcd of somebody else's before a hub starts on it: its files, its address, and whether
// it is the one that the hub trusts. Real TLS servers on loopback answer as its JSON API does.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubConfig } from '../../../../deploy/hub/config/config.ts';
import type { ClientTls } from '../../../../deploy/hub/config/pair.ts';
import { checkEtcd } from '../../../../deploy/hub/doors.ts';
import { storeOfHub } from '../../../../deploy/hub/store/claim.ts';
import { openPki, type PairFiles, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';
import { x509 } from '../../../../tls/x509.ts';
import { read } from '../../../support/builders/hub-config.ts';

let folder: string;
let pki: Pki;
let server: Server | null = null;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'etcd-tls-'));
  pki = await openPki(join(folder, 'a'));
});
afterEach(async () => {
  const former = server;
  server = null;
  if (former !== null) await new Promise((done) => former.close(done));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function listening(name: string, host: string, at = '127.0.0.1'): Promise<number> {
  const pair: PairFiles = await pki.issue(name, { name: 'etcd', hosts: [host] });
  const tls = { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
  const one = createServer(tls, (_asked, answer) => answer.end('{}'));
  server = one;
  await new Promise<void>((done) => one.listen(0, at, done));
  return (one.address() as AddressInfo).port;
}

function hubOn(at: string, tls: ClientTls | null): HubConfig {
  const { config } = read(null, '--etcd-mode', 'external', '--etcd-servers', at);
  return {
    ...config,
    dataDirectory: folder,
    etcd: { ...config.etcd, servers: [at], tls } as HubConfig['etcd'],
  };
}

/** Of a start that looks at the etcd and writes nothing: its warnings, or why it is refused. */
async function said(port: number, tls: ClientTls): Promise<string> {
  const config = hubOn(`https://127.0.0.1:${port}`, tls);
  return storeOfHub(config, null).then(
    ({ warnings }) => warnings.join(' '),
    ({ name, message }: Error) => `${name}: ${message}`,
  );
}

test('one that the given authority has signed for its address is looked into', async () => {
  expect(await said(await listening('good', '127.0.0.1'), { ca: pki.authority.cert })).toBe('');
});

test('one whose certificate another authority has signed is refused, since the API server would not trust it', async () => {
  const other = await openPki(join(folder, 'b'));
  const port = await listening('good', '127.0.0.1');
  expect(await said(port, { ca: other.authority.cert })).toMatch(
    /^ConfigRefused: etcd\.servers \(--etcd-servers\): no TLS with etcd \(.*\)\. Give the authority that has signed it in etcd\.caFile \(--etcd-ca-file\)\.$/,
  );
});

test('one whose certificate is for another name is refused, with what to give', async () => {
  expect(await said(await listening('named', 'etcd.example'), { ca: pki.authority.cert })).toMatch(
    /^ConfigRefused: .*\. Give a name or address that is in its certificate in etcd\.servers \(--etcd-servers\)\.$/,
  );
});

test.each<[string, () => ClientTls, RegExp]>([
  [
    'an authority',
    () => ({ ca: '/nowhere/ca.crt' }),
    /^etcd\.caFile \(--etcd-ca-file\): \/nowhere\/ca\.crt does not exist\. Give/,
  ],
  [
    'a certificate',
    () => ({ pair: { cert: '/nowhere/c.crt', key: '/nowhere/c.key' } }),
    /^etcd\.certFile \(--etcd-cert-file\): \/nowhere\/c\.crt does not exist\. Give/,
  ],
])('%s that is not there is named before anything is asked', async (_what, tls, sentence) => {
  await expect(checkEtcd(hubOn('https://127.0.0.1:1', tls()))).rejects.toThrow(sentence);
});

test('a key that is not that of the certificate is refused, and nothing of it is said', async () => {
  const { cert } = await pki.issue('client', { name: 'hub' });
  const key = join(folder, 'no.key');
  writeFileSync(key, 'canary');
  const refused = checkEtcd(hubOn('https://127.0.0.1:1', { pair: { cert, key } }));
  await expect(refused).rejects.toThrow(/^etcd\.keyFile .*no\.key is not the key of .*Give a pair/);
  await expect(refused).rejects.not.toThrow('canary');
});

test('a pair with a key that is small is one, though Node does not show itself with it', async () => {
  const pair = { cert: join(folder, 'small.crt'), key: join(folder, 'small.key') };
  const signing = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const size = { modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) };
  const keys = await webcrypto.subtle.generateKey({ ...signing, ...size }, true, ['sign', 'verify']);
  const made = { name: 'CN=hub', keys, signingAlgorithm: signing };
  writeFileSync(pair.cert, (await x509.X509CertificateGenerator.createSelfSigned(made)).toString('pem'));
  const secret = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  writeFileSync(pair.key, x509.PemConverter.encode(secret, 'PRIVATE KEY'));
  const port = await listening('good', '127.0.0.1');
  const tls = { ca: pki.authority.cert, pair };
  await expect(checkEtcd(hubOn(`https://127.0.0.1:${port}`, tls))).resolves.toBeUndefined();
  expect(await said(port, tls)).toMatch(/^etcd\.servers .*So nobody sees whether/);
});

test('an IPv6 address and the port that is usual for its scheme are taken', async () => {
  const port = await listening('six', '127.0.0.1', '::1');
  await expect(checkEtcd(hubOn(`https://[::1]:${port}`, null))).resolves.toBeUndefined();
  const { config } = read(null, '--etcd-mode', 'external', '--etcd-servers', 'https://etcd.example:443');
  expect(config.etcd).toMatchObject({ servers: ['https://etcd.example:443'] });
});
