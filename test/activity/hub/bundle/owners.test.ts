// One field, one owner: what becomes of an object that two Bundles carry, one after the other or at once,
// with OCM's own work agent on a real API server.
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { CONFIG_MAP, SECRET, type ConfigMap } from '../../../../crds/kubernetes/core.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { createBundle } from '../../../../testbed/bundles.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { turningBundles } from '../../../support/testbeds/fleet/turning.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { startWorkAgent } from '../../../support/servers/site/work-agent.ts';

let stage: HubForTests;
let stopAgent: () => Promise<void>;
beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, ['site-1']);
  const spec = { bundles: { unrestricted: [APPS] } };
  await stage.kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec });
  await eventually(() =>
    stage.caches.configs.list()[0]?.spec.bundles?.unrestricted === undefined ? undefined : true,
  );
  stopAgent = await startWorkAgent(stage.kube, stage.kubeconfig, 'site-1');
}, 300_000);
afterAll(async () => {
  await stopAgent?.();
  await stage?.stop();
});

const WAIT = { withinMs: 60_000, everyMs: 100 };
const shared = (name: string, data: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: APPS, name },
  data,
});
const make = (name: string, ...manifests: Manifest[]) =>
  createBundle(stage.kube, { namespace: APPS, name }, { sites: { clusters: ['site-1'] }, manifests });
const edit = (name: string, ...manifests: Manifest[]) =>
  stage.kube.patch(BUNDLE, { namespace: APPS, name }, { spec: { manifests } });
const read = (name: string) => stage.kube.get<Bundle>(BUNDLE, { namespace: APPS, name });
const work = (name: string) =>
  stage.kube.get<ManifestWork>(MANIFEST_WORK, {
    namespace: 'site-1',
    name: bundleWorkName({ namespace: APPS, name }),
  });
const dataOf = async (name: string) =>
  (await stage.kube.get<ConfigMap>(CONFIG_MAP, { namespace: APPS, name }))?.data;

/** A turn, as the workflow would take it once the cache has what was written last. */
async function turn(name: string): Promise<void> {
  const live = await work(name);
  const key = { namespace: 'site-1', name: bundleWorkName({ namespace: APPS, name }) };
  await eventually(() => {
    const seen = stage.caches.bundleWorks.get(key)?.metadata.resourceVersion;
    return BigInt(seen ?? 0) >= BigInt(live?.metadata.resourceVersion ?? 0) ? true : undefined;
  });
  const { turnFleet } = turningBundles(stage);
  const ask = { memory: null, minimumVersions: {}, most: 20, isAgain: false } as const;
  await turnFleet({ kind: 'Bundle', namespace: APPS, name }, ask);
}

async function until(name: string, reason: string): Promise<Bundle> {
  let last: unknown;
  return eventually(async () => {
    await turn(name);
    const found = await read(name);
    const ready = found?.status?.conditions?.find(({ type }) => type === 'Ready');
    last = found?.status;
    const isNewest = ready?.observedGeneration === found?.metadata.generation;
    return found !== null && isNewest && ready?.reason === reason ? found : undefined;
  }, WAIT).catch((cause: unknown) => {
    throw new Error(`${name} does not say ${reason}, but ${JSON.stringify(last)}`, { cause });
  });
}

async function gone(name: string): Promise<void> {
  await stage.kube.remove(BUNDLE, { namespace: APPS, name });
  await eventually(async () => {
    await turn(name);
    return (await read(name)) === null ? true : undefined;
  }, WAIT);
}

test('a Bundle that is split: the new one edits the moved object and takes keys out of it', async () => {
  const [kept, moved] = [shared('kept', { a: '1' }), shared('moved', { a: '1', b: '1' })];
  await make('whole', kept, moved);
  await until('whole', 'Ready');
  await make('part', moved);
  await until('part', 'Ready');
  await edit('whole', kept);
  await until('whole', 'Ready');
  expect(await dataOf('moved')).toEqual({ a: '1', b: '1' });
  await edit('part', shared('moved', { a: '2' }));
  await until('part', 'Ready');
  expect(await dataOf('moved')).toEqual({ a: '2' });
}, 300_000);

test('a Bundle that is merged into another, and deleted: the other edits what it has taken over, and takes keys out', async () => {
  await make('lesser', shared('merged', { a: '1', b: '1' }), shared('lost', {}));
  await until('lesser', 'Ready');
  await make('greater', shared('merged', { a: '1', b: '1' }), shared('own', {}));
  await until('greater', 'Ready');
  await gone('lesser');
  expect(await dataOf('merged')).toEqual({ a: '1', b: '1' });
  await eventually(async () => ((await dataOf('lost')) === undefined ? true : undefined), WAIT);
  await edit('greater', shared('merged', { a: '2' }), shared('own', {}));
  await until('greater', 'Ready');
  expect(await dataOf('merged')).toEqual({ a: '2' });
}, 300_000);

