// `cappstan hub`, two of them side by side in fresh directories, with all that they start.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET, SERVICE_ACCOUNT } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK_REPLICA_SET, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { bindsASet, registering } from '../../support/servers/hub-command/as-clusteradm.ts';
import { replicaSetWith } from '../../support/servers/hub-command/canary.ts';
import { askedWhileCertificatesEnd } from '../../support/servers/hub-command/certificates-end.ts';
import { agentOf, gatewaySays, letIn } from '../../support/servers/hub-command/gateway-door.ts';
import { hubListed, runHubCommand } from '../../support/servers/hub-command/hub-command.ts';
import {
  adminOf,
  greeting,
  portOf,
  temporalSays,
  version,
  workflowsShown,
} from '../../support/servers/hub-command/hub-doors.ts';
import { startHub, tokenOf, type HubStarted } from '../../support/servers/hub-command/started-hub.ts';
import { filesIn } from '../../support/servers/joining/files-seen.ts';
import { unpackedHub, type UnpackedHub } from '../../support/servers/hub-command/unpacked-hub.ts';

/** The token by which a cluster registers. */
const JOINING = { id: 'abcdef', secret: '0123456789abcdef' };
const VERSION = expect.stringMatching(/^\d+\.\d+\.\d+/) as string;
const KEY = { namespace: 'team', name: 'shop' };
const SPEC: Capp['spec'] = {
  state: 'enabled',
  scaleMetric: 'concurrency',
  configurationSpec: {
    template: { spec: { containers: [{ name: 'shop', image: 'registry.example/shop:1' }] } },
  },
};

let first: HubStarted;
/** From the archive of `make hub`, on a machine that has nothing. */
let second: HubStarted;
let archive: UnpackedHub;

beforeAll(async () => {
  first = await startHub();
  archive = await unpackedHub();
  second = await startHub(archive.program);
}, 600_000);
afterAll(async () => {
  for (const hub of [first, second]) {
    await hub?.kube.close();
    await hub?.remove();
  }
  await archive?.remove();
}, 120_000);

test('a Capp on a fresh hub is looked at by its workflow, which says that there is no site', async () => {
  await first.kube.create(NAMESPACE, { metadata: { name: KEY.namespace } });
  await first.kube.create(CAPP, { metadata: KEY, spec: SPEC });
  const capp = await eventually(async () => {
    const now = await first.kube.get<Capp>(CAPP, KEY);
    return now?.status?.conditions?.some(({ type }) => type === 'Placed') === true ? now : undefined;
  });
  expect(capp.status?.conditions?.find(({ type }) => type === 'Placed')).toMatchObject({ status: 'False' });
});

test('what one hub has issued, the other refuses at every door', async () => {
  expect(await greeting(first, adminOf(first))).toBe('welcome');
  expect(await greeting(second, adminOf(first))).toMatch(/401|Unauthorized/);
  const token = await tokenOf(first);
  expect(await greeting(second, { token })).toMatch(/401|Unauthorized/);
  expect(await greeting(second, adminOf(second), join(first.dir, 'cert', 'ca.crt'))).toMatch(
    /certificate|signature/i,
  );
  const etcd = portOf(second, 'etcd');
  expect(await version(etcd, second, second)).toContain('etcdserver');
  expect(await version(etcd, first, second)).toMatch(/alert|certificate|closed|reset|hang up/i);
  const temporal = portOf(second, 'temporal');
  expect(await temporalSays(temporal, second, second)).toBe('welcome');
  expect(await temporalSays(temporal, first, second)).not.toBe('welcome');
  expect(await workflowsShown(second)).toEqual([]);
});

test('etcd lets nobody in by a certificate of the hub’s authority, nor without one', async () => {
  const etcd = portOf(first, 'etcd');
  const pair = { cert: join(first.dir, 'cert', 'admin.crt'), key: join(first.dir, 'cert', 'admin.key') };
  expect(await version(etcd, null, first)).not.toContain('etcdserver');
  expect(await version(etcd, pair, first)).not.toContain('etcdserver');
});

