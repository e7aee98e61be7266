// The stand-in for a site's ingress on a real API server: requests follow Ingresses and Pods as they change.
import { POD } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION_LABEL } from '../../../crds/kubernetes/knative.ts';
import { askApp } from '../../../deploy/local/cappstan/ask.ts';
import { newPodLogs } from '../../../deploy/local/standins/output/pod-logs.ts';
import { ingress } from '../../../deploy/local/standins/ingress/ingress.ts';
import { ingressHost } from '../../../deploy/local/standins/ingress/address.ts';
import {
  INGRESS,
  INGRESS_CLASS,
  type KnativeIngress,
} from '../../../deploy/local/standins/ingress/ingress-object.ts';
import type { StandIn } from '../../../deploy/local/standins/stand-in.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SITE = 'site-1';
const namespace = 'default';

let server: ApiServerForTests;
let kube: Kube;
let part: StandIn;
let address: { host: string; port: number };
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveBare(kube, INGRESS);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true };
  await kube.create(account, { metadata: { namespace, name: 'default' } });
  const dir = await mkdtemp(join(tmpdir(), 'ingress-'));
  const host = ingressHost(SITE);
  address = { host, port: await (await openPorts(join(dir, 'ports.json'))).of('ingress', [host]) };
  await rm(dir, { recursive: true });
  part = ingress(kube, () => undefined, { site: SITE, ...address, written: newPodLogs() });
  await part.synced;
}, 300_000);
afterAll(async () => {
  await part.stop();
  await kube.close();
  await server.stop();
});

const hostOf = (name: string): string => `${name}.example.com`;
const statusOf = async (name: string): Promise<number> => (await askApp(address, hostOf(name))).status;
const untilStatus = (name: string, status: number): Promise<unknown> =>
  eventually(async () => {
    expect(await statusOf(name)).toBe(status);
    return true;
  });

const written = (name: string, revision: string, ingressClass = INGRESS_CLASS): KnativeIngress => ({
  apiVersion: INGRESS.apiVersion,
  kind: INGRESS.kind,
  metadata: { namespace, name, annotations: { 'networking.knative.dev/ingress.class': ingressClass } },
  spec: {
    rules: [
      {
        hosts: [hostOf(name)],
        http: { paths: [{ splits: [{ serviceNamespace: namespace, serviceName: revision, percent: 100 }] }] },
      },
    ],
  },
});

async function createPod(revision: string, ready: 'True' | 'False'): Promise<void> {
  const key = { namespace, name: `${revision}-pod` };
  await kube.create(POD, {
    metadata: { ...key, labels: { [KNATIVE_REVISION_LABEL]: revision } },
    spec: { containers: [{ name: 'app', image: 'app:v1' }] },
  } as KubeObject);
  await setReady(revision, ready);
}

async function setReady(revision: string, ready: 'True' | 'False'): Promise<void> {
  const conditions = [{ type: 'Ready', status: ready }];
  await kube.patch(
    POD,
    { namespace, name: `${revision}-pod` },
    { status: { conditions } },
    { subresource: 'status' },
  );
}

const readIngress = (name: string): Promise<KnativeIngress | null> =>
  kube.get<KnativeIngress>(INGRESS, { namespace, name });
const readiness = async (name: string): Promise<string | undefined> =>
  (await readIngress(name))?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
const untilReadiness = (name: string, status: string): Promise<unknown> =>
  eventually(async () => {
    expect(await readiness(name)).toBe(status);
    return true;
  });

test('an app is refused until a Pod of it is ready, and its Ingress is not Ready before', async () => {
  await kube.create(INGRESS, written('slow', 'slow-1'));
  await createPod('slow-1', 'False');
  await untilReadiness('slow', 'Unknown');
  await untilStatus('slow', 503);
  await setReady('slow-1', 'True');
  await untilReadiness('slow', 'True');
  expect(await askApp(address, hostOf('slow'))).toMatchObject({
    status: 200,
    headers: { 'stand-in-site': SITE, 'stand-in-revision': 'slow-1', 'stand-in-pod': 'slow-1-pod' },
  });
});

test('requests follow an Ingress to another revision, and are refused when it is gone', async () => {
  await createPod('edited-1', 'True');
  await createPod('edited-2', 'True');
  await kube.create(INGRESS, written('edited', 'edited-1'));
  await untilStatus('edited', 200);
  await kube.patch(INGRESS, { namespace, name: 'edited' }, { spec: written('edited', 'edited-2').spec });
  await eventually(async () => {
    expect((await askApp(address, hostOf('edited'))).headers['stand-in-revision']).toBe('edited-2');
    return true;
  });
  await kube.remove(INGRESS, { namespace, name: 'edited' });
  await untilStatus('edited', 404);
});

test('an Ingress of another class is neither answered nor marked', async () => {
  await createPod('foreign-1', 'True');
  await kube.create(INGRESS, written('foreign', 'foreign-1', 'kourier.ingress.networking.knative.dev'));
  await kube.create(INGRESS, written('after-it', 'foreign-1'));
  await untilReadiness('after-it', 'True');
  expect(await statusOf('foreign')).toBe(404);
  expect((await readIngress('foreign'))?.status).toBeUndefined();
});

test('requests and changed Pods cause no write to an Ingress that is Ready', async () => {
  await createPod('still-1', 'True');
  await kube.create(INGRESS, written('still', 'still-1'));
  await untilReadiness('still', 'True');
  const before = (await readIngress('still'))?.metadata.resourceVersion;
  await setReady('still-1', 'False');
  await untilStatus('still', 503);
  await setReady('still-1', 'True');
  await untilStatus('still', 200);
  expect((await readIngress('still'))?.metadata.resourceVersion).toBe(before);
});

test('an address that is taken is an error that names it', async () => {
  const second = ingress(kube, () => undefined, { site: SITE, ...address, written: newPodLogs() });
  await expect(second.synced).rejects.toThrow(
    `The ingress of site-1 cannot listen on ${address.host}:${address.port}`,
  );
  await second.stop();
});
