// A changed Bundle goes from stage to stage on a real API server: what counts as ready, what stops it, and
// what brings it back.
import { BUNDLE_REVISION_KIND } from '../../../../crds/bundle/bundle-revision.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { ABORT, APPROVE, BUNDLE_KEY, RETRY } from '../../../../crds/labels.ts';
import { bundleKey } from '../../../../crds/ocm/bundle-work.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { bundleHub, sameClusters } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
const SITES = ['site-1', 'site-2', 'site-3'] as const;

beforeAll(async () => {
  stage = await startHub();
  await stage.kube.create({ apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }, {
    metadata: { name: 'site-3' },
  } as never);
  await joinSites(stage, SITES);
  const labels = { tier: 'canary' };
  await stage.kube.patch(MANAGED_CLUSTER, { namespace: null, name: 'site-1' }, { metadata: { labels } });
  await sameClusters(stage);
}, 300_000);
afterAll(() => stage?.stop());

const CANARY = { name: 'canary', sites: { matchLabels: { tier: 'canary' } } };
const RED = { manifests: [aConfigMap({ color: 'red' })] };
const BLUE = { manifests: [aConfigMap({ color: 'blue' })] };

/** A red Bundle that every site has. */
async function settled(name: string, strategy: object, spec: object = RED) {
  const hub = bundleHub(stage, name);
  await hub.make({
    sites: { clusters: [...SITES] },
    strategy: { maxConcurrent: '100%', ...strategy },
    ...spec,
  });
  for (const cluster of SITES) {
    await hub.turn();
    if ((await hub.work(cluster)) === null) throw new Error(`${cluster} has no work`);
    await hub.apply(...(await shippedTo(hub)));
  }
  await hub.turn();
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
  return hub;
}

async function shippedTo(hub: ReturnType<typeof bundleHub>): Promise<string[]> {
  const found = await Promise.all(
    SITES.map(async (cluster) => ((await hub.work(cluster)) === null ? [] : [cluster])),
  );
  return found.flat();
}

test('an edit goes to the canary alone until the canary is ready at exactly that revision', async () => {
  const hub = await settled('staged', { stages: [CANARY] });
  await hub.edit(BLUE);
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  // It is still Ready at its former generation, and says so.
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  expect((await hub.read()).status).toMatchObject({ stage: 'canary 0/1', readyOfSites: '0/3', waiting: 2 });
  await hub.apply('site-1');
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'blue', 'blue']);
  await hub.apply('site-2', 'site-3');
  await hub.turn();
  expect(await hub.condition('Progressing')).toMatchObject({ status: 'False', reason: 'Done' });
});

test('after a loss of Temporal’s data in the middle of a rollout nothing is written, and it goes on from there', async () => {
  const hub = await settled('rebuilt', { stages: [CANARY] });
  await hub.edit(BLUE);
  await hub.turn();
  await hub.turn();
  const before = await Promise.all([hub.read(), ...SITES.map((cluster) => hub.work(cluster))]);
  hub.forget();
  await hub.turn();
  const after = await Promise.all([hub.read(), ...SITES.map((cluster) => hub.work(cluster))]);
  expect(after.map((one) => one?.metadata.resourceVersion)).toEqual(
    before.map((one) => one?.metadata.resourceVersion),
  );
  await hub.apply('site-1');
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'blue', 'blue']);
});

test('a canary that refuses it stops it there, and says which, why, and what waits for a person', async () => {
  const hub = await settled('stopped', { stages: [CANARY] });
  await hub.edit(BLUE);
  await hub.turn();
  await hub.refuse('site-1');
  await hub.turn();
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  expect(await hub.condition('Stalled')).toMatchObject({ status: 'True', reason: 'NotAllowed' });
  expect((await hub.condition('Progressing'))?.reason).toBe('SitesFailed');
  expect((await hub.read()).status?.failing).toMatchObject([{ cluster: 'site-1', reason: 'NotAllowed' }]);
  // A grant on the site heals it, and the rollout goes on.
  await hub.apply('site-1');
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'blue', 'blue']);
});

