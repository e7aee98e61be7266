// What an agent claims of a real API server's site: nothing where no klusterlet is, once for each change, and
// for good when the agent ends.
import { publishClaims, publishClaimsForever } from '../../../activities/agent/claims/publish-claims.ts';
import { watchNodes } from '../../../activities/agent/score/measure.ts';
import {
  CLUSTER_ROLE,
  CLUSTER_ROLE_BINDING,
  CUSTOM_RESOURCE_DEFINITION,
  NODE,
  RBAC_GROUP,
  STORAGE_CLASS,
} from '../../../crds/kubernetes/core.ts';
import { CAPPS_EXECUTOR_CLAIM, CLUSTER_CLAIM, type ClusterClaim } from '../../../crds/ocm/cluster-claim.ts';
import { cappsExecutor, cappsExecutorClaim } from '../../../crds/ocm/executors.ts';
import { MANAGED_BY, MANAGED_BY_AGENT } from '../../../crds/labels.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import type { Node } from '../../../crds/kubernetes/core.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';

const KNATIVE = {
  apiVersion: 'serving.knative.dev/v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
} as const;

let server: ApiServerForTests;
let kube: Kube;
let nodes: Cache<Node>;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  nodes = watchNodes(kube, () => undefined);
  await nodes.synced;
}, 150_000);
afterAll(async () => {
  await nodes?.stop();
  await kube?.close();
  await server?.stop();
});

const EXECUTOR = 'cappstan-capps-1';
const own = { nodes: () => nodes.list(), siteOperator: '0.1.0', cappsExecutor: EXECUTOR };
const make = (resource: { apiVersion: string; kind: string }, name: string, rest: object = {}) =>
  ({ apiVersion: resource.apiVersion, kind: resource.kind, metadata: { name }, ...rest }) as KubeObject;

async function claims(): Promise<Record<string, string>> {
  const { items } = await kube.list<ClusterClaim & KubeObject>(CLUSTER_CLAIM);
  return Object.fromEntries(
    items.map(({ metadata, spec }) => [
      metadata.name.replace('.cappstan.dana.io', ''),
      `${metadata.labels?.[MANAGED_BY] ?? 'nobody'}: ${spec?.value ?? ''}`,
    ]),
  );
}

async function aNode(name: string, architecture: string, capacity: object): Promise<void> {
  await kube.create(NODE, make(NODE, name));
  const status = { nodeInfo: { architecture }, capacity };
  await kube.patch(NODE, { namespace: null, name }, { status }, { subresource: 'status' });
  await eventually(() =>
    nodes
      .list()
      .some(
        ({ metadata, status: seen }) =>
          metadata.name === name && seen?.nodeInfo?.architecture === architecture,
      )
      ? true
      : undefined,
  );
}

test('where no klusterlet has brought the kind, an agent claims nothing, and has no problem with that', async () => {
  expect(await publishClaims(kube, own)).toEqual([]);
});

test('the claims are what the site is, labelled as ours, and written again only when something has changed', async () => {
  await serveBare(kube, CLUSTER_CLAIM);
  await aNode('one', 'arm64', { cpu: '4', 'nvidia.com/gpu': '2' });
  const parameters = { provisioner: 'example.com/disk' };
  await kube.create(STORAGE_CLASS, make(STORAGE_CLASS, 'fast', parameters));
  await serveBare(kube, KNATIVE);
  await kube.patch(
    CUSTOM_RESOURCE_DEFINITION,
    { namespace: null, name: 'services.serving.knative.dev' },
    { metadata: { labels: { 'app.kubernetes.io/version': '1.19.0' } } },
  );
  await publishClaims(kube, own);
  const first = {
    nodes: `${MANAGED_BY_AGENT}: 1`,
    arch: `${MANAGED_BY_AGENT}: arm64`,
    arm64: `${MANAGED_BY_AGENT}: 1`,
    gpu: `${MANAGED_BY_AGENT}: nvidia:2`,
    knative: `${MANAGED_BY_AGENT}: 1.19.0`,
    'site-operator': `${MANAGED_BY_AGENT}: 0.1.0`,
    'storage-classes': `${MANAGED_BY_AGENT}: fast`,
  };
  expect(await claims()).toEqual(first);
  expect(await publishClaims(kube, own)).toEqual([]);
  await aNode('two', 'amd64', {});
  expect(await publishClaims(kube, own)).toEqual([
    'nodes.cappstan.dana.io',
    'arch.cappstan.dana.io',
    'amd64.cappstan.dana.io',
  ]);
  expect(await claims()).toEqual({
    ...first,
    nodes: `${MANAGED_BY_AGENT}: 2`,
    arch: `${MANAGED_BY_AGENT}: amd64+arm64`,
    amd64: `${MANAGED_BY_AGENT}: 1`,
  });
});

