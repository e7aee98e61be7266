// What the hub worker may write of the chain from hosts to a site, on a real API server with the chart's
// rights and policies and OCM's own kinds: its own join tokens, user data, services and sites, and nothing
// of anybody else.
import { HUB_KEY } from '../../../activities/hub/ship/hub-key.ts';
import { BOOTSTRAP_GROUP } from '../../../crds/join/bootstrap-token.ts';
import { DRAIN } from '../../../crds/drain/drain.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { FOR_CLUSTER, FOR_UID, JOIN_TOKEN, JOINED_BY } from '../../../crds/join/labels.ts';
import { ALLOW_DETACH } from '../../../crds/labels.ts';
import { JOINS_BY, PROVISIONED_FOR, SITE_OF, SITE_OF_NAME } from '../../../crds/metal/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { CLUSTER_SET_LABEL } from '../../../crds/ocm/placements.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import {
  but,
  drain,
  EDGE,
  METAL,
  OURS,
  secret,
  service,
  site,
  token,
  UID,
  userData,
} from '../../support/builders/metal/provisioned.ts';
import type { Cluster } from '../../support/servers/chart/chart.ts';
import { accountOf, rightsOf } from '../../support/servers/api/rights.ts';
import {
  ALLOWED_SET,
  provisioningWorker,
  refusedBy,
} from '../../support/testbeds/metal/provisioning-worker.ts';

let hub: Cluster;
const { create, change, remove, asAdmin } = provisioningWorker((given) => (hub = given));

