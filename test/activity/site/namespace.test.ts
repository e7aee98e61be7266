import {
  CONFIG_MAP,
  NAMESPACE,
  RESOURCE_QUOTA,
  SECRET,
  type ResourceQuota,
} from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { removeIfEmpty } from '../../../site/ending/namespace.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveOurs } from '../../support/servers/api/definitions.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';

const CREATED_BY_US = { 'rcs.dana.io/managed-by': 'rcs' };
const SERVICE_ACCOUNT = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
const ENDPOINTS = { apiVersion: 'v1', kind: 'Endpoints', plural: 'endpoints', namespaced: true };
const EVENT = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true };
const CAPPS = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', plural: 'capps', namespaced: true };

let server: ApiServerForTests;
let kube: Kube;
let count = 0;

beforeAll(async () => {
  server = await startApiServer({ controllers: ['resourcequota-controller'] });
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveOurs(kube);
  // Kubernetes learns of kinds every thirty seconds.
  const name = await aNamespace();
  await eventually(async () => ((await removeIfEmpty(kube, name)) ? true : undefined), {
    withinMs: 150_000,
  });
}, 300_000);

afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

async function aNamespace(labels: Record<string, string> = CREATED_BY_US): Promise<string> {
  count += 1;
  const name = `tidy-${count}`;
  await kube.create(NAMESPACE, { metadata: { name, labels } });
  return name;
}

/** A deleted namespace stays Terminating here, because no controller finishes its deletion. */
async function isGoing(name: string): Promise<boolean> {
  const namespace = await kube.get(NAMESPACE, { namespace: null, name });
  return namespace === null || namespace.metadata.deletionTimestamp !== undefined;
}

/** Looks until Kubernetes has counted. */
const untilRemoved = (name: string): Promise<unknown> =>
  eventually(async () => ((await removeIfEmpty(kube, name)) ? true : undefined));

/** Waits until Kubernetes has counted what is there, and looks. */
async function lookOnceCounted(name: string): Promise<boolean> {
  await removeIfEmpty(kube, name);
  await eventually(async () => {
    const quota = await kube.get<ResourceQuota>(RESOURCE_QUOTA, { namespace: name, name: 'cappstan-count' });
    const { spec, status } = quota ?? {};
    const missing = Object.keys(spec?.hard ?? { none: '' }).filter(
      (key) => status?.used?.[key] === undefined,
    );
    return missing.length === 0 ? true : undefined;
  });
  return removeIfEmpty(kube, name);
}

const involved = (namespace: string) => ({
  involvedObject: { namespace },
  reason: 'R',
  message: 'm',
  type: 'Normal',
});

describe('a namespace that Cappstan created', () => {
  it('is deleted when it is empty', async () => {
    const name = await aNamespace();
    await untilRemoved(name);
    expect(await isGoing(name)).toBe(true);
  });

  it('is deleted when it contains only what the cluster puts into every namespace', async () => {
    const name = await aNamespace();
    await kube.create(CONFIG_MAP, { metadata: { name: 'kube-root-ca.crt', namespace: name } });
    await kube.create(SERVICE_ACCOUNT, { metadata: { name: 'default', namespace: name } });
    await kube.create(ENDPOINTS, { metadata: { name: 'of-nothing', namespace: name } });
    await kube.create(EVENT, { metadata: { name: 'note', namespace: name }, ...involved(name) });
    await untilRemoved(name);
    expect(await isGoing(name)).toBe(true);
  });

  it.each([
    { title: 'a Secret', kind: SECRET, more: {} },
    { title: 'a ConfigMap', kind: CONFIG_MAP, more: {} },
    { title: 'another service account', kind: SERVICE_ACCOUNT, more: {} },
    {
      title: 'a Capp',
      kind: CAPPS,
      more: {
        spec: { configurationSpec: { template: { spec: { containers: [{ name: 'a', image: 'i' }] } } } },
      },
    },
  ])('stays while it contains $title, and is deleted after that', async ({ kind, more }) => {
    const name = await aNamespace();
    await kube.create(kind, {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: { name: 'held', namespace: name },
      ...more,
    });
    await expect(lookOnceCounted(name)).resolves.toBe(false);
    expect(await isGoing(name)).toBe(false);
    await kube.remove(kind, { namespace: name, name: 'held' });
    await untilRemoved(name);
    expect(await isGoing(name)).toBe(true);
  });
});

test('a namespace with another ConfigMap than the one of Kubernetes stays, although it has one', async () => {
  const name = await aNamespace();
  await kube.create(CONFIG_MAP, { metadata: { name: 'a-persons', namespace: name } });
  await expect(lookOnceCounted(name)).resolves.toBe(false);
  expect(await isGoing(name)).toBe(false);
});

test('a namespace stays while Kubernetes has not counted every kind', async () => {
  const name = await aNamespace();
  await kube.create(RESOURCE_QUOTA, {
    metadata: { name: 'cappstan-count', namespace: name },
    spec: { hard: { 'count/secrets': '1000000000' } },
  });
  await expect(removeIfEmpty(kube, name)).resolves.toBe(false);
  expect(await isGoing(name)).toBe(false);
  await untilRemoved(name);
});

describe('any other namespace', () => {
  it.each([{}, { 'rcs.dana.io/managed-by': 'somebody' }])('stays even if it is empty: %j', async (labels) => {
    const name = await aNamespace(labels);
    await expect(removeIfEmpty(kube, name)).resolves.toBe(true);
    expect(await isGoing(name)).toBe(false);
  });
});
