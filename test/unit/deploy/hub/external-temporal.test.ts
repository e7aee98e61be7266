// What is said of a Temporal of somebody else's that cannot serve a hub, before gRPC is spoken.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPki, type PairFiles, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';
import type { ExternalTemporal } from '../../../../deploy/hub/config/temporal.ts';
import { checkTemporal } from '../../../../deploy/hub/temporal/check.ts';

let folder: string;
let pki: Pki;
let serving: PairFiles;
let server: Server | null = null;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'external-temporal-'));
  pki = await openPki(join(folder, 'a'));
  serving = await pki.issue('serving', { name: 'temporal', hosts: ['temporal.example'] });
});
afterEach(stopListening);
afterAll(() => rmSync(folder, { recursive: true }));

const sockets = new Set<Socket>();
async function stopListening(): Promise<void> {
  const former = server;
  server = null;
  const closed = new Promise<void>((done) => (former === null ? done() : former.close(() => done())));
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await closed;
}

async function listening(one: Server): Promise<string> {
  server = one.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(one.address() as AddressInfo).port}`;
}

const secure = (): Promise<string> =>
  listening(
    createTlsServer({
      cert: readFileSync(serving.cert),
      key: readFileSync(serving.key),
      ALPNProtocols: ['h2'],
    }),
  );

const tlsBy = (ca: string, serverName: string | null = null): ExternalTemporal['tls'] => ({ ca, serverName });

async function said(address: string, tls: ExternalTemporal['tls']): Promise<string> {
  const temporal = { mode: 'external', address, namespace: 'cappstan', tls } as const;
  try {
    await checkTemporal(temporal, null);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

test('nobody listens there', async () => {
  expect(await said('127.0.0.1:1', null)).toMatch(
    /^temporal\.address \(--temporal-address\): 127\.0\.0\.1:1 cannot be reached \(.*ECONNREFUSED.*\)\. Start Temporal, or give another\.$/,
  );
});

test('another authority has signed its certificate', async () => {
  const other = await openPki(join(folder, 'b'));
  expect(await said(await secure(), tlsBy(other.authority.cert, 'temporal.example'))).toMatch(
    /no TLS with .* Give the authority that has signed it in temporal\.caFile \(--temporal-ca-file\)\.$/,
  );
});

test('its certificate has another name than the address, or than the one that is given', async () => {
  const sentence = /no TLS with .* Give the name that is in it in temporal\.serverName/;
  expect(await said(await secure(), tlsBy(pki.authority.cert))).toMatch(sentence);
  await stopListening();
  expect(await said(await secure(), tlsBy(pki.authority.cert, 'hub.example'))).toMatch(sentence);
});

test('it speaks no TLS', async () => {
  const address = await listening(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  expect(await said(address, tlsBy(pki.authority.cert, 'temporal.example'))).toMatch(
    /no TLS with .* Look whether Temporal speaks TLS there/,
  );
});

test.each([
  ['a file that is not there', 'caFile', { ca: '/nowhere/ca.crt' }],
  [
    'a certificate that is not there',
    'certFile',
    { pair: { cert: '/nowhere/c.crt', key: '/nowhere/c.key' } },
  ],
])('%s is named by its field', async (_, field, tls) => {
  expect(await said('127.0.0.1:1', { ...tls, serverName: null })).toMatch(
    new RegExp(`^temporal\\.${field} \\(.*\\): /nowhere/.* does not exist\\. Give the path of a PEM file`),
  );
});

test('a pair that does not belong together is refused, and nothing of the key is said', async () => {
  const key = join(folder, 'no.key');
  writeFileSync(key, 'canary');
  const sentence = await said('127.0.0.1:1', { pair: { cert: serving.cert, key }, serverName: null });
  expect(sentence).toMatch(/^temporal\.keyFile .*no\.key is not the key of .* Give a pair/);
  expect(sentence).not.toContain('canary');
});
