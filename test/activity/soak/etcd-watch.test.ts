// The storm's record, of a real etcd that is killed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { etcd, type Etcd } from '../../../deploy/local/kubernetes/etcd.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { watchEtcd, type EtcdWatch } from '../../soak/storm/record/etcd-watch.ts';
import { beginServer, endServer } from '../../support/servers/api/server-process.ts';

let dir: string;
let store: Etcd;
let running: Awaited<ReturnType<typeof beginServer>>;
let watching: EtcdWatch | null = null;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cappstan-record-'));
  const ports = await openPorts(join(dir, 'ports.json'));
  const [clientPort, peerPort] = [await ports.of('client'), await ports.of('peer')];
  store = etcd({ binary: toolPath('etcd'), dataDir: join(dir, 'data'), clientPort, peerPort });
  running = await beginServer(store.spec, dir);
});
afterAll(async () => {
  await watching?.stop();
  await endServer(running);
  rmSync(dir, { recursive: true, force: true });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function ask(path: string, body: unknown): Promise<void> {
  const response = await fetch(`${store.endpoint}/v3/kv/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

const put = (key: string, value: string) => ask('put', { key: base64(key), value: base64(value) });

test('every version and every end is told once and in order, also of what happens around a kill', async () => {
  const told: string[] = [];
  watching = watchEtcd(store.endpoint, ({ key, value }) => void told.push(`${key}=${value()?.toString()}`));
  await eventually(() => ((watching?.revision() ?? 0) > 0 ? true : undefined));
  await put('/hub/a', '1');
  await put('/hub/a', '2');
  await ask('deleterange', { key: base64('/hub/a') });
  await eventually(() => (told.length === 3 ? true : undefined));
  await endServer(running);
  running = await beginServer(store.spec, dir);
  await put('/hub/b', '3');
  await put('/site-1/b', '4');
  await eventually(() => (told.length >= 5 ? true : undefined));
  expect(told).toEqual(['/hub/a=1', '/hub/a=2', '/hub/a=undefined', '/hub/b=3', '/site-1/b=4']);
  expect(watching.problems).toEqual([]);
});
