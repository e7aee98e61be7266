// What the bridge keeps of the hub: of Secrets and ConfigMaps nothing that is in them, however many there are.
import { watchHub, type Watched } from '../../bridge/watched.ts';
import { CONFIG_MAP, SECRET, type Secret } from '../../crds/core.ts';
import { MANAGED_CLUSTER_ADD_ON } from '../../crds/ocm.ts';
import { allSynced, stopAll } from '../../kube/cache.ts';
import { serveBare } from '../support/definitions.ts';
import { eventually } from '../support/eventually.ts';
import { APPS, startHub, type HubForTests } from '../support/hub.ts';

const CANARY = btoa('canary-in-the-bridge');

let stage: HubForTests;
let watched: Watched;
beforeAll(async () => {
  stage = await startHub();
  await serveBare(stage.kube, MANAGED_CLUSTER_ADD_ON);
  watched = watchHub(stage.kube, () => undefined);
  await allSynced(watched);
}, 90_000);
afterAll(async () => {
  if (watched !== undefined) await stopAll(watched);
  await stage?.stop();
});

test('W13 the bridge holds of Secrets and ConfigMaps their names and versions, and never what is in them', async () => {
  const metadata = { namespace: APPS, name: 'large' };
  const secret = await stage.kube.create<Secret>(SECRET, { metadata, data: { value: CANARY } });
  await stage.kube.create(CONFIG_MAP, { metadata, data: { value: CANARY } });
  const [seen, other] = await eventually(() => {
    const both = [watched.secrets.get(metadata), watched.configMaps.get(metadata)];
    return both.includes(undefined) ? undefined : both;
  });
  expect(seen?.metadata).toMatchObject({ ...metadata, uid: secret.metadata.uid, resourceVersion: secret.metadata.resourceVersion });
  expect(JSON.stringify([seen, other])).not.toContain(CANARY);
});
