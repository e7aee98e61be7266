// A start of `cappstan hub` that is told to stop, or is killed, before the hub runs, and a start at another
// port or by another path afterwards: nothing of it goes on running, and the next start goes on from there.
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { isFree, openPorts } from '../../../deploy/local/supervise/ports.ts';
import { stackProcesses } from '../../../deploy/local/supervise/stack-processes.ts';
import { connect } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { begin, saysOf } from '../../support/servers/hub-command/begun.ts';
import {
  BESIDE,
  hubCommand,
  hubCommandWith,
  runHubCommand,
  type HubCommand,
} from '../../support/servers/hub-command/hub-command.ts';

const KEPT = { metadata: { name: 'kept' } };

let folder: string;
let hub: HubCommand;
let doors: { readonly api: number; readonly gateway: number; readonly other: number };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
  const ports = await openPorts(join(folder, 'ports.json'));
  doors = {
    api: await ports.of('api'),
    gateway: await ports.of('gateway'),
    other: await ports.of('other'),
  };
  hub = hubCommand(doors);
});
afterAll(async () => {
  await hub?.remove();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

async function onHub<T extends KubeObject | null>(
  work: (kube: ReturnType<typeof connect>) => Promise<T>,
): Promise<T> {
  const kube = connect({ kubeconfig: hub.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  try {
    return await work(kube);
  } finally {
    await kube.close();
  }
}

test.each([
  'Starting etcd, the API server and Temporal: done',
  'Applying CRDs: done',
  'Starting Open Cluster Management: done',
])(
  'told to stop after it has said "%s", it stops everything and says that it did',
  async (moment) => {
    await hub.start(moment);
    const { code, output } = await hub.stop();
    expect(code).toBe(0);
    expect(output).toContain('Stopping the hub: done');
    expect(output).not.toContain('The hub is running');
    for (const port of [doors.api, doors.gateway]) expect(await isFree(port)).toBe(true);
  },
  300_000,
);

test('killed in the middle, it leaves no process, and the next start goes on from there', async () => {
  await hub.start('Applying CRDs: done');
  // All processes of the hub end with it, which `stop` waits for.
  expect((await hub.stop('SIGKILL')).code).toBeNull();
  await hub.start();
  await onHub((kube) => kube.create(NAMESPACE, KEPT));
  expect((await hub.stop()).code).toBe(0);
}, 600_000);

test('at another port it has what it had, and its kubeconfig leads there', async () => {
  const authority = readFileSync(join(hub.dir, 'cert', 'ca.crt'), 'utf8');
  const moved = hub.with(['--port', String(doors.other)]);
  try {
    await moved.start();
    expect(readFileSync(hub.kubeconfig, 'utf8')).toContain(`https://127.0.0.1:${doors.other}`);
    expect(await onHub((kube) => kube.get(NAMESPACE, { namespace: null, name: 'kept' }))).not.toBeNull();
    expect(readFileSync(join(hub.dir, 'cert', 'ca.crt'), 'utf8')).toBe(authority);
    expect(await isFree(doors.api)).toBe(true);
  } finally {
    await moved.remove();
  }
}, 300_000);

test('a second command says by which path the hub runs, and one of a killed command goes on by the other path', async () => {
  const link = join(folder, 'link');
  symlinkSync(hub.dir, link);
  const other = hubCommandWith(link, [...hub.args, '--data-dir', link], {});
  const first = begin('hub', hub.args, BESIDE);
  try {
    await saysOf(first, 'Applying CRDs: done');
    expect(await runHubCommand(other.args)).toMatchObject({
      code: 1,
      output: expect.stringContaining(`A hub runs in ${link}, which is also ${hub.dir}, already.`) as string,
    });
  } finally {
    first.signal('SIGKILL');
    await first.ended;
  }
  // What it has started is ending meanwhile.
  await other.start('Applying CRDs: done');
  expect((await other.stop()).code).toBe(0);
  expect(await stackProcesses(hub.dir)).toEqual([]);
}, 300_000);
