// What the bridge caches of the hub: the one RCSConfig that counts, Capps by hostname, and only the metadata
// of Secrets, ConfigMaps and works.
import { watchHub, type BridgeWatched } from '../../../bridge/changes/watched.ts';
import { CONFIG_MAP, NAMESPACE, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER_ADD_ON, MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { allSynced, stopAll } from '../../../kube/watch/cache.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { APPS, startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';

const KEY = { namespace: 'elsewhere', name: 'mine' };
const CANARY = btoa('canary-in-the-bridge');

let stage: HubForTests;
let watched: BridgeWatched;
beforeAll(async () => {
  stage = await startHub();
  await serveBare(stage.kube, MANAGED_CLUSTER_ADD_ON);
  await stage.kube.create(NAMESPACE, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: KEY.namespace },
  });
  watched = watchHub(stage.kube, KEY, () => undefined);
  await allSynced(watched);
}, 300_000);
afterAll(async () => {
  if (watched !== undefined) await stopAll(watched);
  await stage?.stop();
});

test('W13 the bridge caches names and versions of Secrets and ConfigMaps, and never their data', async () => {
  const metadata = { namespace: APPS, name: 'large' };
  const secret = await stage.kube.create<Secret>(SECRET, { metadata, data: { value: CANARY } });
  await stage.kube.create(CONFIG_MAP, { metadata, data: { value: CANARY } });
  const [seen, other] = await eventually(() => {
    const both = [watched.secrets.get(metadata), watched.configMaps.get(metadata)];
    return both.includes(undefined) ? undefined : both;
  });
  expect(seen?.metadata).toMatchObject({
    ...metadata,
    uid: secret.metadata.uid,
    resourceVersion: secret.metadata.resourceVersion,
  });
  expect(JSON.stringify([seen, other])).not.toContain(CANARY);
});

test('of works the bridge caches names and versions, and never what they carry', async () => {
  const metadata = { namespace: 'site-1', name: 'carrying' };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: APPS, name: 'in-a-work' } };
  const manifests = [{ ...secret, data: { value: CANARY } }];
  const { apiVersion, kind } = MANIFEST_WORK;
  const work = { apiVersion, kind, metadata, spec: { workload: { manifests } } };
  const { uid } = (await stage.kube.create<ManifestWork>(MANIFEST_WORK, work)).metadata;
  const seen = await eventually(() => watched.works.get(metadata));
  expect(seen.metadata).toMatchObject({ ...metadata, uid });
  expect(JSON.stringify(seen)).not.toContain(CANARY);
});

function aConfig(namespace: string, name: string): RcsConfig {
  const spec = { placements: [name], placementsNamespace: 'placements', invalidHostnamePatterns: [] };
  return { apiVersion: RCS_CONFIG.apiVersion, kind: RCS_CONFIG.kind, metadata: { namespace, name }, spec };
}

test('an RCSConfig with another name or namespace is ignored', async () => {
  await stage.kube.create(RCS_CONFIG, aConfig('rcs-deployer-system', 'mine'));
  await stage.kube.create(RCS_CONFIG, aConfig('elsewhere', 'other'));
  await stage.kube.create(RCS_CONFIG, aConfig('elsewhere', 'mine'));
  await eventually(() => watched.configs.list().length > 0 || undefined);
  expect(watched.configs.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
    'elsewhere/mine',
  ]);
});

test('the hostname index finds every Capp that asks for a hostname, in any spelling', async () => {
  await stage.make({ name: 'a', spec: { routeSpec: { hostname: 'App.example.com.' } } });
  await stage.make({ name: 'b', spec: { routeSpec: { hostname: 'app.example.com' } } });
  await stage.make({ name: 'c' });
  const names = await eventually(() => {
    const found = watched.capps.by('hostname', 'app.example.com').map(({ metadata }) => metadata.name);
    return found.length === 2 ? found.toSorted() : undefined;
  });
  expect(names).toEqual(['a', 'b']);
});