test('a stage begins when a person approves it, an abort keeps what is there, and a retry begins again', async () => {
  const hub = await settled(
    'asked',
    { stages: [CANARY, { name: 'rest', approval: 'Required' }] },
    {
      ...RED,
      strategy: { maxConcurrent: '100%' },
    },
  );
  await hub.edit({ strategy: { stages: [CANARY, { name: 'rest', approval: 'Required' }] } });
  const { revision } = await hub.turn();
  expect((await hub.condition('Ready'))?.reason).toBe('Ready');
  await hub.edit(BLUE);
  const { revision: blue } = await hub.turn();
  expect(blue).not.toBe(revision);
  await hub.apply('site-1');
  await hub.turn();
  expect((await hub.condition('Ready'))?.reason).toBe('AwaitsApproval');
  await hub.annotate({ [ABORT]: `${blue}#1`, [APPROVE]: `rest#${blue}` });
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  expect((await hub.condition('Progressing'))?.reason).toBe('Aborted');
  await hub.annotate({ [RETRY]: '#2', [APPROVE]: null });
  await hub.turn();
  expect((await hub.condition('Ready'))?.reason).toBe('AwaitsApproval');
  await hub.annotate({ [APPROVE]: `rest#${blue}` });
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'blue', 'blue']);
  expect((await hub.read()).status?.asked?.map(({ what }) => what)).toEqual([
    'approve',
    'abort',
    'retry',
    'approve',
  ]);
});

test('a site that is offline catches up alone when it is back, and never to a revision that was aborted', async () => {
  const hub = await settled('offline', {});
  await hub.reachable('site-3', false);
  await hub.edit(BLUE);
  const { revision: blue } = await hub.turn();
  await hub.apply('site-1', 'site-2');
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'blue', 'red']);
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True' });
  await hub.edit({ manifests: [aConfigMap({ color: 'green' })] });
  const { revision: green } = await hub.turn();
  await hub.annotate({ [ABORT]: `${green}#1` });
  await hub.turn();
  await hub.reachable('site-3', true);
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['green', 'green', 'blue']);
  expect(green).not.toBe(blue);
});

test('after a failure the sites that were changed get what they had before, out of its BundleRevision', async () => {
  const hub = await settled('back', { onFailure: 'RollBack', stages: [CANARY] });
  const before = await hub.work('site-1');
  await hub.edit(BLUE);
  await hub.turn();
  await hub.refuse('site-1');
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['red', 'red', 'red']);
  expect((await hub.work('site-1'))?.spec).toEqual(before?.spec);
  await hub.apply('site-1');
  await hub.turn();
  expect(await hub.condition('Stalled')).toMatchObject({ status: 'True', reason: 'RolledBack' });
  const labelSelector = `${BUNDLE_KEY}=${bundleKey({ namespace: APPS, name: 'back' })}`;
  const { items } = await stage.kube.list(BUNDLE_REVISION_KIND, { namespace: APPS, labelSelector });
  expect(items).toHaveLength(2);
});

test('a revision whose Secret has changed since is not pretended to be what it was: the site keeps what it has', async () => {
  const secret = (color: string) => ({
    metadata: { namespace: APPS, name: 'colors' },
    data: { 'a.yaml': btoa(JSON.stringify(aConfigMap({ color }))) },
  });
  await stage.kube.create(SECRET, secret('red') as never);
  const spec = { manifests: [], manifestsFrom: [{ secret: 'colors' }] };
  const hub = await settled('changed', { onFailure: 'RollBack', stages: [CANARY] }, spec);
  await stage.kube.patch(SECRET, { namespace: APPS, name: 'colors' }, { data: secret('blue').data });
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  await hub.refuse('site-1');
  await hub.turn();
  expect(await hub.colors(...SITES)).toEqual(['blue', 'red', 'red']);
  expect((await hub.read()).status?.failing).toMatchObject([{ cluster: 'site-1', reason: 'RevisionGone' }]);
});

test('a Secret among the manifests comes back with the revision that it was part of', async () => {
  const secret = (key: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'kept', namespace: APPS },
    stringData: { key },
  });
  const keyOn = async () => (await hub.work('site-1'))?.spec?.workload.manifests?.[0];
  const strategy = { onFailure: 'RollBack', stages: [CANARY] };
  const hub = await settled('kept', strategy, { manifests: [secret('one')] });
  await hub.edit({ manifests: [secret('two')] });
  await hub.turn();
  expect(await keyOn()).toMatchObject({ data: { key: btoa('two') } });
  await hub.refuse('site-1');
  await hub.turn();
  expect(await keyOn()).toMatchObject({ data: { key: btoa('one') } });
});

test('a Secret among the manifests makes another revision when it changes, and not with every edit', async () => {
  const secret = (key: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'inline', namespace: APPS },
    stringData: { key },
  });
  const hub = await settled('inline', {}, { manifests: [secret('one')] });
  const { revision } = await hub.turn();
  await hub.edit({ strategy: { maxFailures: 1 } });
  expect((await hub.turn()).revision).toBe(revision);
  await hub.edit({ manifests: [secret('two')] });
  expect((await hub.turn()).revision).not.toBe(revision);
});
