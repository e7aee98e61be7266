// The Secret with a hub's kubeconfig, looked at again and again: by a server on loopback that has that one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Secret } from '../../../../crds/kubernetes/core.ts';
import { publish } from '../../../../deploy/hub/publish.ts';

const KEY = { namespace: 'hubs-a', name: 'hub' };
const EMPTY: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: KEY };
const TEXT = Buffer.from('a kubeconfig').toString('base64');

let folder: string;
let server: Server;
let secret: Secret | null;
let writes: number;
let look: () => Promise<void>;
async function answerTo(request: IncomingMessage, answer: ServerResponse): Promise<void> {
  if (request.method === 'PATCH' && secret !== null) {
    writes += 1;
    secret = { ...secret, ...((await json(request)) as Pick<Secret, 'data'>) };
  }
  answer.writeHead(secret === null ? 404 : 200, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(secret ?? { kind: 'Status', code: 404, reason: 'NotFound' }));
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'publish-'));
  [secret, writes] = [EMPTY, 0];
  server = createServer((request, answer) => void answerTo(request, answer));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const [kubeconfig, file] = [join(folder, 'host.kubeconfig'), join(folder, 'hub.kubeconfig')];
  const cluster = {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'insecure-skip-tls-verify': true,
  };
  const host = {
    clusters: [{ name: 'host', cluster }],
    users: [{ name: 'hub', user: {} }],
    contexts: [{ name: 'host', context: { cluster: 'host', user: 'hub' } }],
    'current-context': 'host',
  };
  writeFileSync(kubeconfig, JSON.stringify(host));
  writeFileSync(file, 'a kubeconfig');
  look = () => publish({ secret: KEY, kubeconfig }, file);
});
afterEach(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

test('a Secret that was deleted and is made again, empty, is filled again; one that is filled is not written', async () => {
  await look();
  await look();
  expect([secret?.data, writes]).toEqual([{ kubeconfig: TEXT }, 1]);
  secret = null;
  await expect(look()).rejects.toThrow(/^publish\.secret .*hubs-a\/hub .*Create it, empty/);
  secret = EMPTY;
  await look();
  await look();
  expect([secret.data, writes]).toEqual([{ kubeconfig: TEXT }, 2]);
});
