// Bundles that have something secret, where Secrets may go to sites only sealed, on a real API server: what a
// reader of works, statuses and events sees, and what becomes of what runs.
import { CONFIG_MAP, EVENT, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfigSpec } from '../../../../crds/hub/rcs-config.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { bundleHub } from '../../../support/testbeds/fleet/bundle-hub.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
const SITES = ['site-1', 'site-2', 'site-3'] as const;

beforeAll(async () => {
  stage = await startHub();
  await stage.kube.create(NAMESPACE, { metadata: { name: 'site-3' } } as never);
  await joinSites(stage, SITES);
}, 300_000);
afterAll(() => stage?.stop());

const CANARY = 'canary-of-a-secret-of-a-bundle';
const secret = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: APPS, name },
  data: { password: btoa(CANARY) },
});
const REQUIRED = { sealing: 'Required' } as const;
const LISTED = { ...REQUIRED, unsealedBundles: [APPS] };

/** Resolves when the hub worker's cache knows it. */
async function secretsAre(secrets: RcsConfigSpec['secrets'] | null): Promise<void> {
  const { metadata } = await stage.kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { secrets } });
  await eventually(() => {
    const known = stage.caches.configs.get(RCS_CONFIG_KEY)?.metadata.resourceVersion;
    return known === metadata.resourceVersion ? true : undefined;
  });
}

/** Raw, in base64, and in the base64 of what is in base64 already. */
function shows(object: unknown): boolean {
  const text = JSON.stringify(object);
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([found]) =>
    Buffer.from(found, 'base64').toString('latin1'),
  );
  return [text, ...decoded].some((one) => one.includes(CANARY) || one.includes(btoa(CANARY).slice(0, 24)));
}

async function versionsOf(hub: ReturnType<typeof bundleHub>, ...clusters: readonly string[]) {
  const works = await Promise.all(clusters.map((cluster) => hub.work(cluster)));
  return works.map((work) => work?.metadata.resourceVersion);
}

async function settled(name: string, spec: object) {
  const hub = bundleHub(stage, name);
  await hub.make({ sites: { clusters: ['site-1', 'site-2'] }, strategy: { maxConcurrent: '100%' }, ...spec });
  await hub.turn();
  await hub.apply('site-1', 'site-2');
  await hub.turn();
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
  return hub;
}

const outer = {
  apiVersion: 'kubernetes.crossplane.io/v1alpha2',
  kind: 'Object',
  metadata: { name: 'outer' },
  spec: { forProvider: { manifest: secret('inner') } },
};
const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [aConfigMap(), secret('listed')] });

