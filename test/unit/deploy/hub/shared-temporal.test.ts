// When a hub looks whether another one works in the namespace that it was given, step by step as it starts:
// with a Temporal on loopback that says of each namespace how many workflows of a hub run there.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { admitAll, restoredFile } from '../../../../deploy/hub/admit/restored.ts';
import { isPartName } from '../../../../deploy/hub/backup/archive.ts';
import type { HubConfig } from '../../../../deploy/hub/config/config.ts';
import { remember } from '../../../../deploy/hub/data-directory.ts';
import { check, layFoundation } from '../../../../deploy/hub/foundation.ts';
import { BEHIND_SHUT_DOORS } from '../../../../deploy/hub/shut.ts';
import { rememberWorked, workedFile } from '../../../../deploy/hub/temporal/worked.ts';
import { writeJson } from '../../../../deploy/local/supervise/json-file.ts';

/** Of CountWorkflowExecutionsResponse it is the count, a varint (protobuf: encoding). */
const FIELD_1 = 8;
const TAKEN = /temporal\.namespace .* has 3 workflows of a hub that run, and it was not this one/;
const WORKERS = [{ name: 'webhook' }, { name: 'hub-worker' }];

let dir: string;
let running: number;
const servers: Server[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'shared-temporal-'));
  running = 0;
});
afterEach(() => {
  for (const server of servers.splice(0)) server.forceShutdown();
  rmSync(dir, { recursive: true });
});

/** Its address. What it has no words for it answers with nothing. */
async function aTemporal(): Promise<string> {
  const server = new Server();
  const answers = (method: string, answer: () => Uint8Array): void => {
    const same = (bytes: Buffer): Buffer => bytes;
    server.register(
      `/temporal.api.${method}`,
      (_: unknown, done: (error: null, bytes: Buffer) => void) => done(null, Buffer.from(answer())),
      same,
      same,
      'unary',
    );
  };
  const nothing = (): Uint8Array => new Uint8Array();
  for (const method of ['GetSystemInfo', 'DescribeNamespace', 'DescribeTaskQueue'])
    answers(`workflowservice.v1.WorkflowService/${method}`, nothing);
  answers('workflowservice.v1.WorkflowService/CountWorkflowExecutions', () =>
    Uint8Array.of(FIELD_1, running),
  );
  servers.push(server);
  const port = await new Promise<number>((done, fail) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? done(bound) : fail(error),
    ),
  );
  return `127.0.0.1:${port}`;
}

const configWith = (temporal: HubConfig['temporal']): HubConfig => ({
  dataDirectory: dir,
  bindAddress: '127.0.0.1',
  apiServer: { externalHostname: 'hub.example', port: 0, externalPort: null, authority: null },
  etcd: { mode: 'embed', prefix: '/registry' },
  temporal,
  image: null,
  gateway: { port: 0, externalHostname: null, externalPort: null },
  publish: null,
  provisionNamespaces: [],
  provisionClusterSets: [],
  notifications: false,
  argo: null,
  reader: null,
  sealing: false,
});

const configAt = (address: string, namespace = 'cappstan'): HubConfig =>
  configWith({ mode: 'external', address, namespace, tls: null });

/** As far as a start goes without servers; with `WORKERS` it has come to the end. */
async function start(config: HubConfig, started: readonly { readonly name: string }[]): Promise<void> {
  await layFoundation(config, await check(config));
  rememberWorked(config, started);
}

test('a restored hub looks once its sites are admitted, though it was started there behind shut doors', async () => {
  const config = configAt(await aTemporal());
  remember(dir, { version: 1, etcd: { mode: 'embed', prefix: '/registry' }, authority: null });
  writeJson(restoredFile(dir), { at: '2026-11-27T08:00:00Z' });
  running = 3;
  await start(
    config,
    [...BEHIND_SHUT_DOORS].map((name) => ({ name })),
  );
  await admitAll(dir);
  await expect(check(config)).rejects.toThrow(TAKEN);
});

test('a start that ended before its workers did counts as none', async () => {
  const config = configAt(await aTemporal());
  await start(config, [{ name: 'etcd' }]);
  running = 3;
  await expect(check(config)).rejects.toThrow(TAKEN);
});

test('a hub whose workers have worked there goes on, whatever runs there', async () => {
  const config = configAt(await aTemporal());
  await start(config, WORKERS);
  running = 3;
  await expect(check(config)).resolves.toMatchObject({ shut: null });
});

test.each<[string, (here: string, other: string) => HubConfig]>([
  ['in a namespace of that name at another address', (_, other) => configAt(other)],
  ['in another namespace', (here) => configAt(here, 'another')],
  ['with a Temporal of its own', () => configWith({ mode: 'embed', ui: false })],
])('a hub that has worked %s since looks', async (_, since) => {
  const here = await aTemporal();
  const config = configAt(here);
  await start(config, WORKERS);
  await start(since(here, await aTemporal()), WORKERS);
  running = 3;
  await expect(check(config)).rejects.toThrow(TAKEN);
});

test('where it has worked is in no backup', () => {
  expect(isPartName(workedFile('.'))).toBe(false);
});