test('a cluster that registers with a token waits for a person, and so does its certificate', async () => {
  const site = await registering(first, JOINING);
  try {
    await eventually(() =>
      site.create<ManagedCluster>(MANAGED_CLUSTER, { metadata: { name: 'shop-7' }, spec: {} }),
    );
    await expect(
      site.create<ManagedCluster>(MANAGED_CLUSTER, {
        metadata: { name: 'shop-8' },
        spec: { hubAcceptsClient: true },
      }),
    ).rejects.toThrow();
  } finally {
    await site.close();
  }
  // One that a person has accepted gets its namespace: by then OCM has seen the other one, too.
  await first.kube.create(MANAGED_CLUSTER, {
    metadata: { name: 'shop-9' },
    spec: { hubAcceptsClient: true },
  });
  const namespace = (name: string): Promise<object | null> =>
    first.kube.get(NAMESPACE, { namespace: null, name });
  await eventually(async () => (await namespace('shop-9')) ?? undefined);
  const waiting = await first.kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: 'shop-7' });
  expect(waiting).toMatchObject({ spec: { hubAcceptsClient: false } });
  expect(await namespace('shop-7')).toBeNull();
});

test('clusteradm takes it for a hub, and gets a token for the account that it makes', async () => {
  const definition = 'clustermanagers.operator.open-cluster-management.io';
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition}`;
  expect(await first.kube.raw('GET', path)).toMatchObject({ metadata: { name: definition } });
  const namespace = 'open-cluster-management';
  const account = { namespace, name: 'agent-registration-bootstrap' };
  // The hub has the namespace, as clusteradm applies it.
  expect(await first.kube.get(NAMESPACE, { namespace: null, name: namespace })).not.toBeNull();
  await first.kube.create(SERVICE_ACCOUNT, { metadata: account });
  const asked = `/api/v1/namespaces/${namespace}/serviceaccounts/${account.name}/token`;
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  };
  const { status } = (await first.kube.raw('POST', asked, { body })) as { status: { token: string } };
  expect(await greeting(first, { token: status.token })).not.toMatch(/401|Unauthorized/);
});

test('clusteradm makes a set, puts a cluster into it, and binds it to a namespace', async () => {
  await bindsASet(first, { set: 'edge', cluster: 'shop-9', namespace: KEY.namespace });
});

test('a token by which a cluster joins one hub lets nobody into the other', async () => {
  const token = `${JOINING.id}.${JOINING.secret}`;
  expect(await greeting(first, { token })).not.toMatch(/welcome|401|Unauthorized/);
  expect(await greeting(second, { token })).toMatch(/401|Unauthorized/);
});

test('the token of a site’s agent opens the gateway of its hub, and no other one', async () => {
  // Both hubs have accepted a cluster of this name, with an account of this name.
  const mine = await agentOf(first, 'shop-9');
  const others = await agentOf(second, 'shop-9');
  await letIn(first, mine);
  await letIn(second, others);
  expect(await gatewaySays(second, { ...others, token: mine.token })).toBe('UNAUTHENTICATED');
  expect(await gatewaySays(first, { ...mine, token: others.token })).toBe('UNAUTHENTICATED');
  expect(await gatewaySays(second, mine)).toBe('UNAVAILABLE');
  // Its certificate is of an authority of its own.
  const authority = readFileSync(join(first.dir, 'cert', 'ca.crt'), 'utf8');
  expect(await gatewaySays(first, { ...mine, authority })).toBe('UNAVAILABLE');
  expect(await gatewaySays(first, { ...mine, token: await tokenOf(first) })).toBe('UNAUTHENTICATED');
  expect(await greeting(first, mine)).toMatch(/401|Unauthorized/);
});

test('both are listed, with what they have', async () => {
  const one = await hubListed(first.dir, archive.program);
  const address = `https://127.0.0.1:${first.api}`;
  expect(one).toMatchObject({
    state: 'Running',
    problem: null,
    address,
    version: VERSION,
    sites: 2,
    capps: 1,
  });
  expect(one?.memoryBytes).toBeGreaterThan(2 ** 28);
  const other = await hubListed(second.dir, archive.program);
  expect(other).toMatchObject({ state: 'Running', version: VERSION, sites: 1, capps: 0 });
});

