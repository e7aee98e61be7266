// `cappstan hub` with a Temporal of somebody else's: a production server behind mutual TLS, with its own
// authority, that runs already. One hub is started; all else is refused before anything is written.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { NOTIFICATION, type Notification } from '../../../crds/notify/notification.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { stackProcesses } from '../../../deploy/local/supervise/stack-processes.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { textIn } from '../../../registrar/cluster.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import {
  argoFlags,
  argoSecret,
  makeArgoSite,
  removeArgoSite,
  USER_SERVER,
} from '../../support/servers/hub-command/argo.ts';
import {
  hubCommand,
  hubCommandWith,
  runHubCommand,
  type HubCommand,
} from '../../support/servers/hub-command/hub-command.ts';
import { readerFlags, saidOfPods } from '../../support/servers/hub-command/reader.ts';
import { startTlsTemporal, type TlsTemporal } from '../../support/servers/network/tls-temporal.ts';

const KEY = { namespace: 'team', name: 'shop' };
const SPEC: Capp['spec'] = {
  state: 'enabled',
  scaleMetric: 'concurrency',
  configurationSpec: {
    template: { spec: { containers: [{ name: 'shop', image: 'registry.example/shop:1' }] } },
  },
};

let folder: string;
let temporal: TlsTemporal;
let client: { readonly cert: string; readonly key: string };
/** With a Temporal of its own. */
let own: HubCommand;
let hub: HubCommand | null = null;
let restored: HubCommand | null = null;
let kube: Kube | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'external-temporal-'));
  temporal = await startTlsTemporal();
  client = await temporal.hub.issue('a-hub', { name: 'cappstan' });
}, 120_000);
afterAll(async () => {
  await kube?.close();
  await hub?.remove();
  await restored?.remove();
  await temporal?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** The address is one, and the certificate is for another name that the server has. */
const at = (...more: string[]): string[] => [
  '--temporal-mode',
  'external',
  '--temporal-address',
  temporal.address,
  '--temporal-ca-file',
  temporal.authority,
  '--temporal-server-name',
  'localhost',
  ...more,
];
const shown = (): string[] => ['--temporal-cert-file', client.cert, '--temporal-key-file', client.key];

/** What Temporal's own command does, with our certificate. */
async function temporally(...words: string[]): Promise<string> {
  const tls = ['--tls-ca-path', temporal.authority, '--tls-server-name', 'localhost'];
  const pair = ['--tls-cert-path', client.cert, '--tls-key-path', client.key];
  const args = [...words, '--address', temporal.address, ...tls, ...pair];
  return (await promisify(execFile)(toolPath('temporal'), args)).stdout;
}

async function refusal(args: readonly string[]): Promise<string> {
  const dir = join(folder, 'never');
  // Beside those of the hub that runs.
  const ports = await openPorts(join(folder, 'other-ports.json'));
  const doors = [
    '--port',
    String(await ports.of('api')),
    '--gateway-port',
    String(await ports.of('gateway')),
  ];
  const own = ['--data-dir', dir, '--bind-address', '127.0.0.1', ...doors];
  const { code, output } = await runHubCommand([...own, ...args]);
  expect(code).toBe(1);
  expect(existsSync(dir)).toBe(false);
  return output;
}

test('a Temporal that does not let us in is refused, with the field of the certificate', async () => {
  expect(await refusal(at())).toMatch(/temporal\.address .*temporal\.certFile \(--temporal-cert-file\)/);
});

test('a namespace that is not there is refused, with the command that makes it', async () => {
  const args = at(...shown(), '--temporal-namespace', 'shop');
  const said = await refusal(args);
  expect(said).toContain('has no namespace shop. Create it: temporal operator namespace create');
  const [, command = ''] = /Create it: temporal (.+)$/m.exec(said) ?? [];
  await temporally(...command.split(' '));
});

test('one without the search attributes is refused, with the command that makes them', async () => {
  const args = at(...shown(), '--temporal-namespace', 'shop');
  // The server's caches learn of a namespace late.
  const said = await eventually(async () => {
    const output = await refusal(args);
    return output.includes('search attribute') ? output : undefined;
  });
  expect(said).toMatch(/shop lacks the search attributes CappNamespace, CappSite, CappPhase of type Keyword/);
  const [, command = ''] = /Create each: temporal (.+)$/m.exec(said) ?? [];
  await temporally(...command.split(' '));
});

test('a hub works with it in that namespace, and runs no Temporal of its own', async () => {
  const ports = await openPorts(join(folder, 'ports.json'));
  own = hubCommand({ api: await ports.of('api'), gateway: await ports.of('gateway') });
  const more = [
    '--notifications',
    'on',
    ...argoFlags(temporal.authority),
    ...readerFlags(temporal.authority),
  ];
  hub = own.with(at(...shown(), '--temporal-namespace', 'shop', ...more));
  await hub.start();
  kube = connect({ kubeconfig: hub.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  const onHub = kube;
  await onHub.create(NAMESPACE, { metadata: { name: KEY.namespace } });
  await onHub.create(CAPP, { metadata: KEY, spec: SPEC });
  await eventually(async () => {
    const now = await onHub.get<Capp>(CAPP, KEY);
    return now?.status?.conditions?.some(({ type }) => type === 'Placed') === true ? now : undefined;
  });
  expect(await temporally('workflow', 'list', '--namespace', 'shop')).toContain('capp/team/shop');
  const names = (await stackProcesses(hub.dir)).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['bridge', 'gateway', 'hub-worker', 'notifier', 'reader', 'registrar']),
  );
  expect(names).not.toContain('temporal');
  expect(existsSync(join(hub.dir, 'data', 'temporal.db'))).toBe(false);
  // With the notifier there is its kind, and what a person has to do is said.
  const chat: KubeObject & { spec: object } = {
    metadata: { ...KEY, name: 'chat' },
    spec: { format: 'Slack' },
  };
  await onHub.create(NOTIFICATION, chat);
  await eventually(async () => {
    const now = await onHub.get<Notification>(NOTIFICATION, { ...KEY, name: 'chat' });
    return now?.status?.conditions?.find(({ reason }) => reason === 'SecretForbidden');
  });
});

test('where it is told of an Argo CD, it makes that one’s cluster of a site that is labelled for it', async () => {
  const onHub = kube as Kube;
  await makeArgoSite(onHub, 'site-1');
  const secret = await eventually(() => argoSecret(onHub, 'site-1'));
  expect(textIn(secret, 'server')).toBe(`${USER_SERVER}/site-1`);
  const { tlsClientConfig } = JSON.parse(textIn(secret, 'config')) as {
    tlsClientConfig: { caData: string };
  };
  expect(Buffer.from(tlsClientConfig.caData, 'base64').toString()).toBe(
    readFileSync(temporal.authority, 'utf8'),
  );
  await removeArgoSite(onHub, 'site-1');
  await eventually(async () => ((await argoSecret(onHub, 'site-1')) === undefined ? true : undefined));
});

test('where it is told of a way to sites, its API server reaches the reader', async () => {
  const said = await eventually(async () => {
    const text = await saidOfPods(kube as Kube, KEY);
    return text.includes('is not on any site') ? text : Promise.reject(new Error(text));
  });
  expect(said).toContain('Capp shop in namespace team is not on any site');
});

test('another hub is refused there', async () => {
  expect(await refusal(at(...shown(), '--temporal-namespace', 'shop'))).toMatch(
    /temporal\.namespace .*shop has \d+ workflows of a hub that run.* Give a namespace that no other hub has/,
  );
});

test('its backup has the files that were given for Temporal, and the hub has no copy of the key', async () => {
  const running = hub as HubCommand;
  const key = readFileSync(client.key, 'utf8').trim().split('\n')[1] ?? '';
  const files = readdirSync(running.dir, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(running.dir, name),
  );
  const having = files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(key));
  expect(having).toEqual([]);
  const file = join(folder, 'backup.tar.gz');
  const done = await runHubCommand(['backup', file, '--data-dir', running.dir]);
  expect(done).toMatchObject({ code: 0 });
  const unpacked = mkdtempSync(join(dirname(file), 'unpacked-'));
  await promisify(execFile)('tar', ['-xzf', file, '-C', unpacked]);
  expect(readFileSync(join(unpacked, 'given', 'temporal.key'), 'utf8')).toBe(
    readFileSync(client.key, 'utf8'),
  );
  expect(existsSync(join(unpacked, 'given', 'temporal-ca.crt'))).toBe(true);
  expect(existsSync(join(unpacked, 'data'))).toBe(false);
});

test('started again it may go on there, though workflows run there, and may go to a Temporal of its own', async () => {
  const running = hub as HubCommand;
  await running.stop();
  const again = await runHubCommand([...running.args, '--dry-run']);
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('namespace shop') as string });
  const back = await runHubCommand([...own.args, '--dry-run']);
  expect(back).toMatchObject({ code: 0, output: expect.stringContaining('Temporal    its own') as string });
});

test('restored, it is refused there once its sites are admitted, because later work of its own runs there', async () => {
  const dir = join(folder, 'restored', 'hub');
  const done = await runHubCommand(['restore', join(folder, 'backup.tar.gz'), '--data-dir', dir]);
  expect(done).toMatchObject({ code: 0 });
  restored = hubCommandWith(dir, ['--config', dir], {});
  await restored.start('nobody can come in');
  expect(await runHubCommand(['admit', '--data-dir', dir])).toMatchObject({ code: 0 });
  await expect(restored.says('The hub is running')).rejects.toThrow(
    /temporal\.namespace .*shop has \d+ workflows of a hub that run/,
  );
});
