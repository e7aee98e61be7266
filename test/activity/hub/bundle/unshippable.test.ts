// Turns of a Bundle that cannot be shipped as it is now, on a real API server: what runs goes on.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { applied } from '../../../support/testbeds/fleet/bundle-works.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { bundleTurns } from '../../../support/testbeds/fleet/bundle-turns.ts';

let stage: HubForTests;

beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, ['site-1', 'site-2', 'site-3']);
}, 300_000);
afterAll(() => stage?.stop());

const { make, read, reasonOf, turn, work } = bundleTurns(() => stage);

test('a Bundle that cannot be shipped changes no work, and says why; a Secret shows in no message', async () => {
  await make('refused');
  await turn('refused');
  const before = await work('refused');
  const source = (text: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: APPS, name: 'source' },
    data: { 'a.yaml': btoa(text) },
  });
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'refused' },
    { spec: { manifestsFrom: [{ secret: 'source' }] } },
  );
  await turn('refused');
  expect(await reasonOf('refused')).toBe('MissingSource');
  await stage.kube.create(SECRET, source('canary: [') as never);
  await turn('refused');
  expect(await reasonOf('refused')).toBe('Unreadable');
  const large = `{apiVersion: v1, kind: ConfigMap, metadata: {name: big, namespace: apps}, data: {big: ${'canary'.repeat(90_000)}}}`;
  await stage.kube.patch(SECRET, { namespace: APPS, name: 'source' }, { data: { 'a.yaml': btoa(large) } });
  await turn('refused');
  expect(await reasonOf('refused')).toBe('TooLarge');
  expect(JSON.stringify(await read('refused'))).not.toContain('canary');
  expect((await work('refused'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
});

test('a Bundle whose file is refused under way goes on where it runs, says the line, and leaves a site that is taken out', async () => {
  const config = (text: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: APPS, name: 'files' },
    data: { 'a.yaml': text },
  });
  const file = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: apps}\n';
  await stage.kube.create(CONFIG_MAP, config(file) as never);
  await stage.kube.create(NAMESPACE, { metadata: { name: 'site-3' } } as never);
  const from = { manifests: [], manifestsFrom: [{ configMap: 'files' }] };
  const sites = { clusters: ['site-1', 'site-2'] };
  await make('refused-later', { sites, ...from, strategy: { maxConcurrent: '100%' } });
  await turn('refused-later');
  for (const site of ['site-1', 'site-2']) await applied(stage, 'refused-later', site);
  await turn('refused-later');
  const before = await work('refused-later');
  const settled = (await read('refused-later')).status?.rollout;
  await stage.kube.patch(
    CONFIG_MAP,
    { namespace: APPS, name: 'files' },
    { data: { 'a.yaml': `${file}data: {a: 1, a: 2}\n` } },
  );
  await turn('refused-later');
  const { status } = await read('refused-later');
  expect(status).toMatchObject({ readyOfSites: '2/2', ready: 2, rollout: settled });
  expect(status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
    status: 'False',
    reason: 'Unreadable',
    message:
      'ConfigMap files, key a.yaml, line 4: a key stands twice in its map: leave one out. What runs on its sites goes on, and no site gets anything new until then.',
  });
  const still = await read('refused-later');
  expect(await turn('refused-later')).toMatchObject({ outcome: 'Turned', isMore: false });
  expect((await read('refused-later')).metadata.resourceVersion).toBe(still.metadata.resourceVersion);
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'refused-later' },
    { spec: { sites: { clusters: ['site-1'] } } },
  );
  await turn('refused-later');
  expect((await work('refused-later', 'site-2'))?.metadata.deletionTimestamp).toBeDefined();
  expect((await work('refused-later'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  expect((await read('refused-later')).status).toMatchObject({ readyOfSites: '1/1', leaving: ['site-2'] });
  // A site that is added meanwhile gets nothing before the file can be read.
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'refused-later' },
    { spec: { sites: { clusters: ['site-1', 'site-3'] } } },
  );
  await turn('refused-later');
  expect(await work('refused-later', 'site-3')).toBeNull();
  await stage.kube.patch(CONFIG_MAP, { namespace: APPS, name: 'files' }, { data: { 'a.yaml': file } });
  await turn('refused-later');
  expect((await work('refused-later'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  expect(await work('refused-later', 'site-3')).not.toBeNull();
  await stage.kube.patch(CONFIG_MAP, { namespace: APPS, name: 'files' }, { data: { 'a.yaml': 'a: [' } });
  await stage.kube.remove(BUNDLE, { namespace: APPS, name: 'refused-later' });
  await turn('refused-later');
  expect((await work('refused-later'))?.metadata.deletionTimestamp).toBeDefined();
});

test('a Bundle whose strategy cannot be read goes on where it runs, names the field, and leaves a site that is taken out', async () => {
  const sites = { clusters: ['site-1', 'site-2'] };
  await make('unread-strategy', { sites, strategy: { maxConcurrent: '100%' } });
  await turn('unread-strategy');
  for (const site of sites.clusters) await applied(stage, 'unread-strategy', site);
  await turn('unread-strategy');
  const before = await work('unread-strategy');
  // The CRD cannot know the names of all time zones, and the webhook does not run here.
  const windows = [{ days: ['Mon'], from: '22:00', to: '04:00', timeZone: 'Europe/Atlantis' }];
  await stage.kube.patch(
    BUNDLE,
    { namespace: APPS, name: 'unread-strategy' },
    { spec: { sites: { clusters: ['site-1'] }, strategy: { windows } } },
  );
  await turn('unread-strategy');
  const { status } = await read('unread-strategy');
  expect(status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ reason: 'Invalid' });
  expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(
    /spec\.strategy\.windows\.0\.timeZone must be the name of a time zone.* What runs on its sites goes on/,
  );
  expect((await work('unread-strategy', 'site-2'))?.metadata.deletionTimestamp).toBeDefined();
  expect((await work('unread-strategy'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
});
