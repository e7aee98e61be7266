// Two hubs that place by themselves on one site: each with OCM's placement controller and work agent, our hub
// worker and bridge. Same-named and different Capps come there and run, by one site operator and Knative's
// own controller; nothing is written in turn, the second of one name goes on by itself, and a hub that leaves
// takes only what is its own. Node, kubelet, autoscaler and ingress are stand-ins.
import { setTimeout as pause } from 'node:timers/promises';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP } from '../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { HUBS_OF_SITE } from '../../../crds/site-hubs.ts';
import { conditionOf, readCapp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startTemporal, type TemporalForTests } from '../../support/flow/temporal.ts';
import { startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import {
  addOnOf,
  applied,
  applyAgain,
  create,
  hubOnSite,
  ofHub,
  remove,
  said,
  versionsOn,
  type HubOnSite,
  type VersionsOnSite,
} from '../../support/testbeds/site/hub-on-site.ts';
import { asked, placesByItself, registered } from '../../support/testbeds/site/placing-hub.ts';
import {
  CONTROLLERS,
  OF_RUNNING,
  runningApps,
  type RunningApps,
} from '../../support/testbeds/site/running-apps.ts';

/** How long nothing may be written; `make soak` takes ten minutes. */
const WATCHED_MS = Number(process.env['TWO_HUBS_SECONDS'] ?? 9) * 1_000;
/** Between two times that both agents are made to apply everything again. */
const AGAIN_MS = 3_000;
const WAIT = { withinMs: 120_000, everyMs: 300 };
const SAME = { namespace: 'team-a', name: 'hello' };
const OWN = { namespace: 'team-b', name: 'hello' };
const OTHER = { namespace: 'team-b', name: 'other' };

/** Of the apps that run there, one object each. */
const RUN = ['team-a/hello', 'team-b/hello', 'team-b/other'].map((name) => `Service ${name}`);

let site: Cluster;
let temporal: TemporalForTests;
let a: HubOnSite;
let b: HubOnSite;
let apps: RunningApps;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  site = await startCluster('site', { controllers: CONTROLLERS });
  temporal = await startTemporal({ namespaces: ['hub-a', 'hub-b'] });
  const [first, second] = [await startCluster('hub'), await startCluster('hub')];
  a = await hubOnSite({ id: 'hub-a', cluster: first, site }, 'open-cluster-management-agent', null);
  b = await hubOnSite({ id: 'hub-b', cluster: second, site }, 'open-cluster-management-customer', null);
  for (const hub of [a, b]) ends.push(await placesByItself(hub, temporal.address));
}, 600_000);
afterAll(async () => {
  for (const end of ends) await end();
  await apps?.stop();
  for (const hub of [a, b]) await hub?.stopAgent();
  for (const hub of [a, b]) await hub?.cluster.stop();
  await temporal?.stop();
  await site?.stop();
}, 120_000);

const versions = () => versionsOn(site, [a, b], OF_RUNNING);
const has = (name: string) => eventually(async () => (await versions()).get(name)?.hub, WAIT);

async function says({ cluster }: HubOnSite, key: typeof SAME, type: string, reason: string): Promise<Capp> {
  return eventually(async () => {
    const capp = await readCapp(cluster.kube, key);
    return conditionOf(capp, type)?.reason === reason ? capp : undefined;
  }, WAIT);
}

/** Where each hub wants which Capps: its works, and since which write of ours they are so. */
async function wantedBy({ cluster: { kube } }: HubOnSite): Promise<string[]> {
  const works = (await kube.list(MANIFEST_WORK)).items;
  return works.map(({ metadata: m }) => `${m.namespace}/${m.name} ${m.uid} ${m.generation}`).toSorted();
}

/** Resolves when nothing is under way any more. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const one = await versions();
    await pause(2_000);
    const written = writtenSince(one, await versions());
    if (written.length > 0) throw new Error(`It still writes ${written.join(', ')}.`);
    return true;
  }, WAIT);
}

/** Names of what was made, written or deleted meanwhile. */
function writtenSince(before: VersionsOnSite, after: VersionsOnSite): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name)?.version !== after.get(name)?.version);
}

