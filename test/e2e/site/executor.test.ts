// Works of Capps on the real stack are applied as an account with what Capps consist of: with their next
// change, and not because of an upgrade. What that account may not do is refused by OCM, and the user reads
// why.
import { CAPP } from '../../../crds/capp/capp.ts';
import {
  CLUSTER_ROLE,
  NAMESPACE,
  ROLE_BINDING,
  SECRET,
  type Namespace,
  type Secret,
} from '../../../crds/kubernetes/core.ts';
import { cappsExecutor, executorAs } from '../../../crds/ocm/executors.ts';
import {
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type ManagedCluster,
  type ManifestWork,
} from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import {
  conditionOf,
  createCapp,
  newNamespace,
  untilCondition,
  untilReady,
  workOf,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const SITE = 'site-1';
const ADDON = 'open-cluster-management-agent-addon';
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
const RBAC = 'rbac.authorization.k8s.io';
const WAIT = { withinMs: 180_000, everyMs: 200 };

type ClusterRole = KubeObject & { readonly rules: readonly { readonly resources: readonly string[] }[] };

let stack: TestbedStack;
let namespace: string;
let account: { readonly namespace: string; readonly name: string };
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'executor');
  const hub = await stack.hub.get<Namespace>(NAMESPACE, { namespace: null, name: 'kube-system' });
  account = { namespace: ADDON, name: cappsExecutor(hub?.metadata.uid ?? '') };
});
afterAll(() => stack.close());

const work = () => workOf(stack.hub, ref(), SITE);
const ref = () => ({ namespace, name: 'app' });
const accountOf = (found: ManifestWork | null) => found?.spec?.executor?.subject.serviceAccount;
/** An edit that changes what is shipped. */
const edit = (text: string) =>
  stack.hub.patch(CAPP, ref(), { metadata: { annotations: { 'executor.example/note': text } } });

test('each site reports the account, and a Capp with all that can travel is Ready as it', async () => {
  for (const name of stack.sites)
    await eventually(async () => {
      const site = await stack.hub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });
      const claim = site?.status?.clusterClaims?.find((one) => one.name.startsWith('capps-executor-'));
      return claim?.value === `${account.namespace}/${account.name}` ? true : undefined;
    }, WAIT);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'db' }, data: {} };
  await stack.hub.create<Secret & KubeObject>(SECRET, secret);
  await stack.hub.create(ROLE_BINDING, {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { namespace, name: 'readers' },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'admin' },
    subjects: [{ kind: 'User', apiGroup: RBAC, name: 'alice' }],
  } as never);
  await createCapp(stack.hub, {
    ...ref(),
    spec: { site: SITE },
    container: { envFrom: [{ secretRef: { name: 'db' } }] },
    pod: { serviceAccountName: 'modest' },
  });
  await untilCondition(stack.hub, ref(), { type: 'Applied', status: 'True' }, WAIT);
  const found = await work();
  expect(accountOf(found)).toEqual(account);
  const kinds = (found?.spec?.workload.manifests ?? []).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'Role')).toHaveLength(2);
  for (const name of ['app-logs-reader', 'app-runs-as'])
    expect(await stack.site(SITE).get(ROLE_BINDING, { namespace, name })).not.toBeNull();
});

test('a work that has none yet is not written when the hub is upgraded, and has it after its next change', async () => {
  const { name = '' } = (await work())?.metadata ?? {};
  const before = await stack.hub.patch<ManifestWork>(
    MANIFEST_WORK,
    { namespace: SITE, name },
    { spec: { executor: null } },
  );
  for (const process of ['hub-worker', 'bridge']) await stack.kill(process);
  // Both list everything when they start, and every Capp is rung.
  await new Promise((resolve) => void setTimeout(resolve, 8_000));
  expect((await work())?.metadata.generation).toBe(before.metadata.generation);
  expect((await work())?.spec).not.toHaveProperty('executor');

  await edit('changed');
  await eventually(async () => (accountOf(await work())?.name === account.name ? true : undefined), WAIT);
  await untilCondition(stack.hub, ref(), { type: 'Applied', status: 'True' }, WAIT);
});

test('a forged work that has another kind is refused by OCM, and the kind does not come to the site', async () => {
  const key = { namespace: SITE, name: `mw-create-${namespace}-forged` };
  const metadata = { namespace, name: 'forged' };
  const container = { name: 'app', image: 'i:1' };
  const deployment = {
    apiVersion: DEPLOYMENT.apiVersion,
    kind: DEPLOYMENT.kind,
    metadata,
    spec: {
      selector: { matchLabels: { app: 'forged' } },
      template: { metadata: { labels: { app: 'forged' } }, spec: { containers: [container] } },
    },
  };
  const more = {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata,
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  };
  await stack.hub.create<ManifestWork>(MANIFEST_WORK, {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: MANIFEST_WORK.kind,
    metadata: key,
    spec: { workload: { manifests: [deployment, more] }, executor: executorAs(account) },
  });
  const said = await eventually(async () => {
    const found = await stack.hub.get<ManifestWork>(MANIFEST_WORK, key);
    const manifests = found?.status?.resourceStatus?.manifests ?? [];
    return manifests.length < 2
      ? undefined
      : manifests.flatMap(({ conditions = [] }) =>
          conditions.filter(({ type }) => type === 'Applied').map(({ message }) => message),
        );
  }, WAIT);
  expect(said).toEqual([
    expect.stringContaining(`not allowed to apply the resource apps deployments, ${namespace} forged`),
    expect.stringMatching(
      /not allowed to apply the resource rbac.authorization.k8s.io roles, .*permission escalation/,
    ),
  ]);
  expect(await stack.site(SITE).get(DEPLOYMENT, metadata)).toBeNull();
  await stack.hub.remove(MANIFEST_WORK, key);
});

test('a Capp whose site has taken rights from the account says so, and heals by itself when they are back', async () => {
  const site = stack.site(SITE);
  const key = { namespace: null, name: account.name };
  const role = await site.get<ClusterRole>(CLUSTER_ROLE, key);
  const rules = role?.rules ?? [];
  const without = rules.filter(({ resources }) => !resources.includes('capps'));
  expect(without.length).toBe(rules.length - 1);
  await site.patch(CLUSTER_ROLE, key, { rules: without });
  await edit('refused');
  const refused = await untilCondition(
    stack.hub,
    ref(),
    { type: 'Applied', status: 'False', reason: 'NotAllowed' },
    WAIT,
  );
  expect(conditionOf(refused, 'Applied')?.message).toContain(
    `${SITE} does not let ServiceAccount ${ADDON}/${account.name}, as which this hub's Capps are applied, apply Capp app.`,
  );
  await site.patch(CLUSTER_ROLE, key, { rules });
  await untilCondition(stack.hub, ref(), { type: 'Applied', status: 'True' }, WAIT);
  await stack.hub.patch(CAPP, ref(), {
    spec: { configurationSpec: { template: { spec: { serviceAccountName: null } } } },
  });
  await untilReady(stack.hub, ref());
});
