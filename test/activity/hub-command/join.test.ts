// A site with an API server and authorities of its own joins a hub by `cappstan token` and `cappstan join`,
// runs what the hub sends, and leaves.
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenKey } from '../../../crds/join/bootstrap-token.ts';
import { parseJoinLine, joinLine } from '../../../crds/join/join-line.ts';
import { JOINED_BY } from '../../../crds/labels.ts';
import { NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import {
  APPLIED_MANIFEST_WORK,
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type ManagedCluster,
  type ManifestWork,
} from '../../../crds/ocm/ocm.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api-server.ts';
import { hubCommand, type HubCommand } from '../../support/servers/hub-command.ts';
import { forPeople, joinCommand, type Running } from '../../support/servers/join-command.ts';

const LONG = { withinMs: 240_000 };
const AGENT = { namespace: null, name: 'open-cluster-management-agent' };

let hub: HubCommand;
let onHub: Kube;
let server: ApiServerForTests;
let site: Kube;
let folder: string;
let line: string;
let running: Running | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'join-command-'));
  const ports = await openPorts(join(folder, 'ports.json'));
  hub = hubCommand({ api: await ports.of('api'), gateway: await ports.of('gateway') });
  [server] = await Promise.all([
    startApiServer({
      controllers: ['serviceaccount-controller', 'namespace-controller', 'garbage-collector-controller'],
    }),
    hub.start(),
  ]);
  onHub = connect({ kubeconfig: hub.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  site = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
}, 600_000);
afterAll(async () => {
  await running?.stop();
  await onHub?.close();
  await site?.close();
  await hub?.remove();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

const people = (...args: string[]) => forPeople([...args, '--kubeconfig', hub.kubeconfig]);
const onSite = (dir: string): string[] => [
  '--kubeconfig',
  server.kubeconfig,
  '--data-dir',
  join(folder, dir),
];
const clusterOf = (name: string): Promise<ManagedCluster | null> =>
  onHub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });

async function refused(args: readonly string[]): Promise<string> {
  const { code, output } = await joinCommand(args).ended;
  expect(code).toBe(1);
  return output;
}

test('a token is one line, and its cluster is known and not accepted', async () => {
  const { code, out } = await people('token', '--cluster', 'shop-7', '--label', 'region=eu', '--ttl', '1h');
  expect(code).toBe(0);
  line = out.trim();
  expect(parseJoinLine(line)).toMatchObject({ cluster: 'shop-7', host: '127.0.0.1' });
  expect(await clusterOf('shop-7')).toMatchObject({
    metadata: { labels: { region: 'eu' } },
    spec: { hubAcceptsClient: false },
  });
  expect((await people('joins')).out).toMatch(/shop-7\s+Expected/);
  const again = await people('token', '--cluster', 'shop-7');
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('--existing') as string });
});

test('what is wrong is said before anything is written', async () => {
  const known = parseJoinLine(line);
  if (known === null) throw new Error('no line');
  const with_ = (more: Partial<typeof known>): string => joinLine({ ...known, ...more });
  expect(
    await refused(['join', with_({ fingerprint: `sha256:${'0'.repeat(64)}` }), ...onSite('a')]),
  ).toContain('another authority');
  const forged = with_({ token: { ...known.token, secret: 'a'.repeat(16) } });
  const said = await refused(['join', forged, ...onSite('a')]);
  expect(said).toContain('does not know the token');
  expect(said).not.toContain('a'.repeat(16));
  expect(await refused(['join', with_({ port: 1 }), ...onSite('a')])).toContain('cannot be reached');
  expect(await refused(['join', 'J1nonsense', ...onSite('a')])).toContain('no line of cappstan token');
  expect(await refused(['join', line, '--cluster', 'shop-8', ...onSite('a')])).toContain('for shop-7 alone');
  expect(await refused(['leave', ...onSite('a')])).toContain('has not joined');
  const dry = await joinCommand(['join', line, '--dry-run', ...onSite('a')]).ended;
  expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('Nothing was written') as string });
  expect(await site.get(NAMESPACE, AGENT)).toBeNull();
  expect(readdirSync(folder)).not.toContain('a');
});

