// A cluster with an API server and authorities of its own joins a hub by `cappstan token` and `cappstan
// join`, runs a Capp, and leaves. The hub is killed meanwhile. Of the cluster the data plane is the local
// stack's stand-ins.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CAPP } from '../../../crds/capp/capp.ts';
import { tokenKey } from '../../../crds/join/bootstrap-token.ts';
import { parseJoinLine, joinLine } from '../../../crds/join/join-line.ts';
import { JOINED_BY } from '../../../crds/join/labels.ts';
import { AGENT_ACCOUNT } from '../../../crds/hub/agent-identity.ts';
import { NAMESPACE, SECRET, SERVICE_ACCOUNT } from '../../../crds/kubernetes/core.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANIFEST_WORK,
  type ManagedCluster,
} from '../../../crds/ocm/ocm.ts';
import { askApp } from '../../../deploy/local/cappstan/ask.ts';
import { applySample, awaitCapp } from '../../../deploy/local/cappstan/sample.ts';
import { stopStack } from '../../../deploy/local/down.ts';
import { ingressHost } from '../../../deploy/local/standins/ingress/address.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { stackProcesses } from '../../../deploy/local/supervise/stack-processes.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { configOf, configure } from '../../../testbed/rcs-config.ts';
import { startApiServer } from '../../support/servers/api-server.ts';
import { everythingOn } from '../../support/servers/everything.ts';
import { backupStory, type BackupStory } from '../../support/servers/hub-backup.ts';
import { hubCommand, type HubCommand } from '../../support/servers/hub-command.ts';
import { MetalStory } from '../../support/servers/metal-story.ts';
import { peersOf, processLines } from '../../support/servers/processes-seen.ts';
import { startProxy, type ProxyForTests } from '../../support/servers/proxy.ts';
import { forPeople, joinCommand, siteCommand, type Running } from '../../support/servers/join-command.ts';

const CREDENTIALS = 'shop-7:canaryoftheproxy';
const LONG = { withinMs: 240_000 };
const SAMPLE = resolve(import.meta.dirname, '../../../deploy/samples/capp.yaml');
const CAPP_KEY = { namespace: 'hello', name: 'hello' };

/** Kubernetes deletes requests an hour after they were answered. The hub's status comes a moment after it. */
const NO_TRACE = ['CertificateSigningRequest ', 'HubStatus '];

let folder: string;
let gateway: string;
let hub: HubCommand;
let onHub: Kube;
let cluster: Running;
let kubeconfig: string;
let site: Kube;
let line: string;
let running: Running | null = null;
/** Between the site and the hub. */
let proxy: ProxyForTests;
let metal: MetalStory;
let doors: { readonly api: number; readonly gateway: number };
let story: BackupStory;
/** What hub and site had before anybody asked for a token. */
let before: { readonly hub: readonly string[]; readonly site: readonly string[] };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'join-command-'));
  const ports = await openPorts(join(folder, 'ports.json'));
  doors = { api: await ports.of('api'), gateway: await ports.of('gateway') };
  gateway = `127.0.0.1:${doors.gateway}`;
  hub = hubCommand(doors).with(['--metal-namespaces', 'metal']);
  cluster = siteCommand(dirOf('cluster'));
  kubeconfig = join(dirOf('cluster'), 'site-1.kubeconfig');
  await Promise.all([hub.start(), cluster.says('has no hub yet')]);
  onHub = connect({ kubeconfig: hub.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  site = connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
  metal = new MetalStory({
    hub,
    onHub,
    site,
    sample: SAMPLE,
    capp: CAPP_KEY,
    joins: (given) => joinCommand(['join', given, ...onSite('m')]).ended,
    // All that `cappstan join` has brought goes with the machine.
    wiped: () => joinCommand(['leave', ...onSite('m')]).ended,
  });
  proxy = await startProxy({ hasTls: true, credentials: CREDENTIALS });
  writeFileSync(join(folder, 'proxy-ca'), proxy.ca ?? '');
  writeFileSync(join(folder, 'proxy-credentials'), `${CREDENTIALS}\n`);
  before = { hub: await everythingOn(onHub), site: await everythingOn(site) };
}, 600_000);
afterAll(async () => {
  await running?.stop();
  await metal?.ends();
  for (const name of ['a', 'b', 'm']) await stopStack(dirOf(name));
  await onHub?.close();
  await site?.close();
  await hub?.remove();
  await cluster?.stop();
  await proxy?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

const dirOf = (name: string): string => join(folder, name);
const people = (...args: string[]) => forPeople([...args, '--kubeconfig', hub.kubeconfig]);
const onSite = (dir: string): string[] => ['--kubeconfig', kubeconfig, '--data-dir', dirOf(dir)];
const clusterOf = (name: string): Promise<ManagedCluster | null> =>
  onHub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });

