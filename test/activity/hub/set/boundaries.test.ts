// A staged rollout whose hub worker dies at every write: each is lost once before the API server has it, and
// once after.
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { APPROVE, APPROVE_REMOVAL, SET } from '../../../../crds/labels.ts';
import { SET_REVISION_KIND } from '../../../../crds/set/set-revision.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { aTemplate, says } from '../../../support/builders/fleet/sets.ts';
import { startFaultProxy, type FaultProxy } from '../../../support/servers/network/fault-proxy.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { decide } from '../../../support/testbeds/fleet/decide.ts';
import { look, losses } from '../../../support/testbeds/fleet/losses.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  lookerAt,
  setOn,
} from '../../../support/testbeds/fleet/looker.ts';

const CLUSTERS = ['site-1', 'site-2', 'site-3'];
const STAGES = [
  { name: 'canary', sites: { matchLabels: { tier: 'canary' } } },
  { name: 'rest', approval: 'Required', maxConcurrent: 1 },
];

let stage: HubForTests;
let proxy: FaultProxy;
let mortal: Kube;
beforeAll(async () => {
  stage = await startHub();
  proxy = await startFaultProxy(stage.kubeconfig);
  mortal = connect({ kubeconfig: proxy.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await acceptSites(stage, CLUSTERS);
}, 300_000);
afterAll(async () => {
  await mortal?.close();
  await proxy?.stop();
  await stage?.stop();
});

const imagesOf = async (set: string): Promise<(string | undefined)[]> =>
  (await childrenOn(stage, set)).map(({ spec }) => spec.configurationSpec.template.spec.containers[0]?.image);

test('an edit, an approval and the way back do what they say although the hub worker dies before and after each of their writes', async () => {
  const lost = losses();
  const first = await beginSet(stage, 'shop', {
    sites: { clusters: CLUSTERS },
    template: aTemplate('shop:1'),
    strategy: { maxConcurrent: '100%' },
  });
  await first.look();
  for (const site of CLUSTERS) await says(stage.kube, `shop-${site}`, 'Serving');
  await first.look();
  const key = { namespace: 'apps', name: 'shop' };
  await stage.kube.patch(CAPP_SET, key, { spec: { strategy: { stages: STAGES } } });

  const looker = lookerAt({ ...stage, kube: mortal }, 'shop');
  looker.memory = first.memory;
  proxy.fault(lost.decide);
  const walk = async (from: string, to: string): Promise<void> => {
    const only = (count: number) => async () => {
      expect((await imagesOf('shop')).filter((image) => image === to)).toHaveLength(count);
    };
    const upTo = (count: number) => async () => {
      expect((await imagesOf('shop')).filter((image) => image === to).length).toBeLessThanOrEqual(count);
    };
    await stage.kube.patch(CAPP_SET, key, { spec: { template: aTemplate(to) } });
    await look(looker, upTo(1));
    expect(await imagesOf('shop')).toEqual([to, from, from]);
    await says(stage.kube, 'shop-site-1', 'Serving');
    await look(looker, only(1));
    const approval = `rest#${looker.memory?.rollout?.revision}`;
    await stage.kube.patch(CAPP_SET, key, { metadata: { annotations: { [APPROVE]: approval } } });
    await look(looker, upTo(2));
    await look(looker, only(2));
    await says(stage.kube, 'shop-site-2', 'Serving');
    await look(looker, upTo(3));
    await look(looker, only(3));
    await says(stage.kube, 'shop-site-3', 'Serving');
    await look(looker, only(3));
  };
  await walk('shop:1', 'shop:2');
  await walk('shop:2', 'shop:1');

  const generations = (await childrenOn(stage, 'shop')).map(({ metadata }) => metadata.generation);
  expect(generations).toEqual([3, 3, 3]);
  const { items } = await stage.kube.list(SET_REVISION_KIND, {
    namespace: 'apps',
    labelSelector: `${SET}=shop`,
  });
  expect(items).toHaveLength(2);
  expect((await setOn(stage, 'shop')).status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Ready', status: 'True' }),
  );
  expect(lost.count()).toBeGreaterThan(20);
}, 300_000);

/** A set on all sites, by a Placement of its name; its next turns go through the proxy. */
async function spread(name: string) {
  proxy.fault(() => undefined);
  await decide(stage, name, CLUSTERS);
  const first = await beginSet(stage, name, {
    placement: name,
    template: aTemplate('shop:1'),
    strategy: { maxConcurrent: '100%' },
  });
  await first.look();
  const looker = lookerAt({ ...stage, kube: mortal }, name);
  looker.memory = first.memory;
  const left = async () => (await childrenOn(stage, name)).map(({ spec }) => spec.site ?? '').toSorted();
  /** As if only these sites had been selected for a while. */
  const unselected = async (clusters: readonly string[]): Promise<void> => {
    await decide(stage, name, clusters);
    const { memory } = await looker.look();
    const leaving = memory.leaving === null ? null : { ...memory.leaving, since: 0 };
    looker.memory = { ...memory, leaving };
  };
  return { looker, left, unselected };
}

test('a turn that removes one Capp and is refused another tells what it has removed, and the next one removes the other', async () => {
  const { looker, left, unselected } = await spread('partly');
  await unselected(['site-1']);
  await looker.look();
  const { heldRemoval } = (await setOn(stage, 'partly')).status ?? {};
  expect([heldRemoval?.count, await left()]).toEqual([2, CLUSTERS]);
  const annotations = { [APPROVE_REMOVAL]: `5#${heldRemoval?.set ?? ''}` };
  await stage.kube.patch(CAPP_SET, { namespace: 'apps', name: 'partly' }, { metadata: { annotations } });
  proxy.fault(({ method, path }) =>
    method === 'DELETE' && path.includes('partly-site-3') ? { answer: 500 } : undefined,
  );
  try {
    await looker.look();
    expect(await left()).toEqual(['site-1', 'site-3']);
    expect(looker.memory?.removal.allowed).toBe(4);
  } finally {
    proxy.fault(() => undefined);
  }
  await unselected(['site-1']);
  await looker.look();
  expect(await left()).toEqual(['site-1']);
  expect(looker.memory?.removal.allowed).toBe(3);
}, 300_000);

test('a Capp that was removed by a turn that died is in the ten-minute count, so the next one waits for a person', async () => {
  const { looker, left, unselected } = await spread('counted');
  await unselected(['site-1', 'site-2']);
  proxy.fault(({ method, path }) =>
    method === 'DELETE' && path.includes('counted-site-3') ? { sever: 'after' } : undefined,
  );
  try {
    await expect(looker.look()).rejects.toThrow();
    expect(await left()).toEqual(['site-1', 'site-2']);
  } finally {
    proxy.fault(() => undefined);
  }
  await looker.look();
  expect(looker.memory?.removal.recent).toMatchObject([{ count: 1 }]);
  await unselected(['site-1']);
  await looker.look();
  expect(await left()).toEqual(['site-1', 'site-2']);
  expect((await setOn(stage, 'counted')).status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'RemovalHeld' }),
  );
}, 300_000);

