// How the choice of a site combines the caches with live reads: the same question gets the same site, and a
// Capp's own load does not count against it.
import { hubChoose } from '../../../../activities/hub/place/choose.ts';
import { DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import { CAPP_KEY, MANAGED_BY, MANAGED_BY_HUB } from '../../../../crds/labels.ts';
import { cappKey } from '../../../../crds/ocm/work-identity.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { CAPP } from '../../../support/builders/states.ts';
import { ASK, cachesOf, chooser, kubeOf } from '../../../support/builders/chooser.ts';

test('a Capp whose work no cache shows yet gets the same site again, because its own load does not count', async () => {
  const choose = chooser();
  expect(await choose()).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
  expect(await choose()).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
});

test('a Capp gets the site of a work that was found live, even if no cache shows it', async () => {
  const found = [{ cluster: 'site-2', leaving: false }];
  const choice = await chooser()({ works: found });
  expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-2', works: found });
});

test('a Capp whose first try shipped it and lost the answer stays where that work was found, also with dashes in its name', async () => {
  const works = [{ cluster: 'site-2', leaving: false }];
  expect(await chooser({ name: 'a-b' })({ works })).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
  expect(await chooser({ name: 'a-b', rivals: [{}] })({ works })).toMatchObject({ cluster: 'site-1' });
});

test('a Capp whose hub worker was killed before it could say where the work is stays there, by our label', async () => {
  const labels = { [CAPP_KEY]: cappKey(CAPP.namespace, 'a-b'), [MANAGED_BY]: MANAGED_BY_HUB };
  const works = [{ cluster: 'site-2', name: 'mw-create-apps-a-b', labels }];
  expect(await chooser({ name: 'a-b', works })()).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
  expect(await chooser({ name: 'a-b', works, rivals: [{}] })()).toMatchObject({ cluster: 'site-1' });
});

test('a new Capp does not go to the site of a work that an earlier Capp of its name has left if no placement decided for that site', async () => {
  const left = [{ cluster: 'site-9', leaving: false }];
  expect(await chooser()({ works: left })).toMatchObject({
    outcome: 'Chosen',
    cluster: 'site-1',
    works: left,
  });
});

test('a Capp stays on the site in its status, even if no placement decides for that site any more', async () => {
  const status = { migration: { serving: 'site-9' } };
  const choice = await chooser({ status })({ works: [{ cluster: 'site-9', leaving: false }] });
  expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-9' });
});

test('a cluster on which the workflow knows a copy that is being deleted is no candidate, even if the caches do not show it', async () => {
  expect(await chooser()({ works: [{ cluster: 'site-1', leaving: true }] })).toMatchObject({
    outcome: 'Chosen',
    cluster: 'site-2',
  });
});

test("a placement review reports a cluster that no longer exists as unreachable, even if the copy's work went with it", async () => {
  const history = {
    placedFor: '',
    pin: null,
    home: null,
    request: null,
    annotated: { migrate: null, force: null },
  };
  const choose = chooser({ works: [{ cluster: 'site-1' }] });
  const look = (copies: readonly string[]) => choose({ present: 'site-1', history: { ...history, copies } });
  expect(await look(['site-1', 'site-2'])).toMatchObject({ unreachable: [] });
  expect(await look(['site-1', 'gone'])).toMatchObject({ unreachable: ['gone'] });
});

describe('of an earlier copy that the cache shows as being removed', () => {
  const decided = ['site-1'];
  const works = (gone: boolean) => [{ cluster: 'site-1', leaving: true, gone }];

  test('a Capp waits for the end of its work where the work is still there', async () => {
    const choice = await chooser({ decided, works: works(false) })();
    expect(choice).toMatchObject({ outcome: 'None', reason: 'NoCandidate' });
  });

  test('no Capp waits for the end of its work that has come: nobody would ring again', async () => {
    const choice = await chooser({ decided, works: works(true) })();
    expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-1', works: [] });
  });

  test('nor does a Capp that must not run twice', async () => {
    const migration = { strategy: 'Recreate' };
    const choice = await chooser({ migration, works: works(true) })();
    expect(choice).toMatchObject({ outcome: 'Chosen' });
    expect(await chooser({ migration, works: works(false) })()).toMatchObject({ reason: 'StillLeaving' });
  });

  test('what was read live of this very Capp before counts on, until a ring says otherwise', async () => {
    const read = [{ cluster: 'site-1', leaving: true }];
    expect(await chooser({ decided, works: works(true) })({ works: read })).toMatchObject({
      outcome: 'None',
    });
  });

  test('a choice that does not have to wait reads nothing live', async () => {
    let reads = 0;
    const kube = { within: () => ((reads += 1), { get: () => Promise.resolve(null) }) as never };
    const caches = cachesOf({ works: works(true) });
    const { choose } = hubChoose({ kube, caches, hubUid: 'hub', config: RCS_CONFIG_KEY });
    expect(await choose(CAPP, ASK)).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
    expect(reads).toBe(0);
  });
});

test('a choice looks at no work of another Capp, however many there are', async () => {
  const others = Array.from({ length: 1_000 }, (_, index) => ({
    cluster: 'site-1',
    name: `mw-create-apps-other-${index}`,
  }));
  const caches = cachesOf({ works: others });
  let lookedAt = 0;
  const by = (index: string, key: string): KubeObject[] => {
    const found = caches.works.by(index, key);
    lookedAt += found.length;
    return found;
  };
  const works = { ...caches.works, by };
  const { choose } = hubChoose({
    kube: kubeOf(),
    caches: { ...caches, works },
    hubUid: 'hub',
    config: RCS_CONFIG_KEY,
  });
  expect(await choose(CAPP, ASK)).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
  expect(lookedAt).toBe(0);
});

describe('while a Drain stands for a site', () => {
  const drainOf = (name: string, spec: object = {}): Drain => ({
    apiVersion: '',
    kind: 'Drain',
    metadata: { name },
    spec: DrainSpec.parse(spec),
  });

  test('no Capp is placed there, and the decision record says why', async () => {
    expect(await chooser({ drains: [drainOf('site-1')] })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
      record: { excluded: [{ reason: 'Draining', count: 1, examples: ['site-1'] }] },
    });
  });

  test('a paused Drain keeps Capps away too, and a dry run does not', async () => {
    expect(await chooser({ drains: [drainOf('site-1', { paused: true })] })()).toMatchObject({
      cluster: 'site-2',
    });
    expect(await chooser({ drains: [drainOf('site-1', { dryRun: true })] })()).toMatchObject({
      cluster: 'site-1',
    });
  });

  test('a Capp whose every site is drained waits, and the message says who could tell why', async () => {
    const choice = await chooser({ drains: [drainOf('site-1'), drainOf('site-2')] })();
    expect(choice).toMatchObject({
      outcome: 'None',
      reason: 'Draining',
      message: expect.stringContaining('kubectl get drain site-1 -o wide'),
    });
  });

  test('a Capp whose work is there stays until it is told to leave', async () => {
    const choice = await chooser({ drains: [drainOf('site-1')], works: [{ cluster: 'site-1' }] })();
    expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
  });
});