test.each<[string, object, string]>([
  ['in spec.manifests', { manifests: [aConfigMap(), secret('db')] }, 'spec.manifests[1] is Secret apps/db. '],
  [
    'inside another object',
    { manifests: [outer] },
    'spec.manifests[0] is Object outer, in which a Secret stands. ',
  ],
  [
    'in a List of a ConfigMap',
    { manifests: [], manifestsFrom: [{ configMap: 'files' }] },
    'ConfigMap files, key a.json, document 2 is Secret apps/listed. ',
  ],
  [
    'which holds the manifests',
    { manifests: [aConfigMap({}, 'other')], manifestsFrom: [{ secret: 'files' }] },
    'spec.manifestsFrom names Secret files, where a ConfigMap would do for what is not secret. ',
  ],
])(
  'a Secret %s gets into no work, status or event, and the Bundle says where it is',
  async (_where, spec, said) => {
    await secretsAre(REQUIRED);
    const name = `hidden-${said
      .replaceAll(/[^a-z]+/gi, '')
      .toLowerCase()
      .slice(0, 30)}`;
    const metadata = { namespace: APPS, name: 'files' };
    if ((await stage.kube.get(CONFIG_MAP, metadata)) === null) {
      await stage.kube.create(CONFIG_MAP, { ...CONFIG_MAP, metadata, data: { 'a.json': text } } as never);
      await stage.kube.create(SECRET, { ...SECRET, metadata, data: { 'a.json': btoa(text) } } as never);
    }
    const hub = bundleHub(stage, name);
    await hub.make({ sites: { clusters: ['site-1'] }, ...spec });
    const { revision: _none, ...turned } = await hub.turn();
    const ready = await hub.condition('Ready');
    expect(ready).toMatchObject({ status: 'False', reason: 'SecretNotSealed' });
    expect(ready?.message).toContain(said);
    expect(ready?.message).toContain(
      `list apps in spec.secrets.unsealedBundles of RCSConfig ${RCS_CONFIG_KEY.namespace}/${RCS_CONFIG_KEY.name}`,
    );
    expect(await hub.work('site-1')).toBeNull();
    const { items: works } = await stage.kube.list(MANIFEST_WORK);
    const { items: events } = await stage.kube.list(EVENT, { namespace: APPS });
    expect([works, events, (await hub.read()).status, turned].map(shows)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  },
);

test('when sealing is switched on, what runs goes on and is not written, a site that joins gets nothing, and what is secret can be taken out', async () => {
  await secretsAre(null);
  const hub = await settled('switched', { manifests: [aConfigMap({ color: 'red' }), secret('db')] });
  const before = await versionsOf(hub, 'site-1', 'site-2');
  await secretsAre(REQUIRED);
  await hub.edit({ sites: { clusters: ['site-1', 'site-3'] } });
  await hub.turn();
  expect(await versionsOf(hub, 'site-1')).toEqual(before.slice(0, 1));
  expect(await hub.work('site-3')).toBeNull();
  expect((await hub.work('site-2'))?.metadata.deletionTimestamp).toBeDefined();
  expect((await hub.read()).status).toMatchObject({ readyOfSites: '1/2', leaving: ['site-2'] });
  expect(await hub.condition('Ready')).toMatchObject({ status: 'False', reason: 'SecretNotSealed' });
  // The site that goes is seen to go.
  await hub.turn();
  const still = await hub.read();
  await hub.turn();
  expect((await hub.read()).metadata.resourceVersion).toBe(still.metadata.resourceVersion);
  await hub.edit({ manifests: [aConfigMap({ color: 'blue' })] });
  await hub.turn();
  expect(await hub.colors('site-1', 'site-3')).toEqual(['blue', 'blue']);
  expect(shows(await hub.work('site-1'))).toBe(false);
});

test('the Bundles of a namespace that an operator lists go as they are, and neither that nor sealing is a new revision', async () => {
  await secretsAre(null);
  const hub = await settled('listed', { manifests: [aConfigMap({ color: 'red' }), secret('listed-db')] });
  const [before, { status }] = [await versionsOf(hub, 'site-1', 'site-2'), await hub.read()];
  await secretsAre(REQUIRED);
  await hub.turn();
  await secretsAre(LISTED);
  await hub.turn();
  expect(await versionsOf(hub, 'site-1', 'site-2')).toEqual(before);
  expect(await hub.condition('Ready')).toMatchObject({ status: 'True', reason: 'Ready' });
  expect((await hub.read()).status?.revision).toBe(status?.revision);
  await hub.edit({ sites: { clusters: [...SITES] } });
  await hub.turn();
  expect(shows(await hub.work('site-3'))).toBe(true);
});

test('a rollout that goes back brings no Secret back, and says what keeps the site from the earlier revision', async () => {
  await secretsAre(null);
  const strategy = { maxConcurrent: '100%', onFailure: 'RollBack' };
  const red = { manifests: [aConfigMap({ color: 'red' }), secret('back-db')] };
  const hub = await settled('back', { ...red, strategy });
  await secretsAre(REQUIRED);
  await hub.edit({ manifests: [aConfigMap({ color: 'blue' })] });
  await hub.turn();
  await hub.refuse('site-1');
  await hub.apply('site-2');
  await hub.turn();
  await hub.turn();
  expect(await hub.colors('site-1', 'site-2')).toEqual(['blue', 'blue']);
  expect((await hub.read()).status?.rollout?.direction).toBe('Back');
  const { failing } = (await hub.read()).status ?? {};
  expect(failing).toContainEqual(expect.objectContaining({ cluster: 'site-1', reason: 'RevisionGone' }));
  expect(JSON.stringify(failing)).toContain('spec.manifests[1] is Secret apps/back-db');
  expect([await hub.work('site-1'), await hub.work('site-2')].some(shows)).toBe(false);
});

test('without an RCSConfig nothing of a Bundle goes to any site', async () => {
  await stage.kube.remove(RCS_CONFIG, RCS_CONFIG_KEY);
  await eventually(() => (stage.caches.configs.get(RCS_CONFIG_KEY) === undefined ? true : undefined));
  const hub = bundleHub(stage, 'without');
  await hub.make({ sites: { clusters: ['site-1'] }, manifests: [secret('db')] });
  await hub.turn();
  expect(await hub.work('site-1')).toBeNull();
});