test('a removal that the hub refuses for good holds nobody up, and the set says so until it is done', async () => {
  const first = await beginSet(stage, 'refused', {
    sites: { clusters: CLUSTERS },
    template: aTemplate('shop:1'),
    strategy: { maxConcurrent: '100%' },
  });
  await first.look();
  const looker = lookerAt({ ...stage, kube: mortal }, 'refused');
  looker.memory = first.memory;
  const stalled = async () =>
    (await setOn(stage, 'refused')).status?.conditions?.find(({ type }) => type === 'Stalled');
  proxy.fault(({ method }) => (method === 'DELETE' ? { answer: 403 } : undefined));
  try {
    await stage.kube.patch(
      CAPP_SET,
      { namespace: 'apps', name: 'refused' },
      { spec: { sites: { clusters: ['site-1', 'site-2'] }, template: aTemplate('shop:2') } },
    );
    await looker.look();
    expect(await imagesOf('refused')).toEqual(['shop:2', 'shop:2', 'shop:1']);
    for (const site of ['site-1', 'site-2']) await says(stage.kube, `refused-${site}`, 'Serving');
    const { wakeAt } = await looker.look();
    expect(wakeAt).not.toBeNull();
    expect(await stalled()).toMatchObject({ status: 'True', reason: 'RemovalRefused' });
  } finally {
    proxy.fault(() => undefined);
  }
  await looker.look();
  expect(await imagesOf('refused')).toEqual(['shop:2', 'shop:2']);
  expect(await stalled()).toMatchObject({ status: 'False' });
}, 300_000);

test('of a deleted set whose Capp the hub does not let go, the others go, and its status says what stays and why', async () => {
  const first = await beginSet(stage, 'ending', {
    sites: { clusters: CLUSTERS },
    template: aTemplate('shop:1'),
    strategy: { maxConcurrent: '100%' },
  });
  await first.look();
  const looker = lookerAt({ ...stage, kube: mortal }, 'ending');
  const sites = async () => (await childrenOn(stage, 'ending')).map(({ spec }) => spec.site ?? '').toSorted();
  const [stays = ''] = await sites();
  await stage.kube.remove(CAPP_SET, { namespace: 'apps', name: 'ending' });
  proxy.fault(({ method, path }) =>
    method === 'DELETE' && path.includes(`ending-${stays}`) ? { answer: 403 } : undefined,
  );
  try {
    await looker.look();
    expect(await sites()).toEqual([stays]);
    const before = Date.now();
    const { wakeAt } = await looker.look();
    expect(wakeAt).toBeGreaterThanOrEqual(before + HUB_TIMES.removalRefused.ms);
    expect((await setOn(stage, 'ending')).status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'Stalled',
        status: 'True',
        reason: 'RemovalRefused',
        message: expect.stringContaining(`1 of them cannot be deleted: the hub refuses that for ${stays} `),
      }),
    );
  } finally {
    proxy.fault(() => undefined);
  }
  await looker.look();
  await expect(looker.look()).rejects.toThrow('the set is Gone');
  expect(await setOn(stage, 'ending')).toBeNull();
}, 300_000);
