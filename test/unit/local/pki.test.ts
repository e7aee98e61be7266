import { jest } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { openPki, type PairFiles, type Pki } from '../../../deploy/local/kubernetes/pki.ts';
import { authority, P256, P384, RSA, writeAuthority } from '../../support/builders/authority.ts';

const DAY_MS = 86_400_000;
const SERVER = { name: 'server', hosts: ['hub.example', '127.0.0.1'] };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'pki-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const read = (file: string): X509Certificate => new X509Certificate(readFileSync(file));

/** Node's own word on whether a client with this authority accepts this server. */
function accepts(ca: string, { cert, key }: PairFiles, host = 'hub.example'): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) });
    server
      .on('tlsClientError', () => undefined)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        const socket = connect({ port, host: '127.0.0.1', servername: host, ca: readFileSync(ca) });
        const end = (said: string): void => {
          socket.destroy();
          server.close(() => resolve(said));
        };
        socket.once('secureConnect', () => end('yes')).once('error', ({ message }) => end(message));
      });
  });
}

const lasting = (lifetimeMs: number): Promise<Pki> => openPki(dir, { lifetimeMs });

test.each([
  ['RSA', RSA],
  ['the curve P-384', P384],
  ['the curve P-256', P256],
])('a given authority with a key of %s signs, and its files stay as they are', async (_name, algorithm) => {
  const given = await writeAuthority(dir, 'given', await authority('root', { algorithm }));
  const before = readFileSync(given.cert, 'utf8') + readFileSync(given.key, 'utf8');
  const pki = await openPki(join(dir, 'pki'), { authority: given });
  const pair = await pki.issue('server', SERVER);
  expect(await accepts(given.cert, pair)).toBe('yes');
  expect(await accepts(given.cert, pair, 'other.example')).toContain('does not match');
  expect(readFileSync(given.cert, 'utf8') + readFileSync(given.key, 'utf8')).toBe(before);
});

test('a given authority in the middle of a chain is sent along, and whoever has the root accepts it', async () => {
  const root = await authority('root', { algorithm: RSA });
  const policy = await authority('policy', { by: root });
  const issuing = await authority('issuing', { by: policy });
  const given = await writeAuthority(dir, 'given', issuing, [policy, root]);
  const alone = await writeAuthority(dir, 'root', root);
  const pki = await openPki(join(dir, 'pki'), { authority: given });
  const pair = await pki.issue('server', SERVER);
  expect(await accepts(alone.cert, pair)).toBe('yes');
  expect(await accepts(given.cert, pair)).toBe('yes');
  expect(readFileSync(pair.cert, 'utf8').match(/BEGIN/g)).toHaveLength(3);
});

test('a certificate that was written while the clock was ahead is written again when the clock is set', async () => {
  const pki = await openPki(dir, {});
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
  const pair = await pki.issue('server', SERVER).finally(() => clock.mockRestore());
  expect(await accepts(pki.authority.cert, pair)).toContain('not yet valid');
  await pki.issue('server', SERVER);
  expect(await accepts(pki.authority.cert, pair)).toBe('yes');
});

test('a certificate with little life left is written again for the same key, and no other', async () => {
  const old = await lasting(600_000);
  const pair = await old.issue('server', SERVER);
  const [key, before] = [readFileSync(pair.key, 'utf8'), read(pair.cert).serialNumber];
  const now = await lasting(365 * DAY_MS);
  await now.issue('server', SERVER);
  expect(read(pair.cert).serialNumber).not.toBe(before);
  expect(readFileSync(pair.key, 'utf8')).toBe(key);
  expect(await accepts(now.authority.cert, pair)).toBe('yes');
  const renewed = read(pair.cert).serialNumber;
  await now.issue('server', SERVER);
  expect(read(pair.cert).serialNumber).toBe(renewed);
});

test('a certificate for other hosts, or of another authority, is written again', async () => {
  const pki = await openPki(dir);
  const pair = await pki.issue('server', SERVER);
  await pki.issue('server', { ...SERVER, hosts: [...SERVER.hosts, 'second.example'] });
  expect(read(pair.cert).checkHost('second.example')).toBe('second.example');
  const given = await writeAuthority(dir, 'given', await authority('cappstan-local'));
  await (await openPki(dir, { authority: given })).issue('server', SERVER);
  expect(read(pair.cert).checkIssued(read(given.cert))).toBe(true);
});

test('no certificate outlives its authority, and one that ends with it is not written again and again', async () => {
  const given = await writeAuthority(dir, 'given', await authority('short', { endsIn: DAY_MS }));
  const pki = await openPki(join(dir, 'pki'), { authority: given });
  const pair = await pki.issue('server', SERVER);
  expect(read(pair.cert).validTo).toBe(read(given.cert).validTo);
  const { serialNumber } = read(pair.cert);
  await pki.issue('server', SERVER);
  expect(read(pair.cert).serialNumber).toBe(serialNumber);
});

test('a second authority is not trusted by who trusts the first one, and everything is its owner’s alone', async () => {
  const pki = await openPki(dir);
  const etcd = await pki.another('etcd-ca');
  const pair = await etcd.issue('etcd', { ...SERVER, asks: true });
  expect(await accepts(etcd.authority.cert, pair)).toBe('yes');
  expect(await accepts(pki.authority.cert, pair)).not.toBe('yes');
  expect((await (await openPki(dir)).another('etcd-ca')).authority).toEqual(etcd.authority);
  for (const file of [pair.key, pair.cert, etcd.authority.key, pki.authority.key])
    expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('keys of ServiceAccounts and authorities are the same at every start, so tokens outlive it', async () => {
  const texts = async (): Promise<string[]> => {
    const { authority: ca, requestHeader, serviceAccounts } = await openPki(dir);
    return [ca.cert, ca.key, requestHeader.authority.cert, serviceAccounts.privateKey].map((file) =>
      readFileSync(file, 'utf8'),
    );
  };
  expect(await texts()).toEqual(await texts());
});