test('a Bundle under another name adopts what the former one orphaned, and edits it at once', async () => {
  await make('former', shared('adopted', { a: '1' }));
  await stage.kube.patch(BUNDLE, { namespace: APPS, name: 'former' }, { spec: { onRemoval: 'Orphan' } });
  await until('former', 'Ready');
  await gone('former');
  expect(await dataOf('adopted')).toEqual({ a: '1' });
  await make('renamed', shared('adopted', { a: '2' }));
  await until('renamed', 'Ready');
  expect(await dataOf('adopted')).toEqual({ a: '2' });
  // By force only for as long as it takes.
  await eventually(async () => {
    await turn('renamed');
    expect(JSON.stringify(await work('renamed'))).not.toContain('"force":true');
    return true;
  }, WAIT);
}, 300_000);

test('a Bundle adopts what one has orphaned whose name is too long for the name of a field manager', async () => {
  const long = 'l'.repeat(120);
  await make(long, shared('inherited', { a: '1' }));
  await stage.kube.patch(BUNDLE, { namespace: APPS, name: long }, { spec: { onRemoval: 'Orphan' } });
  await until(long, 'Ready');
  await gone(long);
  await make('heir', shared('inherited', { a: '2' }));
  await until('heir', 'Ready');
  expect(await dataOf('inherited')).toEqual({ a: '2' });
}, 300_000);

test('what a Bundle has brought stays when it is deleted right after the edit that asks for orphans', async () => {
  await make('hasty', shared('orphaned', { a: '1' }));
  await until('hasty', 'Ready');
  await stage.kube.patch(BUNDLE, { namespace: APPS, name: 'hasty' }, { spec: { onRemoval: 'Orphan' } });
  await gone('hasty');
  expect(await work('hasty')).toBeNull();
  expect(await dataOf('orphaned')).toEqual({ a: '1' });
}, 300_000);

test('two Bundles that say different things: the second says whose the field is, and has it once the first drops it', async () => {
  await make('first', shared('contested', { a: '1', b: '1' }), shared('other', {}));
  await until('first', 'Ready');
  await make('second', shared('contested', { a: '2' }));
  const conflict = await until('second', 'Conflict');
  expect(conflict.status?.failing?.[0]?.message).toContain(`with "work-agent-bundle-${APPS}/first"`);
  expect(await dataOf('contested')).toEqual({ a: '1', b: '1' });
  await edit('first', shared('other', {}));
  await until('first', 'Ready');
  await until('second', 'Ready');
  expect((await dataOf('contested'))?.['a']).toBe('2');
}, 300_000);

test('two Bundles with one Deployment out of Secrets: the second says what to do, although both say the same', async () => {
  const metadata = { namespace: APPS, name: 'secretly' };
  const labels = { app: 'secretly' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  const spec = { selector: { matchLabels: labels }, template };
  const stringData = {
    'a.yaml': JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec }),
  };
  for (const name of ['secret-one', 'secret-two']) {
    await stage.kube.create(SECRET, { metadata: { namespace: APPS, name }, stringData } as never);
    const sites = { clusters: ['site-1'] };
    await createBundle(stage.kube, { namespace: APPS, name }, { sites, manifestsFrom: [{ secret: name }] });
    const says =
      name === 'secret-one'
        ? 'It is applied, and not ready yet'
        : 'conflict with "work-agent-bundle-apps/secret-one": .metadata.annotations.rcs.dana.io/bundle-manifest. They do not say the same, or have it out of Secrets: keep it in one Bundle.';
    // What is not on the site yet is not ready either.
    await eventually(async () => {
      const { status } = await until(name, name === 'secret-one' ? 'NotReady' : 'Conflict');
      expect(status?.failing?.[0]?.message).toContain(says);
      return true;
    }, WAIT);
  }
}, 300_000);

test('a field that a person has set is never taken by force, also beside a Bundle that is gone', async () => {
  await make('past', shared('theirs', { a: '1', b: '1' }));
  await stage.kube.patch(BUNDLE, { namespace: APPS, name: 'past' }, { spec: { onRemoval: 'Orphan' } });
  await until('past', 'Ready');
  await gone('past');
  const mine = shared('theirs', { b: 'mine' });
  await stage.kube.apply(CONFIG_MAP, mine, { fieldManager: 'person', force: true });
  await make('present', shared('theirs', { a: '2', b: '2' }));
  const { status } = await until('present', 'Conflict');
  expect(status?.failing?.[0]?.message).toContain('person');
  expect(await dataOf('theirs')).toEqual({ a: '1', b: 'mine' });
}, 300_000);
