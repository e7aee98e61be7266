import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byTls, relay, relayByFirstBytes } from '../../../../deploy/local/dataplane/network/relay.ts';

const dir = mkdtempSync(join(tmpdir(), 'cappstan-relay-'));
const opened: Server[] = [];
afterAll(() => {
  for (const server of opened) server.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A server on a Unix socket that answers what it was sent, after its name, once the client has ended. */
async function echo(name: string): Promise<{ path: string }> {
  const path = join(dir, name);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', () => socket.end(`${name}:${Buffer.concat(parts).toString('latin1')}`));
  });
  opened.push(server);
  await once(server.listen(path), 'listening');
  return { path };
}

function ask(server: Server, text: string | Buffer): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket: Socket = connect({ host: '127.0.0.1', port });
  let said = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    said += part;
  });
  socket.on('error', () => undefined).end(text);
  return new Promise((resolve) => socket.once('close', () => resolve(said)));
}

const LOOPBACK = { host: '127.0.0.1', port: 0 };

test('a connection goes through a door in the file system, both ways, and ends on both sides', async () => {
  const target = await echo('api');
  const server = await relay(LOOPBACK, () => target);
  opened.push(server);
  expect(await ask(server, 'x'.repeat(200_000))).toBe(`api:${'x'.repeat(200_000)}`);
});

test('requests with and without TLS arrive at one port, and go to different ones with all their bytes', async () => {
  const server = await relayByFirstBytes(LOOPBACK, byTls(await echo('tls'), await echo('plain')));
  opened.push(server);
  expect(await ask(server, 'GET / HTTP/1.1')).toBe('plain:GET / HTTP/1.1');
  expect(await ask(server, Buffer.from([0x16, 3, 1]))).toBe('tls:\x16\x03\x01');
});

test('a connection to nobody, or to a door that nobody holds open, is closed', async () => {
  const nobody = await relay(LOOPBACK, () => null);
  const closed = await relay(LOOPBACK, () => ({ path: join(dir, 'closed') }));
  opened.push(nobody, closed);
  expect(await ask(nobody, 'x')).toBe('');
  expect(await ask(closed, 'x')).toBe('');
});

test('a door that a killed process left is opened again', async () => {
  const path = join(dir, 'left');
  writeFileSync(path, '');
  opened.push(await relay({ path }, () => null));
});