const through = (): string[] => [
  '--proxy',
  proxy.url,
  '--proxy-ca',
  dirOf('proxy-ca'),
  '--proxy-credentials',
  dirOf('proxy-credentials'),
];

async function refused(args: readonly string[]): Promise<string> {
  const { code, output } = await joinCommand(args).ended;
  expect(code).toBe(1);
  return output;
}

/** Runs it to its end, which is a good one. */
async function ended(run: Running): Promise<string> {
  const { code, output } = await run.ended;
  expect({ code, output }).toMatchObject({ code: 0 });
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
  const [, , ...withoutAuthority] = through().slice(2);
  const bad = [
    [['--proxy', proxy.url, ...withoutAuthority], /^--proxy: .*not known here.* --proxy-ca <file>\.$/m],
    [through().slice(0, 4), /^--proxy: .*refuses the credentials \(407\).* --proxy-credentials <file>\.$/m],
  ] as const;
  for (const [flags, sentence] of bad)
    expect(await refused(['join', line, ...flags, ...onSite('a')])).toMatch(sentence);
  expect(proxy.tunnels).toEqual([]);
  const dry = await joinCommand(['join', line, '--dry-run', ...through(), ...onSite('a')]).ended;
  expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('Nothing was written') as string });
  expect(await everythingOn(site)).toEqual(before.site);
  expect(readdirSync(folder)).not.toContain('a');
});

