// Looks at a set on a real API server while somebody else writes between its reads and its writes.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import type { Kube } from '../../../../kube/client.ts';
import { capp } from '../../../../testbed/capps.ts';
import { aTemplate, CONTAINERS, says } from '../../../support/builders/fleet/sets.ts';
import { beforeRemoval } from '../../../support/testbeds/fleet/before-removal.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  lookerAt,
  setOn,
} from '../../../support/testbeds/fleet/looker.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, ['site-1', 'site-2']);
}, 300_000);
afterAll(() => stage?.stop());

const namespace = 'apps';
const keyOn = (set: string, site: string) => ({ namespace, name: `${set}-${site}` });

/**
 * A hub whose API server is asked for that Capp, and then somebody does this before anything else is asked.
 */
function meanwhile(name: string, act: () => Promise<unknown>): HubForTests {
  let isDone = false;
  const around = (kube: Kube): Kube => ({
    ...kube,
    within: (bounds) => around(kube.within(bounds)),
    getMetadata: async (resource, key, options) => {
      const found = await kube.getMetadata(resource, key, options);
      if (!isDone && resource.kind === CAPP.kind && key.name === name) {
        isDone = true;
        await act();
      }
      return found;
    },
  });
  return { ...stage, kube: around(stage.kube) };
}

test('a Capp that somebody makes between the read and the write stays as it is, and the set says whose name it is', async () => {
  const spec = { site: 'site-1', configurationSpec: { template: { spec: { containers: CONTAINERS } } } };
  const mine = capp({ ...keyOn('raced', 'site-1'), spec });
  await beginSet(stage, 'raced', {
    sites: { clusters: ['site-1', 'site-2'] },
    strategy: { maxConcurrent: '100%', maxFailures: 1 },
  });
  const made = meanwhile('raced-site-1', () => stage.kube.create(CAPP, mine));
  await lookerAt(made, 'raced').look();
  const live = await stage.kube.get<Capp>(CAPP, keyOn('raced', 'site-1'));
  expect(live?.metadata.ownerReferences).toBeUndefined();
  expect(live?.metadata.labels).toEqual(mine.metadata.labels);
  expect((await childrenOn(stage, 'raced')).map(({ spec: { site } }) => site)).toEqual(['site-2']);

  const after = lookerAt(stage, 'raced');
  await after.look();
  await after.look();
  expect((await setOn(stage, 'raced')).status?.failing).toContainEqual(
    expect.objectContaining({ site: 'site-1', reason: 'NameTaken' }),
  );
  expect((await stage.kube.get<Capp>(CAPP, keyOn('raced', 'site-1')))?.metadata.uid).toBe(live?.metadata.uid);
});

test('what the set has created it may change, and what its template no longer says goes', async () => {
  const template = { ...aTemplate('app:1'), metadata: { labels: { team: 'sea' } } };
  const set = await beginSet(stage, 'kept', { sites: { clusters: ['site-1'] }, template });
  await set.look();
  const [first] = await childrenOn(stage, 'kept');
  const edited = { ...aTemplate('app:2'), metadata: null };
  await stage.kube.patch(CAPP_SET, { namespace, name: 'kept' }, { spec: { template: edited } });
  await set.look();
  const [second] = await childrenOn(stage, 'kept');
  expect(second?.metadata).toMatchObject({ uid: first?.metadata.uid, generation: 2 });
  expect(second?.metadata.labels).not.toHaveProperty('team');
});

test('a Capp that becomes Ready between the look and its deletion stays, since no other of the set is Ready', async () => {
  const template = aTemplate('app:1');
  const strategy = { maxConcurrent: '100%' };
  const before = await beginSet(stage, 'late', {
    sites: { clusters: ['site-1', 'site-2'] },
    template,
    strategy,
  });
  await before.look();
  await stage.kube.patch(
    CAPP_SET,
    { namespace, name: 'late' },
    { spec: { sites: { clusters: ['site-1'] } } },
  );
  let isReady = false;
  const raced = beforeRemoval(stage, CAPP, async () => {
    isReady = true;
    await says(stage.kube, 'late-site-2', 'Serving');
  });
  await lookerAt(raced, 'late').look();
  expect(isReady).toBe(true);
  const [, left] = await childrenOn(stage, 'late');
  expect(left?.metadata).toMatchObject({ name: 'late-site-2' });
  expect(left?.metadata.deletionTimestamp).toBeUndefined();
});
