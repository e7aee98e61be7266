// Certificates for Temporal that are renewed while we run, with a real Temporal behind TLS that asks for a
// certificate.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { smallest, type Act } from '../../../testbed/smallest-workflow.ts';
import { openPki, type PairFiles, type Pki } from '../../../deploy/local/kubernetes/pki.ts';
import { connectWorker, type WorkerLink } from '../../../workers/process/temporal-worker.ts';
import { connectClient, type TemporalConfig } from '../../../workers/process/temporal.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { FlowNamespace } from '../../support/flow/setup.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { startTlsFront, type TlsFront } from '../../support/servers/network/tls-front.ts';

quietLogs();

const NAMESPACE: FlowNamespace = 'tls';
const QUEUE = 'tls';
const WORKFLOW = fileURLToPath(new URL('../../../testbed/smallest-workflow.ts', import.meta.url));

let folder: string;
let pki: Pki;
let front: TlsFront;
let first: PairFiles;
let second: PairFiles;
let client: Client;
let link: WorkerLink;
let worker: Worker;
let running: Promise<void>;
const done = new Set<string>();
const said: string[] = [];
const log = {
  info: (message: string) => void said.push(message),
  warn: (_: object, message: string) => void said.push(message),
} as never;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cappstan-tls-'));
  pki = await openPki(join(folder, 'pki'));
  first = await pki.issue('first', { name: 'cappstan' });
  second = await pki.issue('second', { name: 'cappstan' });
  front = await startTlsFront(process.env['FLOW_TEMPORAL_ADDRESS'] ?? '', pki);
  front.admit(first);
  await put(first.cert, first.key);
  const config: TemporalConfig = {
    TEMPORAL_ADDRESS: front.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    TEMPORAL_TLS_CA: pki.authority.cert,
    TEMPORAL_TLS_CERT: join(folder, 'tls.crt'),
    TEMPORAL_TLS_KEY: join(folder, 'tls.key'),
  };
  client = await connectClient(config, { log, lookEveryMs: 50 });
  link = await connectWorker(config, { log, lookEveryMs: 50 });
  const act: Act['act'] = async (name) => void done.add(name);
  worker = await Worker.create({
    connection: link.connection,
    namespace: NAMESPACE,
    taskQueue: QUEUE,
    activities: { act },
    workflowsPath: WORKFLOW,
  });
  link.follow(worker);
  running = worker.run();
}, 300_000);

afterAll(async () => {
  worker?.shutdown();
  await running;
  await link?.close();
  await client?.connection.close();
  await front?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function put(cert: string, key: string): Promise<void> {
  await cp(cert, join(folder, 'tls.crt'));
  await cp(key, join(folder, 'tls.key'));
}

/** By way of client and worker. */
async function works(name: string): Promise<void> {
  const handle = await client.workflow.start(smallest, { taskQueue: QUEUE, workflowId: name, args: [name] });
  await eventually(() => done.has(name) || undefined);
  await handle.terminate('the test is over');
}

test('client and worker go on over new connections when their certificate is renewed, and need the old one no more', async () => {
  await works('before');
  front.admit(first, second);
  await put(second.cert, first.key);
  await eventually(
    () => said.filter((message) => message.includes('cannot be used yet')).length >= 2 || undefined,
  );
  await works('half-renewed');
  await put(second.cert, second.key);
  await eventually(() => said.filter((message) => message.includes('reconnected')).length === 2 || undefined);
  front.admit(second);
  await works('renewed');
}, 300_000);

test('certificates that the server does not know yet are tried until it does', async () => {
  const third = await pki.issue('third', { name: 'cappstan' });
  said.length = 0;
  await put(third.cert, third.key);
  await eventually(() => said.some((message) => message.includes('cannot be used yet')) || undefined);
  await works('not known yet');
  front.admit(third);
  await eventually(() => said.filter((message) => message.includes('reconnected')).length === 2 || undefined);
  await works('known');
}, 300_000);