test('no file of a hub has what a Secret holds: neither etcd’s, nor the audit log, nor that of any process', async () => {
  const canary = `canary-${randomBytes(12).toString('hex')}`;
  const key = { namespace: KEY.namespace, name: 'watched-secret' };
  await first.kube.create(SECRET, { metadata: key, stringData: { password: canary } });
  await first.kube.patch(SECRET, key, { stringData: { password: `${canary}-again` } });
  await first.kube.get(SECRET, key);
  const shown = { namespace: KEY.namespace, name: 'shown' };
  await first.kube.create(CONFIG_MAP, { metadata: shown, data: { it: `shown-${canary}` } } as never);
  await first.kube.create(MANIFEST_WORK_REPLICA_SET, replicaSetWith(key, canary));
  const files = filesIn(first.dir).map((file) => [file, readFileSync(file)] as const);
  const having = (text: string) => files.filter(([, bytes]) => bytes.includes(text)).map(([file]) => file);
  const forms = [canary, Buffer.from(canary).toString('base64').replaceAll('=', '')];
  const found = files.filter(([, bytes]) => {
    const rest = bytes.toString('latin1').replaceAll(`shown-${canary}`, '');
    return forms.some((form) => rest.includes(form));
  });
  expect(found.map(([file]) => file)).toEqual([]);
  // It is looked for where it would be.
  expect(having(`shown-${canary}`).some((file) => file.includes('/data/etcd'))).toBe(true);
  await eventually(async () =>
    readFileSync(join(first.dir, 'logs', 'audit.log')).includes('watched-secret') ? true : undefined,
  );
});

test('certificates that end while it is asked are written again, and the same processes serve the next ones', async () => {
  const pids = (): Promise<number[]> =>
    Promise.all(['hub-api-server', 'etcd'].map((name) => first.pidOf(name)));
  const before = await pids();
  const { longest, ended } = await askedWhileCertificatesEnd(first);
  expect(ended).toBeGreaterThan(1);
  expect(longest).toBeLessThan(5_000);
  expect(await pids()).toEqual(before);
});

test('a second command in the same directory, or at a port that is taken, says so and changes nothing', async () => {
  const same = await runHubCommand(first.args);
  expect(same).toMatchObject({
    code: 1,
    output: expect.stringContaining(`A hub runs in ${first.dir} already.`) as string,
  });
  const other = await runHubCommand([...first.args, '--data-dir', join(dirname(first.dir), 'other')]);
  expect(other.code).toBe(1);
  expect(other.output).toContain(`Port ${first.api} on 127.0.0.1 is taken by another program.`);
  expect(other.output).toContain(`Port ${first.gateway} on 127.0.0.1`);
});

test('whatever is killed comes back with all that was stored, also the supervisor', async () => {
  for (const name of ['supervisor', 'etcd', 'hub-api-server', 'temporal']) {
    const pid = await first.pidOf(name);
    process.kill(pid, 'SIGKILL');
    const again = async (): Promise<true | undefined> =>
      (await first.pidOf(name)) === pid ? undefined : true;
    await eventually(again, { withinMs: 200_000 });
  }
  await eventually(async () => (await first.kube.get(CAPP, KEY)) ?? undefined, { withinMs: 200_000 });
});

test('it stops in order, and goes on where it was: objects, tokens and authority stay', async () => {
  const token = await tokenOf(second);
  const ca = readFileSync(join(second.dir, 'cert', 'ca.crt'), 'utf8');
  await second.kube.create(NAMESPACE, { metadata: { name: 'kept' } });
  const { code, output } = await second.stop();
  expect(code).toBe(0);
  expect(output).toContain('Stopping the hub: done');
  expect(await hubListed(second.dir, archive.program)).toMatchObject({ state: 'Stopped', version: VERSION });
  await second.start();
  expect(await second.kube.get(NAMESPACE, { namespace: null, name: 'kept' })).not.toBeNull();
  expect(readFileSync(join(second.dir, 'cert', 'ca.crt'), 'utf8')).toBe(ca);
  expect(await greeting(second, { token })).not.toMatch(/401|Unauthorized/);
  // Forgets nobody when it is killed, either.
  await second.stop('SIGKILL');
});