test('the site joins and becomes Available, though the hub worker is killed meanwhile', async () => {
  running = joinCommand(['join', line, ...onSite('a')]);
  await running.says('Preparing the site');
  process.kill(await hub.pidOf('hub-worker'), 'SIGKILL');
  await running.says('shop-7 is Available');
  const cluster = await clusterOf('shop-7');
  expect(cluster).toMatchObject({ metadata: { labels: { region: 'eu' } }, spec: { hubAcceptsClient: true } });
  expect(cluster?.metadata.annotations?.[JOINED_BY]).toMatch(/\/shop-7-[^/]+\//);
});

test('its token is spent and gone: nobody joins by it again', async () => {
  const { id } = parseJoinLine(line)?.token ?? { id: '' };
  const isGone = async (): Promise<true | undefined> =>
    (await onHub.getMetadata(SECRET, tokenKey(id))) === null ? true : undefined;
  await eventually(isGone, LONG);
  const other = await startApiServer();
  try {
    const args = ['--kubeconfig', other.kubeconfig, '--data-dir', join(folder, 'thief')];
    expect(await refused(['join', line, ...args])).toContain('does not know the token');
  } finally {
    await other.stop();
  }
});

test('no log and no history of the hub has the token', () => {
  const { secret } = parseJoinLine(line)?.token ?? { secret: '' };
  const files = filesIn(hub.dir).filter((file) => !file.includes('/data/etcd'));
  const having = (text: string): string[] => files.filter((file) => readFileSync(file).includes(text));
  expect(secret).toHaveLength(16);
  expect(having(secret)).toEqual([]);
  // It is looked for where it would be.
  expect(having('join/shop-7').some((file) => file.includes('temporal'))).toBe(true);
});

test('what the hub sends is applied on the site', async () => {
  const work = {
    metadata: { namespace: 'shop-7', name: 'hello' },
    spec: {
      workload: {
        manifests: [
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'hello' } },
        ],
      },
    },
  };
  await onHub.create<ManifestWork>(MANIFEST_WORK, work);
  await eventually(async () => {
    const now = await onHub.get<ManifestWork>(MANIFEST_WORK, work.metadata);
    return now?.status?.conditions?.some(({ type, status }) => type === 'Applied' && status === 'True') ===
      true
      ? true
      : undefined;
  }, LONG);
});

test('a rerun goes on where it was, without a token', async () => {
  const { code } = (await running?.stop()) ?? { code: null };
  expect(code).toBe(0);
  running = joinCommand(['join', line, ...onSite('a')]);
  await running.says('shop-7 is Available');
});

test('it leaves when the hub has nothing there any more, and nothing of it stays', async () => {
  expect(await refused(['leave', ...onSite('a')])).toContain('kubectl delete managedcluster shop-7');
  await onHub.remove(MANAGED_CLUSTER, { namespace: null, name: 'shop-7' });
  await eventually(
    async () => ((await site.list(APPLIED_MANIFEST_WORK)).items.length === 0 ? true : undefined),
    LONG,
  );
  await eventually(async () => ((await clusterOf('shop-7')) === null ? true : undefined), LONG);
  await running?.stop();
  running = null;
  const { code, output } = await joinCommand(['leave', ...onSite('a')]).ended;
  expect({ code, output }).toMatchObject({ code: 0 });
  await eventually(async () => ((await site.get(NAMESPACE, AGENT)) === null ? true : undefined), LONG);
  expect(readdirSync(folder)).not.toContain('a');
});

test('without a token for it a cluster waits until a person accepts it', async () => {
  const { out } = await people('token', '--any');
  running = joinCommand(['join', out.trim(), '--cluster', 'shop-9', ...onSite('b')]);
  await running.says('Asked, AwaitingAcceptance');
  expect(await clusterOf('shop-9')).toMatchObject({ spec: { hubAcceptsClient: false } });
  expect((await people('joins')).out).toMatch(/shop-9\s+Asked\s+AwaitingAcceptance/);
  expect(await people('accept', 'shop-9')).toMatchObject({ code: 0 });
  await running.says('shop-9 is Available');
});

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile());
}