describe('Secrets', () => {
  test('a join token of its own is made and deleted', async () => {
    expect(await create(SECRET, token)).toMatchObject({ code: 201 });
    expect(await remove(SECRET, token)).toMatchObject({ code: 200 });
  });

  test.each([
    ['user data', userData],
    ['a jump host', service('jumphost-edge-7')],
    ['a second load balancer', service('loadbalancer-worker-edge-7-2', EDGE)],
    ['a load balancer', service('loadbalancer-controlplane-edge-7')],
  ])('that of %s is made, changed and deleted', async (_, one) => {
    expect(await create(SECRET, one)).toMatchObject({ code: 201 });
    const metadata = { annotations: { [JOINS_BY]: null } };
    expect(await change(SECRET, one, { metadata, data: { a: 'eA==' } })).toMatchObject({ code: 200 });
    expect(await remove(SECRET, one)).toMatchObject({ code: 200 });
  });

  test('the key for sealed Secrets is made once, in its own namespace, and never changed', async () => {
    const key = secret(RELEASE_NAMESPACE, HUB_KEY, { data: { key: 'eA==' } });
    expect(await create(SECRET, but(key, { metadata: { name: 'another' } }))).toMatchObject({ code: 403 });
    expect(await create(SECRET, but(key, { metadata: { namespace: METAL } }))).toMatchObject({ code: 403 });
    expect(await create(SECRET, key)).toMatchObject({ code: 201 });
    expect(await change(SECRET, key, { data: { key: 'eQ==' } })).toMatchObject({ code: 403 });
    expect(await remove(SECRET, key)).toMatchObject({ code: 403 });
  });

  test('that of a service whose labels somebody took is written again, and deleted', async () => {
    const bare = but(service('jumphost-edge-7'), { metadata: { labels: {} } });
    await asAdmin(SECRET, bare);
    const { labels } = service('jumphost-edge-7').metadata;
    expect(await change(SECRET, bare, { metadata: { labels } })).toMatchObject({ code: 200 });
    expect(await remove(SECRET, bare)).toMatchObject({ code: 200 });
  });

  const account = {
    annotations: { 'kubernetes.io/service-account.name': 'clusterrole-aggregation-controller' },
  };
  const data = { ...token.data };
  const groups = (text: string) => ({ ...data, 'auth-extra-groups': Buffer.from(text).toString('base64') });
  test.each<[string, Secret]>([
    [
      'the token of a powerful account',
      secret('kube-system', 'mine', {
        type: 'kubernetes.io/service-account-token',
        metadata: account as never,
      }),
    ],
    [
      'the same under the name of a join token',
      but(token, {
        type: 'kubernetes.io/service-account-token',
        metadata: { annotations: { ...token.metadata.annotations, ...account.annotations } },
      }),
    ],
    ['a Secret of kube-system', secret('kube-system', 'mine')],
    ['a join token under another name', but(token, { metadata: { name: 'mine' } })],
    ['a join token for any cluster', but(token, { metadata: { annotations: {} } })],
    ['one for no ManagedCluster', but(token, { metadata: { annotations: { [FOR_CLUSTER]: 'edge-7' } } })],
    ['one for no name', but(token, { metadata: { annotations: { [FOR_UID]: UID } } })],
    [
      'one of kubeadm’s group',
      but(token, { data: groups('system:bootstrappers:kubeadm:default-node-token') }),
    ],
    ['one of two groups', but(token, { data: groups(`${BOOTSTRAP_GROUP},system:bootstrappers:x`) })],
    ['one of no group', but(token, { data: { 'token-id': data['token-id'] ?? '' } })],
    [
      'one of a group in plain text',
      but(token, { stringData: { 'auth-extra-groups': 'system:bootstrappers:x' } }),
    ],
    ['a join token elsewhere', but(token, { metadata: { namespace: METAL } })],
    ['a Secret of a tenant', secret(METAL, 'db')],
    ['user data of nobody', but(userData, { metadata: { annotations: {} } })],
    ['user data of an empty uid', but(userData, { metadata: { annotations: { [PROVISIONED_FOR]: '' } } })],
    ['user data by another name', but(userData, { metadata: { name: 'host-1-userdata' } })],
    [
      'user data that is an account’s token',
      but(userData, {
        type: 'kubernetes.io/service-account-token',
        metadata: { annotations: { ...userData.metadata.annotations, ...account.annotations } },
      }),
    ],
    ['user data where there are services alone', but(userData, { metadata: { namespace: EDGE } })],
    ['a service by another name', service('database-edge-7')],
    [
      'a service of no SIPCluster',
      but(service('jumphost-edge-7'), { metadata: { labels: {}, ownerReferences: [] } }),
    ],
    ['a service in kube-system', service('jumphost-edge-7', 'kube-system')],
  ])('%s is neither made nor deleted', async (_, one) => {
    expect(await create(SECRET, one)).toMatchObject(refusedBy('cappstan-hub-secrets'));
    await asAdmin(SECRET, one);
    expect(await remove(SECRET, one)).toMatchObject(refusedBy('cappstan-hub-secrets'));
  });

  test.each<[string, Secret, object]>([
    [
      'that of a tenant is not taken over under the name of user data',
      secret(METAL, userData.metadata.name),
      { metadata: { annotations: { [PROVISIONED_FOR]: UID } } },
    ],
    [
      'that of a tenant is not taken over under the name of a service',
      secret(METAL, 'jumphost-edge-7'),
      { metadata: service('jumphost-edge-7').metadata },
    ],
    ['that of a tenant is not changed', secret(METAL, 'db'), { data: { a: 'eA==' } }],
    ['user data keep their mark', userData, { metadata: { annotations: { [PROVISIONED_FOR]: null } } }],
  ])('%s', async (_, one, patch) => {
    await asAdmin(SECRET, one);
    expect(await change(SECRET, one, patch)).toMatchObject(refusedBy('cappstan-hub-secrets'));
  });
});