test('the claims stay when the agent ends, and those of others are never touched', async () => {
  await kube.create(CLUSTER_CLAIM, make(CLUSTER_CLAIM, 'region', { spec: { value: 'eu' } }));
  const name = 'storage-classes.cappstan.dana.io';
  const key = { namespace: null, name };
  await kube.remove(CLUSTER_CLAIM, key);
  await kube.create(CLUSTER_CLAIM, make(CLUSTER_CLAIM, name, { spec: { value: 'theirs' } }));
  const before = await claims();
  const problems: unknown[] = [];
  const loop = publishClaimsForever(kube, own, {
    everyMs: 1,
    onWritten: () => undefined,
    onProblem: (error) => problems.push(error),
  });
  await loop.stop();
  expect(problems).toEqual([]);
  expect(await claims()).toEqual(before);
  expect(before).toMatchObject({ region: 'nobody: eu', 'storage-classes': 'nobody: theirs' });
});

test('the executor of Capps is claimed once its role is there and given to it, and not again once either is gone', async () => {
  const claimed = async (): Promise<string | undefined> => {
    await publishClaims(kube, own);
    return (await claims())['capps-executor'];
  };
  const bound = (role: string, subject: string) => ({
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: subject, namespace: 'add-on' }],
  });
  const bind = async (role: string, subject: string): Promise<void> => {
    await kube.remove(CLUSTER_ROLE_BINDING, key);
    await kube.create(CLUSTER_ROLE_BINDING, make(CLUSTER_ROLE_BINDING, EXECUTOR, bound(role, subject)));
  };
  const key = { namespace: null, name: EXECUTOR };
  expect(await claimed()).toBeUndefined();
  await kube.create(CLUSTER_ROLE, make(CLUSTER_ROLE, EXECUTOR, { rules: [] }));
  expect(await claimed()).toBeUndefined();
  await bind('view', EXECUTOR);
  expect(await claimed()).toBeUndefined();
  await bind(EXECUTOR, 'somebody-else');
  expect(await claimed()).toBeUndefined();
  await bind(EXECUTOR, EXECUTOR);
  expect(await claimed()).toBe(`${MANAGED_BY_AGENT}: add-on/${EXECUTOR}`);
  await kube.remove(CLUSTER_ROLE, key);
  expect(await claimed()).toBeUndefined();
});

test('two hubs of a site each claim their executor, and of the rest the first agent keeps each claim', async () => {
  await kube
    .list<ClusterClaim & KubeObject>(CLUSTER_CLAIM)
    .then(({ items }) =>
      Promise.all(
        items.map(({ metadata: { name } }) => kube.remove(CLUSTER_CLAIM, { namespace: null, name })),
      ),
    );
  const executors = ['hub-a', 'hub-b'].map(cappsExecutor);
  for (const name of executors) {
    const subjects = [{ kind: 'ServiceAccount', name, namespace: 'add-on' }];
    const roleRef = { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name };
    await kube.create(CLUSTER_ROLE, make(CLUSTER_ROLE, name, { rules: [] }));
    await kube.create(CLUSTER_ROLE_BINDING, make(CLUSTER_ROLE_BINDING, name, { roleRef, subjects }));
  }
  const agentOf = (hub: string, siteOperator: string) => () =>
    publishClaims(kube, { ...own, hub, siteOperator, cappsExecutor: cappsExecutor(hub) });
  const [first, second] = [agentOf('hub-a', '1.0.0'), agentOf('hub-b', '2.0.0')];
  expect(await first()).toContain(cappsExecutorClaim('hub-a'));
  expect(await second()).toEqual([cappsExecutorClaim('hub-b')]);
  expect([await first(), await second(), await first()]).toEqual([[], [], []]);
  expect((await claims())['site-operator']).toBe(`${MANAGED_BY_AGENT}: 1.0.0`);
});

test('a claim by the name of an earlier version is removed once the new one stands, and only that of the same hub', async () => {
  const former = { namespace: null, name: CAPPS_EXECUTOR_CLAIM };
  const formerOf = async (hub: string): Promise<void> => {
    await kube.remove(CLUSTER_CLAIM, former);
    const labels = { [MANAGED_BY]: MANAGED_BY_AGENT };
    const made = make(CLUSTER_CLAIM, former.name, { spec: { value: `add-on/${cappsExecutor(hub)}` } });
    await kube.create(CLUSTER_CLAIM, { ...made, metadata: { ...made.metadata, labels } });
  };
  const publish = () =>
    publishClaims(kube, {
      ...own,
      hub: 'hub-a',
      siteOperator: '1.0.0',
      cappsExecutor: cappsExecutor('hub-a'),
    });
  await formerOf('hub-b');
  await publish();
  expect(await publish()).toEqual([]);
  expect(await kube.get(CLUSTER_CLAIM, former)).not.toBeNull();
  await formerOf('hub-a');
  expect(await publish()).toEqual([CAPPS_EXECUTOR_CLAIM]);
  expect(await kube.get(CLUSTER_CLAIM, former)).toBeNull();
});
