// `cappstan hub` with an etcd of somebody else's behind mutual TLS: it knows its own objects there, starts on
// no others, and lets nobody in when they went back to an earlier state.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIG_MAP } from '../../../crds/kubernetes/core.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { stackProcesses } from '../../../deploy/local/supervise/stack-processes.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { hubCommand, runHubCommand, type HubCommand } from '../../support/servers/hub-command/hub-command.ts';
import { startTlsEtcd, type TlsEtcd } from '../../support/servers/network/tls-etcd.ts';

const PREFIX = '/hub-a';

let folder: string;
let etcd: TlsEtcd;
let hub: HubCommand;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'external-etcd-'));
  etcd = await startTlsEtcd();
  const ports = await openPorts(join(folder, 'ports.json'));
  const doors = { api: await ports.of('api'), gateway: await ports.of('gateway') };
  hub = hubCommand(doors).with([...etcd.flags, `--etcd-prefix=${PREFIX}`]);
}, 120_000);
afterAll(async () => {
  await hub?.remove();
  await etcd?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** What a start would be refused for, or what it would do. Nothing is written. */
async function dryRun(dir: string, ...flags: readonly string[]): Promise<string> {
  const doors = ['--bind-address', '127.0.0.1', '--port', '1', '--gateway-port', '2'];
  return (await runHubCommand(['--data-dir', dir, ...doors, ...flags, '--dry-run'])).output;
}

const elsewhere = (): string => join(folder, 'another');

function configMap(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name } };
}

async function onHub<T>(work: (kube: Kube) => Promise<T>, kubeconfig = hub.kubeconfig): Promise<T> {
  const kube = connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
  try {
    return await work(kube);
  } finally {
    await kube.close();
  }
}

const names = (kube: Kube): Promise<readonly string[]> =>
  kube
    .list(CONFIG_MAP, { namespace: 'default' })
    .then(({ items }) => items.map(({ metadata }) => metadata.name).filter((name) => /old|new/.test(name)));

test('a hub starts with its objects below its prefix', async () => {
  await hub.start();
  await onHub((kube) => kube.create(CONFIG_MAP, configMap('old')));
  await etcd.save();
});

test('another hub is refused at that prefix, and not at one of its own', async () => {
  const refused = await dryRun(elsewhere(), ...etcd.flags, `--etcd-prefix=${PREFIX}`);
  expect(refused).toContain(`what is below ${PREFIX} in the etcd at`);
  expect(refused).toContain('is another hub’s. Give another etcd.prefix (--etcd-prefix), or another etcd.');
  expect(await dryRun(elsewhere(), ...etcd.flags, '--etcd-prefix=/hub-b')).toContain(
    'A new hub would be made',
  );
});

test('without its certificate nobody can look into the etcd, and the fields are named', async () => {
  const bare = etcd.flags.filter((flag) => !/cert-file|key-file/.test(flag));
  const warned = await dryRun(elsewhere(), ...bare, '--etcd-prefix=/hub-b');
  expect(warned).toContain('etcd gives no answer');
  expect(warned).toContain('as who etcd.caFile (--etcd-ca-file), etcd.certFile (--etcd-cert-file)');
});

test('when its etcd goes back to an earlier state while it runs, nobody comes in until a person has seen it', async () => {
  await onHub((kube) => kube.create(CONFIG_MAP, configMap('new')));
  await etcd.goBack();
  await hub.says('nobody can come in');
  const running = (await stackProcesses(hub.dir)).map(({ name }) => name);
  expect(running).toContain('hub-api-server');
  expect(running).not.toContain('gateway');
  const admitted = await runHubCommand(['admit', '--data-dir', hub.dir]);
  expect(admitted).toMatchObject({ code: 0, output: expect.stringContaining('as its etcd was') as string });
  // It said that it runs when it was started first, too: it does when others can come in.
  expect(await eventually(() => onHub(names), { withinMs: 240_000, everyMs: 500 })).toEqual(['old']);
  const open = async (): Promise<true | undefined> =>
    (await stackProcesses(hub.dir)).some(({ name }) => name === 'gateway') ? true : undefined;
  await eventually(open, { withinMs: 240_000 });
  // As long as all that it waits for may take.
}, 900_000);
