// A site's score on a real API server with OCM's own kinds: it is created, left alone, renewed, and cleared
// when nobody renews it.
import { hubPublishScore, type ScoreCaches } from '../../../../activities/hub/score/publish-score.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { ADD_ON_PLACEMENT_SCORE, type AddOnPlacementScore } from '../../../../crds/ocm/placements.ts';
import { SCORE_OBJECTS } from '../../../../crds/ocm/add-on.ts';
import { applyOcmCrds } from '../../../../deploy/local/ocm/crds.ts';
import { cache, type Cache } from '../../../../kube/watch/cache.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { MeasuredSite } from '../../../../workflows/score/measured.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api/api-server.ts';
import { eventually, API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';

const INTERVAL_S = 60;

let server: ApiServerForTests;
let kube: Kube;
let scores: Cache<AddOnPlacementScore>;
let hub: Pick<Hub, 'publishScore'>;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await applyOcmCrds(kube, 'hub');
  // The API server delays the first object of a kind that was just defined for seconds.
  const { apiVersion, kind } = ADD_ON_PLACEMENT_SCORE;
  await kube.create(ADD_ON_PLACEMENT_SCORE, {
    apiVersion,
    kind,
    metadata: { namespace: 'default', name: 'first' },
  });
  scores = cache<AddOnPlacementScore>(kube, { resource: ADD_ON_PLACEMENT_SCORE });
  await scores.synced;
  hub = hubPublishScore(kube, { scores, clusters });
}, 300_000);
afterAll(async () => {
  await scores.stop();
  await kube.close();
  await server.stop();
});

/** All namespaces of clusters, but for one that only a message calls a cluster. */
const clusters: ScoreCaches['clusters'] = {
  get: ({ name }) => (name === 'no-cluster' ? undefined : { metadata: { name } }),
};

