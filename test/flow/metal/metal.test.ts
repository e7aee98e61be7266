// SIPClusters through the bridge, the workflows on a real Temporal and the activities on a real API server:
// hosts are reserved, given back and replaced; one authority serves whoever lacks some; and what is lost is
// found again.
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { hubMetal } from '../../../activities/hub/metal/metal.ts';
import { keepSipClusters } from '../../../bridge/fleet/keep.ts';
import type { WorkflowKeeper } from '../../../bridge/kept/keep.ts';
import { keptSipClusters, watchMetal, type MetalWatch } from '../../../bridge/metal/sip-clusters.ts';
import { BARE_METAL_HOST } from '../../../crds/metal/bare-metal-host.ts';
import { CORE_SERVICE, DEPLOYMENT, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { cache, type Cache } from '../../../kube/watch/cache.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { Metal, SipRef } from '../../../workflows/metal/port.ts';
import { HOSTS_WORKFLOW_ID, HUB_QUEUE, keptWorkflowId } from '../../../workflows/names.ts';
import { workflowBundle } from '../../support/flow/bundle.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import {
  changeRoles,
  conditionIs,
  holders,
  holdersAre,
  makeCluster,
  makeHost,
  role,
  roomFor,
  said,
  startMetalHub,
  type MetalHub,
} from '../../support/testbeds/metal/metal.ts';
import { allOf, servedRoom } from '../../support/testbeds/metal/served-room.ts';
import { bringUp, madeIn, podsEnd } from '../../support/testbeds/metal/sip-services.ts';

quietLogs();

let hub: MetalHub;
let kube: Kube;
let temporal: TestWorkflowEnvironment;
let watched: MetalWatch;
let bridge: WorkflowKeeper;
let secrets: Cache<KubeObject>;
let stopWorker: () => Promise<void>;
const errors: unknown[] = [];
/** The most reservations that were under way at once. */
let most = 0;
let underWay = 0;
/** Looks that have ended. */
let looked = 0;

beforeAll(async () => {
  hub = await startMetalHub();
  kube = hub.kube;
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  temporal = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace: 'metal' });
  stopWorker = await startWorker();
  watched = watchMetal(kube, () => undefined, true);
  secrets = cache(kube, { resource: SECRET, metadataOnly: true });
  bridge = keepSipClusters(
    temporal.client,
    // None of them has a site.
    keptSipClusters({
      ...watched,
      clusters: { get: () => undefined, subscribe: () => () => undefined },
      drains: { subscribe: () => () => undefined },
      secrets,
    }),
    (_id, error) => void errors.push(error),
  );
  await Promise.all([watched.sipClusters.known, watched.hosts.known, secrets.synced]);
}, 300_000);
afterAll(async () => {
  await bridge?.stop();
  await stopWorker?.();
  await Promise.all(
    [watched?.sipClusters, watched?.hosts, secrets, ...(watched?.services ?? [])].map((one) => one?.stop()),
  );
  await temporal?.teardown();
  await hub?.stop();
  expect(errors).toEqual([]);
});

async function startWorker(): Promise<() => Promise<void>> {
  const serviceNamespaces = Array.from({ length: 9 }, (_, index) => `metal-${index + 1}`);
  const metal = hubMetal({ kube, client: temporal.client, serviceNamespaces });
  const counted: Metal['reserveHosts'] = async (ref) => {
    underWay += 1;
    most = Math.max(most, underWay);
    return metal.reserveHosts(ref).finally(() => (underWay -= 1));
  };
  const turnSipCluster: Metal['turnSipCluster'] = (ref) =>
    metal.turnSipCluster(ref).finally(() => (looked += 1));
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: 'metal',
    taskQueue: HUB_QUEUE,
    workflowBundle: await workflowBundle(),
    activities: { ...metal, turnSipCluster, reserveHosts: counted },
    shutdownForceTime: '100ms',
  });
  const running = worker.run().catch(() => undefined);
  return async () => {
    worker.shutdown();
    await running;
  };
}

const has = (namespace: string, wanted: readonly string[]) => holdersAre(kube, namespace, wanted);
const says = (ref: SipRef, wanted: string, type?: string) => conditionIs(kube, ref, wanted, type);
const runs = async (ref: SipRef): Promise<string> =>
  temporal.client.workflow
    .getHandle(keptWorkflowId({ kind: 'SIPCluster', ...ref }))
    .describe()
    .then(({ status }) => status.name);

test('a SIPCluster waits for the kind BareMetalHost, gets hosts, grows, shrinks and goes', async () => {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'shop' };
  await makeCluster(kube, ref, { Worker: role(namespace, 2) });
  await says(ref, 'False NoBareMetalHosts', 'HostsReserved');
  await hub.serveHosts();
  await says(ref, 'False Short', 'HostsReserved');
  for (const name of ['a', 'b', 'c']) await makeHost(kube, namespace, name);
  await has(namespace, ['a: shop/Worker', 'b: shop/Worker']);
  await says(ref, 'True ReconciliationSucceeded');
  await changeRoles(kube, ref, { Worker: role(namespace, 3) });
  await has(namespace, ['a: shop/Worker', 'b: shop/Worker', 'c: shop/Worker']);
  await changeRoles(kube, ref, { Worker: role(namespace, 1) });
  await has(namespace, ['a: shop/Worker']);
  await kube.remove(SIP_CLUSTER, ref);
  await has(namespace, []);
  await eventually(async () => ((await kube.get(SIP_CLUSTER, ref)) === null ? true : undefined));
  await eventually(async () => ((await runs(ref)) === 'COMPLETED' ? true : undefined));
}, 300_000);

