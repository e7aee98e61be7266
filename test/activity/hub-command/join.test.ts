// A cluster with an API server and authorities of its own joins a hub by `cappstan token` and `cappstan
// join`, runs a Capp, and leaves. The hub is killed meanwhile. Of the cluster the data plane is the local
// stack's stand-ins.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CAPP } from '../../../crds/capp/capp.ts';
import { parseJoinLine } from '../../../crds/join/join-line.ts';
import { JOINED_BY } from '../../../crds/join/labels.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { applySample } from '../../../deploy/local/cappstan/sample.ts';
import { stopStack } from '../../../deploy/local/down.ts';
import { stackProcesses } from '../../../deploy/local/supervise/stack-processes.ts';
import type { Kube } from '../../../kube/client.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configOf, configure } from '../../../testbed/rcs-config.ts';
import { everythingOn } from '../../support/servers/api/everything.ts';
import { filesOfHub } from '../../support/servers/joining/files-seen.ts';
import { backupStory, type BackupStory } from '../../support/servers/hub-command/hub-backup.ts';
import type { HubCommand } from '../../support/servers/hub-command/hub-command.ts';
import { joinCommand, type Running } from '../../support/servers/joining/join-command.ts';
import { ended, joinStage, refused } from '../../support/servers/joining/join-stage.ts';
import { clusterIsGone, leavesNothing } from '../../support/servers/joining/leaving.ts';
import { MetalStory } from '../../support/servers/metal/metal-story.ts';
import { proxiedSite } from '../../support/servers/joining/proxied-site.ts';
import type { ProxyForTests } from '../../support/servers/network/proxy.ts';
import { refusesForgedLines, refusesWrongProxies } from '../../support/servers/joining/wrong-joins.ts';

const LONG = { withinMs: 240_000 };
const SAMPLE = resolve(import.meta.dirname, '../../../deploy/samples/capp.yaml');
const CAPP_KEY = { namespace: 'hello', name: 'hello' };

let folder: string;
let hub: HubCommand;
let onHub: Kube;
let kubeconfig: string;
let site: Kube;
let proxy: ProxyForTests;
let line: string;
let running: Running | null = null;
let metal: MetalStory;
let seen: ReturnType<typeof proxiedSite>;
let story: BackupStory;
/** What hub and site had before anybody asked for a token. */
let before: { readonly hub: readonly string[]; readonly site: readonly string[] };

// Before the stage is taken down.
afterAll(async () => {
  await running?.stop();
  await metal?.ends();
});
const { dirOf, people, onSite, clusterOf, through } = joinStage((stage) => {
  ({ folder, hub, onHub, kubeconfig, site, proxy } = stage);
  seen = proxiedSite(stage);
});
beforeAll(async () => {
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
  before = { hub: await everythingOn(onHub), site: await everythingOn(site) };
});

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
  await refusesForgedLines(line, { onSite });
  expect(await refused(['join', 'J1nonsense', ...onSite('a')])).toContain('no line of cappstan token');
  expect(await refused(['join', line, '--cluster', 'shop-8', ...onSite('a')])).toContain('for shop-7 alone');
  expect(await refused(['leave', ...onSite('a')])).toContain('has not joined');
  await refusesWrongProxies(line, { onSite, through, proxy });
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
  expect(await ended(joining)).toContain('shop-7 has joined');
  const joined = await clusterOf('shop-7');
  expect(joined).toMatchObject({ metadata: { labels: { region: 'eu' } }, spec: { hubAcceptsClient: true } });
  expect(joined?.metadata.annotations?.[JOINED_BY]).toMatch(/\/shop-7-[^/]+\//);
  expect((await people('joins')).out).not.toContain('shop-7');
});

test('the Capp that waited on the hub becomes Ready on the cluster, and answers', async () => {
  await seen.answers(CAPP_KEY);
});

test('its agent has come through the gateway, and has no credential of Temporal', async () => {
  await seen.throughGateway();
});

test('OCM’s agent and ours connect to the hub by the proxy alone', async () => {
  await seen.byProxyAlone();
});

test('the proxy dies and comes back: an edit meanwhile becomes Ready, and both agents find back by themselves', async () => {
  await seen.outlivesItsProxy(CAPP_KEY);
});

test('no log, history, database or object of the hub has the proxy’s credentials, and no process list', async () => {
  await seen.hidesCredentials();
});

test('its token is spent and gone: nobody joins by it again', async () => {
  await seen.spentToken(line);
});

test('no log and no history of the hub has the token', () => {
  const { secret } = parseJoinLine(line)?.token ?? { secret: '' };
  const files = filesOfHub(hub.dir);
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
  await clusterIsGone(onHub, 'shop-7');
  await ended(joinCommand(['leave', ...onSite('a')]));
  expect(readdirSync(folder)).not.toContain('a');
  await leavesNothing({ site, onHub }, before);
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
  expect([...metal.killed].toSorted()).toEqual(['etcd', 'gateway', 'hub-api-server', 'temporal']);
});

test('no log and no history of the hub has the token of that site, or the template of its user data', () => {
  const files = filesOfHub(hub.dir);
  for (const secret of metal.secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([]);
  }
});

test('without a token for it a cluster waits until a person accepts it, and no second command comes by a link', async () => {
  const asks = ['join', (await people('token', '--any')).out.trim(), '--cluster', 'shop-9', '--foreground'];
  running = joinCommand([...asks, ...onSite('b')]);
  await running.says('Asked, AwaitingAcceptance');
  expect(await refused([...asks, ...onSite('link/b')])).toContain('An agent runs in');
  expect(await clusterOf('shop-9')).toMatchObject({ spec: { hubAcceptsClient: false } });
  expect((await people('joins')).out).toMatch(/shop-9\s+Asked\s+AwaitingAcceptance/);
  expect(await people('accept', 'shop-9')).toMatchObject({ code: 0 });
  // What comes between may be over before anybody looks.
  await running.says('shop-9 has joined');
  expect(await running.stop()).toMatchObject({ code: 0 });
  expect(await stackProcesses(dirOf('b'))).toEqual([]);
});