test('what both place runs there, and the second of one name hears which hub has it', async () => {
  await create(a, await addOnOf(a));
  await applied(a, await addOnOf(a));
  const data = { 'open-cluster-management-customer.klusterlet-work-sa': 'hub-b' };
  await site.kube.patch(CONFIG_MAP, HUBS_OF_SITE, { data });
  await create(b, await addOnOf(b));
  await said(b, await addOnOf(b));
  apps = await runningApps(site);
  await asked(a, 'team-a', 'hello');
  expect(await has('Capp team-a/hello')).toBe('hub-a');
  for (const [namespace, name] of [
    ['team-a', 'hello'],
    ['team-b', 'hello'],
    ['team-b', 'other'],
  ] as const)
    await asked(b, namespace, name);
  for (const name of ['hello', 'other']) expect(await has(`Capp team-b/${name}`)).toBe('hub-b');
  const refused = await says(b, SAME, 'Applied', 'OtherHub');
  expect(conditionOf(refused, 'Applied')?.message).toContain('hub-a');
  expect(conditionOf(refused, 'Migrating')?.reason).toBe('NoCandidate');
  for (const key of [SAME, OWN, OTHER]) await apps.runs(key);
}, 600_000);

test(
  'nothing is written in turn, on the site or for it',
  async () => {
    await settled();
    const [before, wanted] = [await versions(), [await wantedBy(a), await wantedBy(b)]];
    const until = Date.now() + WATCHED_MS;
    for (let round = 1; Date.now() < until; round += 1) {
      await applyAgain([a, b], round);
      await pause(AGAIN_MS);
    }
    const after = await versions();
    expect([...before.keys()]).toEqual(expect.arrayContaining(RUN));
    expect(writtenSince(before, after)).toEqual([]);
    expect([await wantedBy(a), await wantedBy(b)]).toEqual(wanted);
  },
  WATCHED_MS + 300_000,
);

test('the refused one goes to the next candidate as soon as there is one, and its own site is left as it is', async () => {
  const before = await versions();
  await registered(b, 'site-2');
  const moves = await says(b, SAME, 'Migrating', 'Moving');
  expect(conditionOf(moves, 'Migrating')?.message).toMatch(/^From site-1 to site-2, .*hub hub-a/);
  const key = { namespace: 'site-2', name: 'mw-create-team-a-hello' };
  await eventually(async () => (await b.cluster.kube.get(MANIFEST_WORK, key)) ?? undefined, WAIT);
  expect(await versions()).toEqual(before);
}, 300_000);

test('a hub takes only its own Capps when they are deleted, and when it leaves', async () => {
  const before = await versions();
  await b.cluster.kube.remove(CAPP, { namespace: 'team-b', name: 'other' });
  await eventually(async () => ((await versions()).has('Capp team-b/other') ? undefined : true), WAIT);
  await a.cluster.kube.remove(CAPP, SAME);
  await eventually(async () => ((await versions()).has('Capp team-a/hello') ? undefined : true), WAIT);
  // Its app ends with it.
  await eventually(async () => ((await versions()).has('Service team-a/hello') ? undefined : true), WAIT);
  await remove(a, await addOnOf(a));
  const left = await versions();
  const kept = [...ofHub(before, 'hub-b'), 'Service team-b/hello'].filter((name) => !name.includes('other'));
  expect(kept.filter((name) => left.get(name)?.version !== before.get(name)?.version)).toEqual([]);
  expect(left.get('Capp team-b/hello')?.hub).toBe('hub-b');
  await apps.runs(OWN);
  await b.cluster.kube.remove(CAPP, OWN);
  await eventually(async () => ((await versions()).has('Capp team-b/hello') ? undefined : true), WAIT);
}, 400_000);