test('the cluster joins through a proxy with TLS and credentials, though the whole hub is killed meanwhile and started again', async () => {
  await applySample(onHub, SAMPLE);
  const joining = joinCommand(['join', line, ...through(), ...onSite('a')]);
  await joining.says('Preparing the site');
  // What its operator has changed meanwhile is no less kept than what is under way.
  const restore = await configure(onHub, { placements: ['default', 'spare'] });
  await hub.stop('SIGKILL');
  await hub.start();
  expect((await configOf(onHub)).placements).toEqual(['default', 'spare']);
  await restore();
  const said = await ended(joining);
  expect(said).toContain('shop-7 has joined');
  const joined = await clusterOf('shop-7');
  expect(joined).toMatchObject({ metadata: { labels: { region: 'eu' } }, spec: { hubAcceptsClient: true } });
  expect(joined?.metadata.annotations?.[JOINED_BY]).toMatch(/\/shop-7-[^/]+\//);
  expect((await people('joins')).out).not.toContain('shop-7');
});

test('the Capp that waited on the hub becomes Ready on the cluster, and answers', async () => {
  const on = await awaitCapp(onHub, CAPP_KEY, { timeoutMs: LONG.withinMs, note: () => undefined });
  expect(on).toBe('shop-7');
  const args = ['--kubeconfig', hub.kubeconfig, '-n', 'hello', 'get', 'capp', 'hello'];
  const { stdout } = await promisify(execFile)('kubectl', args);
  expect(stdout).toMatch(/hello .*True .*shop-7|hello .*shop-7 .*True/);
  const { ingress = 0 } = JSON.parse(readFileSync(join(dirOf('cluster'), 'state', 'ports.json'), 'utf8')) as {
    readonly ingress?: number;
  };
  const address = { host: ingressHost('site-1'), port: ingress };
  expect(await askApp(address, 'hello.hello.site-1.localhost')).toMatchObject({ status: 200 });
});

test('its agent has come through the gateway, and has no credential of Temporal', async () => {
  const agent = (await stackProcesses(dirOf('cluster'))).find(({ name }) => name === 'site-1-agent');
  const environment = readFileSync(`/proc/${agent?.pid ?? 0}/environ`, 'utf8').split('\0');
  expect(environment).toContain(`DEFAULT_TEMPORAL_ADDRESS=${gateway}`);
  expect(environment.filter((one) => one.startsWith('TEMPORAL_TLS_'))).toEqual([]);
});

test('OCM’s agent and ours connect to the hub by the proxy alone', async () => {
  expect(proxy.tunnels).toEqual(
    expect.arrayContaining([`127.0.0.1:${doors.api}`, `127.0.0.1:${doors.gateway}`]),
  );
  const agents = [...(await stackProcesses(dirOf('a'))), ...(await stackProcesses(dirOf('cluster')))];
  const port = Number(new URL(proxy.url).port);
  for (const name of ['shop-7-ocm-agent', 'site-1-agent']) {
    const ports = peersOf(agents.find((one) => one.name === name)?.pid ?? 0);
    expect(ports).toContain(port);
    expect(ports).not.toContain(doors.api);
    expect(ports).not.toContain(doors.gateway);
  }
});

test('no log, history, database or object of the hub has the proxy’s credentials, and no process list', async () => {
  const having = (texts: readonly string[]): string[] => texts.filter((text) => isSecret(text));
  // What etcd has is encrypted: the objects are read as the hub's administrator reads them.
  const files = filesIn(hub.dir).filter((file) => !file.includes('/data/etcd'));
  expect(files.filter((file) => isSecret(readFileSync(file, 'latin1')))).toEqual([]);
  const works = await onHub.list(MANIFEST_WORK);
  const addOns = await onHub.list(MANAGED_CLUSTER_ADD_ON);
  expect(works.items.length).toBeGreaterThan(0);
  expect(having([works, addOns].map((list) => JSON.stringify(list)))).toEqual([]);
  const logs = ['a', 'cluster'].flatMap((name) => filesIn(join(dirOf(name), 'logs')));
  expect(logs.filter((file) => isSecret(readFileSync(file, 'latin1')))).toEqual([]);
  expect(having(processLines())).toEqual([]);
});

test('its token is spent and gone: nobody joins by it again', async () => {
  const { id } = parseJoinLine(line)?.token ?? { id: '' };
  const isGone = async (): Promise<true | undefined> =>
    (await onHub.getMetadata(SECRET, tokenKey(id))) === null ? true : undefined;
  await eventually(isGone, LONG);
  const other = await startApiServer();
  try {
    const args = ['--kubeconfig', other.kubeconfig, '--data-dir', dirOf('thief')];
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

test('a rerun says how it is, and starts again what was stopped, without a token', async () => {
  const agentOf = async (): Promise<number | undefined> =>
    (await stackProcesses(dirOf('a'))).find(({ name }) => name === 'shop-7-ocm-agent')?.pid;
  const first = await agentOf();
  const again = ['join', line, ...through(), ...onSite('a')];
  expect(await ended(joinCommand(again))).toContain('shop-7 has joined');
  expect(await agentOf()).toBe(first);
  // As after a restart of the machine.
  await stopStack(dirOf('a'));
  expect(await ended(joinCommand(again))).toContain('shop-7 has joined');
  expect(await agentOf()).not.toBe(first);
});

test('the running hub is backed up, into a file that nobody else reads and nothing replaces', async () => {
  story = await backupStory({ hub, onHub, site, kubeconfig, folder, cluster: 'shop-7' });
  await story.backsUp();
  await story.refusesToReplace();
  await story.leavesNothingWhenEtcdDies();
});

test('nothing else than the whole file is restored, with its passphrase, and into an empty directory', async () => {
  await story.bringsSomethingNewer();
  await story.losesTheHub();
  await story.refusesWhatIsNotWhole();
  await story.restores();
});

test('a restored hub lets nobody in, and takes nothing from a site, until a person has seen what is newer there', async () => {
  await story.startsShut();
  await story.refusesToAdmitUnseen();
  await story.isUntouched();
});

test('admitted, it goes on where the backup was: no work is changed, and what is newer has an hour', async () => {
  await story.admits();
  await story.changedNothing();
  await story.keepsWhatIsWrittenAgain();
});

test('it leaves when the hub has nothing there any more, and nothing stays on either', async () => {
  expect(await refused(['leave', ...onSite('a')])).toContain('kubectl delete managedcluster shop-7');
  await onHub.remove(CAPP, CAPP_KEY);
  await onHub.remove(NAMESPACE, { namespace: null, name: CAPP_KEY.namespace });
  await eventually(async () => ((await onHub.get(CAPP, CAPP_KEY)) === null ? true : undefined), LONG);
  await onHub.remove(MANAGED_CLUSTER, { namespace: null, name: 'shop-7' });
  await eventually(async () => ((await clusterOf('shop-7')) === null ? true : undefined), LONG);
  // The account of its agent goes with it. OCM leaves its namespace, which may have what is somebody's.
  const account = { namespace: 'shop-7', name: AGENT_ACCOUNT };
  const hasAccount = async (): Promise<boolean> => (await onHub.get(SERVICE_ACCOUNT, account)) !== null;
  await eventually(async () => ((await hasAccount()) ? undefined : true), LONG);
  await onHub.remove(NAMESPACE, { namespace: null, name: 'shop-7' });
  await ended(joinCommand(['leave', ...onSite('a')]));
  expect(readdirSync(folder)).not.toContain('a');
  const leftOf = async (kube: Kube, known: readonly string[]): Promise<readonly string[]> =>
    (await everythingOn(kube)).filter(
      (one) => !known.includes(one) && !NO_TRACE.some((kind) => one.startsWith(kind)),
    );
  await eventually(async () => {
    const left = [...(await leftOf(site, before.site)), ...(await leftOf(onHub, before.hub))];
    if (left.length > 0) throw new Error(left.join('\n'));
    return true;
  }, LONG);
});

test('a host becomes a site that runs the Capp that waited, though the hub’s workers are killed at each step', async () => {
  await metal.begins();
  await metal.asks();
  await metal.comesTo((_cluster, says) => says('Ready') === 'True ReconciliationSucceeded');
  expect(await metal.isSite()).toMatchObject({ metadata: { labels: { tier: 'edge' } } });
  expect(await metal.cappRuns()).toBe('edge-7');
  await metal.bundle();
});

test('it is not wiped under its last copy, and goes back to a free host when that is gone', async () => {
  await metal.begunToGo();
  await metal.comesTo((_cluster, says) => says('Joined') === 'False CappsStay');
  expect(await metal.isSite()).not.toBeNull();
  await metal.cappGoes();
  await metal.comesTo((cluster) => cluster === null);
  expect(await metal.isSite()).toBeNull();
  expect(await metal.left()).toEqual([]);
  await metal.ends();
  // Of the steps that are over in a moment not each is seen.
  expect(metal.killedAt).toEqual(
    expect.arrayContaining([
      'False Provisioning, False Expected',
      'False Kept, False CappsStay',
      'False Wiping, False Detached',
    ]),
  );
  expect(metal.killedAt.length).toBeGreaterThan(5);
});

test('no log and no history of the hub has the token of that site, or the template of its user data', () => {
  const files = filesIn(hub.dir).filter((file) => !file.includes('/data/etcd'));
  for (const secret of metal.secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([]);
  }
});

test('without a token for it a cluster waits until a person accepts it', async () => {
  const { out } = await people('token', '--any');
  running = joinCommand(['join', out.trim(), '--cluster', 'shop-9', '--foreground', ...onSite('b')]);
  await running.says('Asked, AwaitingAcceptance');
  expect(await clusterOf('shop-9')).toMatchObject({ spec: { hubAcceptsClient: false } });
  expect((await people('joins')).out).toMatch(/shop-9\s+Asked\s+AwaitingAcceptance/);
  expect(await people('accept', 'shop-9')).toMatchObject({ code: 0 });
  // What comes between may be over before anybody looks.
  await running.says('shop-9 has joined');
  expect(await running.stop()).toMatchObject({ code: 0 });
  expect(await stackProcesses(dirOf('b'))).toEqual([]);
});

const isSecret = (text: string): boolean =>
  [CREDENTIALS, 'canaryoftheproxy', Buffer.from(CREDENTIALS).toString('base64')].some((secret) =>
    text.includes(secret),
  );

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile());
}
