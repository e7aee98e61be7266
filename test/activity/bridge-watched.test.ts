// What the bridge sees of the hub: the one RCSConfig that counts, and Capps by hostname; on a real API server.
import { watchHub, type Watched } from '../../bridge/watched.ts';
import { NAMESPACE } from '../../crds/core.ts';
import { RCS_CONFIG, type RcsConfig } from '../../crds/rcs-config.ts';
import { stopAll } from '../../kube/cache.ts';
import { eventually } from '../support/eventually.ts';
import { startHub, type HubForTests } from '../support/hub.ts';

const KEY = { namespace: 'elsewhere', name: 'mine' };

let stage: HubForTests;
let watched: Watched;
beforeAll(async () => {
  stage = await startHub();
  await stage.kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: KEY.namespace } });
  watched = watchHub(stage.kube, KEY, () => undefined);
}, 90_000);
afterAll(async () => {
  await stopAll(watched);
  await stage.stop();
});

function aConfig(namespace: string, name: string): RcsConfig {
  const spec = { placements: [name], placementsNamespace: 'placements', invalidHostnamePatterns: [] };
  return { apiVersion: RCS_CONFIG.apiVersion, kind: RCS_CONFIG.kind, metadata: { namespace, name }, spec };
}

test('another RCSConfig, of whatever name or namespace, is as if it were not there', async () => {
  await stage.kube.create(RCS_CONFIG, aConfig('rcs-deployer-system', 'mine'));
  await stage.kube.create(RCS_CONFIG, aConfig('elsewhere', 'other'));
  await stage.kube.create(RCS_CONFIG, aConfig('elsewhere', 'mine'));
  await eventually(() => watched.configs.list().length > 0 || undefined);
  expect(watched.configs.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(['elsewhere/mine']);
});

test('a hostname finds every Capp that asks for it, however it is spelled', async () => {
  await stage.make({ name: 'a', spec: { routeSpec: { hostname: 'App.example.com.' } } });
  await stage.make({ name: 'b', spec: { routeSpec: { hostname: 'app.example.com' } } });
  await stage.make({ name: 'c' });
  const names = await eventually(() => {
    const found = watched.capps.by('hostname', 'app.example.com').map(({ metadata }) => metadata.name);
    return found.length === 2 ? found.toSorted() : undefined;
  });
  expect(names).toEqual(['a', 'b']);
});
