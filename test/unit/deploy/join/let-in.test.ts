// Whether a hub lets the agent of a site in by its own credential: real servers on loopback, to which the
// agent's certificate is shown.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLetIn } from '../../../../deploy/join/credential.ts';
import type { HubCredential, KnownHub } from '../../../../deploy/join/hub.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';

let folder: string;
let hub: KnownHub;
let own: HubCredential;
let server: Server;
let says: { readonly code: number; readonly body: string };
let seen: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'let-in-'));
  const pki = await openPki(join(folder, 'pki'), { name: 'hub' });
  const read = (file: string): string => readFileSync(file, 'utf8');
  const serving = await pki.issue('serving', { name: 'kube-apiserver', hosts: ['127.0.0.1'] });
  const agent = await pki.issue('agent', { name: 'agent-of-shop-7' });
  const ca = read(pki.authority.cert);
  own = { cert: read(agent.cert), key: read(agent.key) };
  const tls = { cert: read(serving.cert), key: read(serving.key), ca, requestCert: true };
  server = createServer(tls, ({ socket, url }, answer) => {
    const { subject } = (socket as TLSSocket).getPeerCertificate();
    seen.push(`${String(subject.CN)} ${url}`);
    answer.statusCode = says.code;
    answer.end(says.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  hub = { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca, proxy: null };
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

const cluster = (spec: object): string => JSON.stringify({ metadata: { name: 'shop-7' }, spec });

test.each<[boolean, number, string]>([
  [true, 200, cluster({ hubAcceptsClient: true })],
  [false, 200, cluster({ hubAcceptsClient: false })],
  [false, 200, cluster({})],
  // Its certificate has ended, its cluster is not accepted, and its cluster is gone.
  [false, 401, ''],
  [false, 403, ''],
  [false, 404, ''],
  // Those say nothing of the agent.
  [true, 429, ''],
  [true, 500, ''],
  [true, 503, ''],
])('it is %s that an agent is let in to which the hub answers %i %s', async (isIn, code, body) => {
  [says, seen] = [{ code, body }, []];
  expect(await isLetIn(hub, 'shop-7', own)).toBe(isIn);
  const path = '/apis/cluster.open-cluster-management.io/v1/managedclusters/shop-7';
  expect(seen).toEqual([`agent-of-shop-7 ${path}`]);
});
