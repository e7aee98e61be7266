import { spawn } from 'node:child_process';
import { CAPP } from '../../../crds/capp/capp.ts';
import { CAPP_DEFINITION, RCS_CONFIG_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG } from '../../../crds/hub/rcs-config.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { serves } from '../../../kube/discovery.ts';
import type { Resource } from '../../../kube/resource.ts';
import { refuseHub } from '../../../site/refuse-hub.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serve, serveBare } from '../../support/servers/api/definitions.ts';
import { eventually, API_TIMEOUT_MS } from '../../../testbed/eventually.ts';

const HUB = /is a hub: .*ManagedCluster and RCSConfig.*remove the Deployment cappstan-site/;

let server: ApiServerForTests;
let kube: Kube;

beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serve(kube, CAPP_DEFINITION, CAPP);
}, 300_000);

afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

/** Waits until discovery shows the kind, or no longer does. */
const isServed = (kind: Resource, wanted = true) =>
  eventually(async () => ((await serves(kube, kind)) === wanted ? true : undefined));

// The tests run in this order on one server: each begins with the state that the previous one left.
it('a cluster that serves Capp and ManagedCluster, but not RCSConfig, is no hub', async () => {
  await isServed(CAPP);
  await expect(refuseHub(kube)).resolves.toBeUndefined();
  await serveBare(kube, MANAGED_CLUSTER);
  await isServed(MANAGED_CLUSTER);
  await expect(refuseHub(kube)).resolves.toBeUndefined();
});

it('a cluster that serves Capp and RCSConfig, but not ManagedCluster, is no hub', async () => {
  await kube.raw(
    'DELETE',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/managedclusters.cluster.open-cluster-management.io',
  );
  await serve(kube, RCS_CONFIG_DEFINITION, RCS_CONFIG);
  await Promise.all([isServed(MANAGED_CLUSTER, false), isServed(RCS_CONFIG)]);
  await expect(refuseHub(kube)).resolves.toBeUndefined();
});

it('on a hub the site operator exits with a message, and has written nothing', async () => {
  await Promise.all([MANAGED_CLUSTER, KNATIVE_SERVICE].map((kind) => serveBare(kube, kind)));
  await isServed(MANAGED_CLUSTER);
  await expect(refuseHub(kube)).rejects.toThrow(HUB);
  await kube.create(NAMESPACE, { metadata: { name: 'apps' } });
  const template = { spec: { containers: [{ name: 'app', image: 'i:1' }] } };
  const capp = {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { name: 'placed', namespace: 'apps' },
  };
  await kube.raw('POST', `/apis/${CAPP.apiVersion}/namespaces/apps/capps`, {
    body: { ...capp, spec: { configurationSpec: { template } } },
  });
  const { code, said } = await site();
  expect(code).toBe(1);
  expect(said).toMatch(HUB);
  expect((await kube.list(KNATIVE_SERVICE)).items).toEqual([]);
  expect(await kube.get(CAPP, { namespace: 'apps', name: 'placed' })).not.toHaveProperty('status');
});

/** Runs the process of the site operator until it exits. */
function site(): Promise<{ code: number | null; said: string }> {
  const main = new URL('../../../workers/site/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main], { env: { KUBECONFIG: server.kubeconfig }, timeout: 120_000 });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((resolve, reject) =>
    child.once('error', reject).once('close', (code) => resolve({ code, said })),
  );
}
