// What is left of a ClusterJoin that is deleted, or whose namespace counts no more.
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { CLUSTER_JOIN } from '../../../../crds/join/cluster-join.ts';
import { JOINED_BY } from '../../../../crds/join/labels.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { declaredJoins } from '../../../support/testbeds/join/declared-joins.ts';

const WEBHOOKS: Resource = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

const { hub, declare, keyOf, turn, settled, tokensFor, comesBy } = declaredJoins();

test('what a webhook that is down keeps from being deleted is named, and holds its ClusterJoin no longer than else', async () => {
  const join = await declare();
  await settled(join);
  const name = `down-${join.metadata.name}`;
  const webhook = {
    name: 'down.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: [
      {
        apiGroups: ['cluster.open-cluster-management.io'],
        apiVersions: ['*'],
        operations: ['DELETE'],
        resources: ['managedclusters'],
      },
    ],
    matchConditions: [{ name: 'this', expression: `request.name == "${join.spec.cluster}"` }],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 1,
  };
  await hub.kube.create(WEBHOOKS, { metadata: { name }, webhooks: [webhook] } as KubeObject);
  await eventually(() =>
    hub.kube
      .raw(
        'DELETE',
        `/apis/cluster.open-cluster-management.io/v1/managedclusters/${join.spec.cluster}?dryRun=All`,
      )
      .then(
        () => undefined,
        (error: unknown) => (error instanceof ApiError && error.code === 500 ? true : undefined),
      ),
  );
  await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
  const { told, says, message } = await settled(join);
  expect(says).toBe('Waiting NotTakenBack');
  expect(told).toMatchObject({ isHeld: true });
  expect(message).toMatch(/ManagedCluster .* is left: kubectl delete managedcluster .* 500 InternalError/);
  await hub.kube.remove(WEBHOOKS, { namespace: null, name });
  await eventually(async () => {
    await turn(join);
    return (await hub.kube.get(CLUSTER_JOIN, keyOf(join))) === null || undefined;
  });
});

test('the token by which its cluster has come stays when the namespace counts no more', async () => {
  const join = await declare();
  await settled(join);
  const { cluster: name } = join.spec;
  await hub.kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { metadata: { annotations: { [JOINED_BY]: 'csr-1' } } },
  );
  const unserved = hubJoins({ kube: hub.kube, declared: { namespaces: [], clusterSets: [] } });
  await unserved.settleDeclared(name);
  expect(await tokensFor(join)).toHaveLength(1);
});

test('a token of a namespace that counts no more lets nobody in, before anybody has looked at its ClusterJoin', async () => {
  const join = await declare();
  await settled(join);
  const hint = await comesBy(join);
  for (const declared of [undefined, { namespaces: ['another'], clusterSets: [] }])
    expect(
      await hubJoins({ kube: hub.kube, ...(declared === undefined ? {} : { declared }) }).approveJoin(
        join.spec.cluster,
        hint,
      ),
    ).toMatchObject({ outcome: 'LeftAlone' });
  expect(await hub.clusterOf(join.spec.cluster)).toMatchObject({ spec: { hubAcceptsClient: false } });
});
