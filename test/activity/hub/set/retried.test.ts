// What a rollout remembers of a person's retries, in the status of a set on a real API server: it comes, and
// it goes.
import { memoryOf, rememberedIn } from '../../../../activities/hub/rollout/memory.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { applyStatus } from '../../../../kube/apply-status.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { begin, retry } from '../../../../workflows/stages/rollout.ts';
import type { Rollout } from '../../../../workflows/stages/types.ts';
import { aSet } from '../../../support/builders/fleet/sets.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api/api-server.ts';
import { serveOurs } from '../../../support/servers/api/definitions.ts';

let server: ApiServerForTests;
let kube: Kube;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  await kube.create(NAMESPACE, { metadata: { name: 'apps' } });
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

test.each([
  ['all sites', 'All'],
  ['one site', ['site-1']],
] as const)('a retry of %s is remembered, and forgotten with the next edit', async (what, clusters) => {
  const name = what.replace(' ', '-');
  await kube.create<CappSet>(CAPP_SET, aSet(name, { sites: { clusters: ['site-1'] } }));
  const key = { namespace: 'apps', name };
  const write = async (rollout: Rollout): Promise<Rollout | null> => {
    const live = (await kube.get<CappSet>(CAPP_SET, key)) as CappSet;
    const status = {
      observedGeneration: 1,
      ...rememberedIn({ ...memoryOf(live, null), rollout }, live.status),
    };
    await applyStatus(kube, CAPP_SET, live, { status, fieldManager: 'cappstan-set-status', asRead: true });
    return memoryOf((await kube.get<CappSet>(CAPP_SET, key)) as CappSet, null).rollout;
  };
  const kept = async () => (await kube.get<CappSet>(CAPP_SET, key))?.status?.rollout;
  const begun = begin(null, 'r1', 1);
  expect((await write(begun))?.retries).toEqual({});
  const again = retry(begun, clusters, 2);
  expect((await write(again))?.retries).toEqual(again.retries);
  const edited = begin(again, 'r2', 3);
  expect(await write(edited)).toMatchObject({ revision: 'r2', retries: {} });
  expect(await kept()).not.toHaveProperty('retries');
  await write(edited);
  expect(await kept()).toMatchObject({ retries: {} });
  expect(await write(again)).toEqual(again);
});