async function aCluster(name: string): Promise<string> {
  await kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

const measured = (cpuAvailable: number): MeasuredSite => ({
  figures: [{ name: 'cpuAvailable', value: cpuAvailable }],
});

async function read(cluster: string, name: string = SCORE_OBJECTS[0]): Promise<AddOnPlacementScore> {
  const found = await kube.get<AddOnPlacementScore>(ADD_ON_PLACEMENT_SCORE, { namespace: cluster, name });
  if (found === null) throw new Error(`${cluster} has no ${name}`);
  return found;
}

/** Publishes, and waits until the cache shows the result. */
async function publish(
  cluster: string,
  found: MeasuredSite | null,
  intervalSeconds = INTERVAL_S,
): Promise<readonly string[]> {
  const { written } = await hub.publishScore(cluster, found, intervalSeconds);
  for (const name of written) {
    const { metadata } = await read(cluster, name);
    await eventually(() => scores.caughtUpWith(metadata.resourceVersion ?? '') || undefined);
  }
  return written;
}

/** Lets the published scores expire. */
async function expire(cluster: string): Promise<void> {
  for (const name of SCORE_OBJECTS) {
    const key = { namespace: cluster, name };
    const status = { validUntil: '2020-01-01T00:00:00Z' };
    const { metadata } = await kube.patch(ADD_ON_PLACEMENT_SCORE, key, { status }, { subresource: 'status' });
    await eventually(() => scores.caughtUpWith(metadata.resourceVersion ?? '') || undefined);
  }
}

test('the first score is published under both names, with validUntil', async () => {
  const cluster = await aCluster('first');
  const before = Date.now();
  expect(await publish(cluster, measured(40))).toEqual(SCORE_OBJECTS);
  for (const name of SCORE_OBJECTS) {
    const { status } = await read(cluster, name);
    expect(status?.scores).toEqual([{ name: 'cpuAvailable', value: 40 }]);
    expect(Date.parse(status?.validUntil ?? '')).toBeGreaterThan(before + 4 * INTERVAL_S * 1000);
  }
});

test('an unchanged score and a small change are not written, and a larger change is', async () => {
  const cluster = await aCluster('second');
  await publish(cluster, measured(40));
  const { metadata } = await read(cluster);
  expect(await publish(cluster, measured(40))).toEqual([]);
  expect(await publish(cluster, measured(43))).toEqual([]);
  expect((await read(cluster)).metadata.resourceVersion).toBe(metadata.resourceVersion);
  expect(await publish(cluster, measured(-40))).toEqual(SCORE_OBJECTS);
  expect((await read(cluster)).status?.scores).toEqual([{ name: 'cpuAvailable', value: -40 }]);
});

test('an AddOnPlacementScore that another client created gets our score in place of its own', async () => {
  const cluster = await aCluster('adopted');
  const key = { namespace: cluster, name: SCORE_OBJECTS[0] };
  const { apiVersion, kind } = ADD_ON_PLACEMENT_SCORE;
  await kube.create(ADD_ON_PLACEMENT_SCORE, { apiVersion, kind, metadata: key });
  const status = { scores: [{ name: 'left', value: 1 }] };
  const { metadata } = await kube.patch(ADD_ON_PLACEMENT_SCORE, key, { status }, { subresource: 'status' });
  await eventually(() => scores.caughtUpWith(metadata.resourceVersion ?? '') || undefined);
  expect(await publish(cluster, measured(7))).toEqual(SCORE_OBJECTS);
  expect((await read(cluster)).status?.scores).toEqual([{ name: 'cpuAvailable', value: 7 }]);
});

test('an AddOnPlacementScore that the cache does not show gets our score too', async () => {
  const cluster = await aCluster('unseen');
  const blind = hubPublishScore(kube, { scores: { get: () => undefined }, clusters });
  for (const value of [1, 50]) await blind.publishScore(cluster, measured(value), INTERVAL_S);
  expect((await read(cluster)).status?.scores).toEqual([{ name: 'cpuAvailable', value: 50 }]);
});

test('a namespace that is no managed cluster’s gets no score', async () => {
  const namespace = await aCluster('no-cluster');
  expect(await publish(namespace, measured(7))).toEqual([]);
  expect(await kube.get(ADD_ON_PLACEMENT_SCORE, { namespace, name: SCORE_OBJECTS[0] })).toBeNull();
});

test('while the agent is silent a valid score stays, and an expired one is cleared once', async () => {
  const cluster = await aCluster('silent');
  expect(await publish(cluster, null)).toEqual([]);
  await publish(cluster, measured(40));
  expect(await publish(cluster, null)).toEqual([]);
  await expire(cluster);
  expect(await publish(cluster, null)).toEqual(SCORE_OBJECTS);
  expect((await read(cluster)).status?.scores).toEqual([]);
  expect(await publish(cluster, null)).toEqual([]);
  expect(await publish(cluster, measured(40))).toEqual(SCORE_OBJECTS);
});

test('publishing for a cluster without a namespace fails with a non-retryable failure', async () => {
  await expect(hub.publishScore('nowhere', measured(1), INTERVAL_S)).rejects.toMatchObject({
    type: 'Gone',
    nonRetryable: true,
  });
});

test('impossible figures are not written, and custom scores are limited', async () => {
  const cluster = await aCluster('forged');
  const figures = [
    { name: 'cpuAvailable', value: 1_000_000 },
    { name: 'x'.repeat(10_000), value: 1 },
    { name: 'memAvailable', value: 20.5 },
    ...Array.from({ length: 500 }, (_, index) => ({ name: `extra-${index}`, value: 1 })),
  ];
  expect(await publish(cluster, { figures })).toEqual(SCORE_OBJECTS);
  const { status } = await read(cluster);
  expect(status?.scores).toHaveLength(22);
  expect(status?.scores?.every(({ name, value }) => name.startsWith('extra-') && value === 1)).toBe(true);
  expect(await publish(await aCluster('nonsense'), { figures: 'many' } as never)).toEqual([]);
});