describe('ManagedClusters', () => {
  test('a site of its own is made, labelled, given a token, accepted, detached', async () => {
    const own = site(OURS, { labels: { tier: 'edge', [CLUSTER_SET_LABEL]: ALLOWED_SET } });
    expect(await create(MANAGED_CLUSTER, own)).toMatchObject({ code: 201 });
    const changes: readonly object[] = [
      { metadata: { annotations: { [JOIN_TOKEN]: 'abcdef' } } },
      { metadata: { labels: { tier: null, zone: 'a', [CLUSTER_SET_LABEL]: 'default' } } },
      { metadata: { annotations: { [JOINED_BY]: 'one' } }, spec: { hubAcceptsClient: true } },
      { metadata: { annotations: { [ALLOW_DETACH]: 'true' } } },
    ];
    for (const one of changes) expect(await change(MANAGED_CLUSTER, own, one)).toMatchObject({ code: 200 });
    expect(await remove(MANAGED_CLUSTER, own)).toMatchObject({ code: 200 });
  });

  test('one that a person has made is accepted by its token, and comes into the default set as OCM has it', async () => {
    const one = site({ [JOIN_TOKEN]: 'abcdef' }, { labels: { region: 'eu' } });
    await asAdmin(MANAGED_CLUSTER, one);
    const accepts = {
      metadata: { annotations: { [JOINED_BY]: 'one' }, labels: { [CLUSTER_SET_LABEL]: 'default' } },
      spec: { hubAcceptsClient: true },
    };
    expect(await change(MANAGED_CLUSTER, one, accepts)).toMatchObject({ code: 200 });
  });

  test.each<[string, KubeObject]>([
    ['of nobody', site({})],
    ['of an empty uid', site({ [SITE_OF]: '' })],
    ['that is accepted', site(OURS, { spec: { hubAcceptsClient: true } })],
    ['of another clusterset', site(OURS, { labels: { [CLUSTER_SET_LABEL]: 'prod' } })],
  ])('one %s is not made', async (_, one) => {
    expect(await create(MANAGED_CLUSTER, one)).toMatchObject(refusedBy('cappstan-hub-sites'));
  });

  test('one that a person has made is not deleted', async () => {
    await asAdmin(MANAGED_CLUSTER, site({}));
    expect(await remove(MANAGED_CLUSTER, site({}))).toMatchObject(refusedBy('cappstan-hub-sites'));
  });

  const taints = [{ key: 'gpu', value: 'none', effect: 'NoSelect', timeAdded: '2026-03-01T12:00:00Z' }];
  test.each<[string, object, object]>([
    ['makes somebody’s cluster a site', {}, { metadata: { annotations: { [SITE_OF]: UID } } }],
    ['makes a site another’s', OURS, { metadata: { annotations: { [SITE_OF]: 'other' } } }],
    ['makes a site nobody’s', OURS, { metadata: { annotations: { [SITE_OF]: null } } }],
    ['takes all annotations off', OURS, { metadata: { annotations: null } }],
    ['makes it belong to another name', OURS, { metadata: { annotations: { [SITE_OF_NAME]: 'metal/x' } } }],
    ['puts a site into another clusterset', OURS, { metadata: { labels: { [CLUSTER_SET_LABEL]: 'prod' } } }],
    ['labels somebody’s cluster', {}, { metadata: { labels: { region: 'us' } } }],
    ['takes a label off somebody’s cluster', {}, { metadata: { labels: { region: null } } }],
    ['lets somebody’s cluster be detached', {}, { metadata: { annotations: { [ALLOW_DETACH]: 'true' } } }],
    ['names another token for somebody’s cluster', {}, { metadata: { annotations: { [JOIN_TOKEN]: 'x' } } }],
    ['taints a cluster', OURS, { spec: { taints: [...taints, { ...taints[0], key: 'mine' }] } }],
    ['takes the taint off', {}, { spec: { taints: [] } }],
  ])('no write %s', async (_, annotations, patch) => {
    const one = site(annotations, {
      labels: { region: 'eu' },
      spec: { hubAcceptsClient: false, taints },
    });
    await asAdmin(MANAGED_CLUSTER, one);
    expect(await change(MANAGED_CLUSTER, one, patch)).toMatchObject(refusedBy('cappstan-hub-sites'));
  });

  test('a site may join the clustersets that are named, and the default one', async () => {
    const rights = rightsOf(hub, accountOf(RELEASE_NAMESPACE, 'cappstan-hub'));
    const joins = (name: string) =>
      rights.mayDo(`create managedclustersets.cluster.open-cluster-management.io/join ${name}`);
    expect(await Promise.all([ALLOWED_SET, 'default', 'prod', 'global'].map(joins))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

test('nobody else is held to that', async () => {
  await asAdmin(SECRET, secret('kube-system', 'mine'));
  await asAdmin(MANAGED_CLUSTER, site({}, { labels: { [CLUSTER_SET_LABEL]: 'prod' } }));
  await asAdmin(DRAIN, drain({}));
});