test('of six clusters that want the same hosts at once, each gets all or nothing, one after the other', async () => {
  const namespace = await roomFor(kube);
  const refs = Array.from({ length: 6 }, (_, index) => ({ namespace, name: `c${index}` }));
  for (let index = 0; index < 8; index += 1) await makeHost(kube, namespace, `h${index}`);
  await Promise.all(refs.map((ref) => makeCluster(kube, ref, { Worker: role(namespace, 2) })));
  await eventually(async () => {
    const found = await Promise.all(refs.map((ref) => said(kube, ref, 'HostsReserved')));
    return found.toSorted().join() ===
      [...Array<string>(2).fill('False Short'), ...Array<string>(4).fill('True Reserved')].join()
      ? true
      : undefined;
  });
  expect(await holders(kube, namespace)).toHaveLength(8);
  expect(most).toBe(1);

  // One that goes makes room for one that was short, which nobody has to tell.
  const winner = await winnerOf(refs);
  await kube.remove(SIP_CLUSTER, winner);
  await eventually(async () => {
    const found = await Promise.all(refs.map((ref) => said(kube, ref, 'HostsReserved')));
    return found.filter((one) => one === 'True Reserved').length === 4 ? true : undefined;
  });
  for (const ref of refs) await kube.remove(SIP_CLUSTER, ref);
  await has(namespace, []);
}, 300_000);

async function winnerOf(refs: readonly SipRef[]): Promise<SipRef> {
  for (const ref of refs) if ((await said(kube, ref, 'HostsReserved')) === 'True Reserved') return ref;
  throw new Error('nobody has hosts');
}

test('services are made, heard of when they serve, put back when they are edited, and go first', async () => {
  const { namespace, ref } = await servedRoom(kube, allOf());
  await says(ref, 'False Deploying', 'ServicesReady');
  await bringUp(kube, namespace);
  await says(ref, 'True ReconciliationSucceeded');

  // At rest only a ring has it look. What the ring of a changed Secret finds as it was, is not written.
  const network = { namespace, name: 'w1-networkdata' };
  const networkData = (await kube.get<Secret>(SECRET, network))?.data?.['networkData'];
  await kube.patch(SECRET, network, { data: { networkData: null } });
  await says(ref, 'False HostData', 'ServicesReady');
  await kube.patch(SECRET, network, { data: { networkData } });
  await says(ref, 'False Deploying', 'ServicesReady');
  await bringUp(kube, namespace);
  await says(ref, 'True ReconciliationSucceeded');
  const looks = looked;
  const version = async () => (await kube.get(SIP_CLUSTER, ref))?.metadata.resourceVersion;
  const before = await version();
  await kube.patch(SECRET, network, { metadata: { labels: { touched: 'yes' } } });
  await eventually(async () => (looked > looks ? true : undefined));
  expect(await version()).toBe(before);
  const key = { namespace, name: 'loadbalancer-worker-shop' };
  await kube.patch(DEPLOYMENT, key, { spec: { replicas: 0 } });
  await kube.remove(CORE_SERVICE, key);
  await eventually(async () => {
    const deployment = (await kube.get(DEPLOYMENT, key)) as { spec?: { replicas?: number } } | null;
    const service = await kube.get(CORE_SERVICE, key);
    return deployment?.spec?.replicas === 2 && service !== null ? true : undefined;
  });
  await kube.remove(SIP_CLUSTER, ref);
  await eventually(async () => {
    await podsEnd(kube, namespace);
    return (await holders(kube, namespace)).length === 0 ? true : undefined;
  });
  expect(await madeIn(kube, namespace)).toEqual([]);
}, 300_000);

test('lost workflows are started again, and nothing is written for what is as it should be', async () => {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'kept' };
  await makeHost(kube, namespace, 'a');
  await makeCluster(kube, ref, { Worker: role(namespace, 1) });
  await says(ref, 'True ReconciliationSucceeded');
  const version = async (): Promise<string> => {
    const [cluster, { items }] = await Promise.all([
      kube.get(SIP_CLUSTER, ref),
      kube.list(BARE_METAL_HOST, { namespace }),
    ]);
    return [cluster, ...items].map((one) => one?.metadata.resourceVersion).join();
  };
  const before = await version();
  const handle = temporal.client.workflow.getHandle(keptWorkflowId({ kind: 'SIPCluster', ...ref }));
  await handle.terminate('lost');
  await temporal.client.workflow
    .getHandle(HOSTS_WORKFLOW_ID)
    .terminate('lost')
    .catch(() => undefined);
  // A newborn is not missed for a minute; a change is heard at once.
  await changeRoles(kube, ref, { Worker: role(namespace, 1), Edge: role(namespace, 0) });
  await eventually(async () => ((await runs(ref)) === 'RUNNING' ? true : undefined));
  await says(ref, 'True ReconciliationSucceeded');
  const hosts = await kube.list(BARE_METAL_HOST, { namespace });
  expect(before).toContain(hosts.items[0]?.metadata.resourceVersion);
}, 300_000);

test('a host of a SIPCluster that was taken away by force is found by the bridge and given back', async () => {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'forced' };
  await makeHost(kube, namespace, 'a');
  await makeCluster(kube, ref, { Worker: role(namespace, 1) });
  await has(namespace, ['a: forced/Worker']);
  await kube.patch(SIP_CLUSTER, ref, { metadata: { finalizers: null } });
  await kube.remove(SIP_CLUSTER, ref);
  await bridge.compare();
  await has(namespace, []);
}, 300_000);
