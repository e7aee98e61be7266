// What a Bundle ships of the files that people put into ConfigMaps, Secrets and the Bundle itself, on a real
// API server.
import { load } from '../../../../activities/hub/bundle/manifests/load.ts';
import { render } from '../../../../activities/hub/bundle/manifests/render.ts';
import { seenOf } from '../../../../activities/hub/bundle/status/seen.ts';
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { wholeOf } from '../../../../kube/files/digits.ts';
import { createBundle } from '../../../../testbed/bundles.ts';
import { joinSites } from '../../../support/testbeds/join/joined-sites.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await joinSites(stage, ['site-1']);
}, 300_000);
afterAll(() => stage?.stop());

const BIG =
  'apiVersion: x.io/v1\nkind: Counter\nmetadata: {name: a, namespace: apps}\nspec: {count: 9007199254740993}\n';

async function carriedBy(name: string, spec: object) {
  await createBundle(stage.kube, { namespace: APPS, name }, { sites: { clusters: ['site-1'] }, ...spec });
  const bundle = (await stage.kube.get<Bundle>(BUNDLE, { namespace: APPS, name })) as Bundle;
  const loaded = await load(stage.kube, bundle, '');
  if ('reason' in loaded) throw new Error(loaded.message);
  return { bundle, carried: loaded.carried };
}

const configMap = (name: string, more: Partial<ConfigMap>) =>
  stage.kube.create<ConfigMap>(CONFIG_MAP, { metadata: { namespace: APPS, name }, ...more });

test('UTF-16 in binaryData, typed lists and octal modes arrive as kubectl reads them', async () => {
  const utf16 = Buffer.from(
    '\uFEFFkind: ConfigMapList\napiVersion: v1\nitems: [{metadata: {name: a, namespace: apps}}]',
    'utf16le',
  );
  const mode =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: b, namespace: apps}\nspec: {mode: 0400, isTrue: yes}\n';
  await configMap('files', { data: { 'b.yaml': mode }, binaryData: { 'a.yaml': utf16.toString('base64') } });
  const { carried } = await carriedBy('files', { manifestsFrom: [{ configMap: 'files' }] });
  expect(carried.map(({ manifest }) => manifest)).toMatchObject([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    { kind: 'Pod', spec: { mode: 256, isTrue: true } },
  ]);
});

test('a key that cannot be read is named with its line, and nothing of a Secret is repeated', async () => {
  const text = Buffer.from('data:\n  s3cr3t: 1\n  s3cr3t: 2\n').toString('base64');
  await stage.kube.create<Secret>(SECRET, {
    metadata: { namespace: APPS, name: 'bad' },
    data: { 'a.yaml': text },
  });
  await expect(carriedBy('bad', { manifestsFrom: [{ secret: 'bad' }] })).rejects.toThrow(
    'Secret bad, key a.yaml, line 3: a key stands twice in its map: leave one out.',
  );
});

test('long numbers reach the work digit by digit, from files and from the Bundle, and it is then as it was written', async () => {
  await configMap('long', { data: { 'a.yaml': BIG } });
  const counter = { apiVersion: 'x.io/v1', kind: 'Counter', metadata: { name: 'b', namespace: 'apps' } };
  const digits = wholeOf(9007199254740995n);
  const { bundle, carried } = await carriedBy('long', {
    manifestsFrom: [{ configMap: 'long' }],
    manifests: [{ ...counter, spec: { count: digits } }],
  });
  const work = render(bundle, carried, { executorNamespace: null }).workOn('site-1', 1);
  await stage.kube.create<ManifestWork>(MANIFEST_WORK, work);
  const key = { namespace: 'site-1', name: work.metadata.name };
  const path = `/apis/${MANIFEST_WORK.apiVersion}/namespaces/site-1/manifestworks/${key.name}`;
  const text = JSON.stringify(await stage.kube.raw('GET', path));
  expect(text).not.toContain('rawJSON');
  const exact = { ...MANIFEST_WORK, keepsDigits: true };
  const stored = JSON.stringify((await stage.kube.get<ManifestWork>(exact, key))?.spec?.workload.manifests);
  expect(stored).toContain('"count":9007199254740993');
  expect(stored).toContain('"count":9007199254740995');
  const live = (await stage.kube.get<ManifestWork>(MANIFEST_WORK, key)) as ManifestWork;
  expect(seenOf(live).revision).not.toBeNull();
});

test('a key that is taken out of stringData goes from the site, also if a Secret came with the former version', async () => {
  const key = { namespace: APPS, name: 'keys' };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: key };
  const applied = async (name: string, stringData: object): Promise<void> => {
    const { carried } = await carriedBy(name, { manifests: [{ ...secret, stringData }] });
    const [one] = carried;
    await stage.kube.apply(SECRET, one?.manifest as never, { fieldManager: 'work-agent' });
  };
  await stage.kube.apply(SECRET, { ...secret, stringData: { a: '1', b: '2' } } as never, {
    fieldManager: 'work-agent',
  });
  await applied('keys-1', { a: '1', b: '2' });
  await applied('keys-2', { a: '1' });
  expect((await stage.kube.get<Secret>(SECRET, key))?.data).toEqual({ a: 'MQ==' });
});
