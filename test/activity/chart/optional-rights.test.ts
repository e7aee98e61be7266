// The rights that values of the chart add: nobody has them before. Those of metal are in a file beside.
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub, forSite } from '../../support/servers/chart/chart.ts';
import { rulesIn } from '../../support/servers/chart/rules-seen.ts';

const OCM = 'cluster.open-cluster-management.io';

test('without dns.records no process of the hub may write a DNS record', async () => {
  const roles = (await forHub({})).filter(({ kind }) => kind === 'ClusterRole');
  expect(JSON.stringify(roles)).not.toContain('cnamerecords');
});

test('addon.sealing lets site operators write Secrets, and needs the policies that say which', async () => {
  const off = await forHub({});
  const on = await forHub({ 'addon.sealing.install': 'true' });
  const onSite = (objects: readonly KubeObject[], text: string) =>
    forSite(objects)
      .filter((object) => JSON.stringify(object).includes(text))
      .map(({ metadata }) => metadata.name);
  expect(onSite(off, 'sealing.cappstan.dana.io')).toEqual([]);
  expect(onSite(off, 'cappsecrets.rcs.dana.io')).toEqual([]);
  expect(onSite(on, 'cappsecrets.rcs.dana.io')).toEqual(['cappsecrets.rcs.dana.io']);
  const hubRoles = (objects: readonly KubeObject[]) =>
    objects.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'cappstan-hub-sealing');
  expect([hubRoles(off), hubRoles(on)].map(({ length }) => length)).toEqual([0, 1]);
  expect(hubRoles(on)[0]).toMatchObject({
    metadata: { namespace: RELEASE_NAMESPACE },
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }],
  });
  const unguarded = { 'addon.sealing.install': 'true', 'addon.guard.install': 'false' };
  await expect(forHub(unguarded)).rejects.toThrow('addon.sealing needs addon.guard');
});

test('without gateway.install nobody may make an account or a token', async () => {
  const roles = (await forHub({})).filter(({ kind }) => kind === 'ClusterRole');
  expect(JSON.stringify(roles)).not.toContain('serviceaccounts/token');
});

test('without notifications.install there is no notifier, no role for its Secrets and no kind for it', async () => {
  const objects = await forHub({});
  expect(objects.filter(({ metadata }) => /notif/.test(metadata.name))).toEqual([]);
});

test('no binding of the chart lets the notifier read Secrets outside of the namespace of the release', async () => {
  const objects = await forHub({ 'notifications.install': 'true' });
  const bindings = objects.filter((object) =>
    JSON.stringify(object).includes('"name":"cappstan-notifier-secret"'),
  );
  expect(bindings.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name])).toEqual([
    ['ClusterRole', undefined, 'cappstan-notifier-secret'],
    ['RoleBinding', RELEASE_NAMESPACE, 'cappstan-notifier'],
  ]);
});

test('with notifications.bundles=false the notifier may read no Bundle, and knows that', async () => {
  const values = { 'notifications.install': 'true', 'notifications.bundles': 'false' };
  const ours = (await forHub(values)).filter(({ metadata }) => metadata.name === 'cappstan-notifier');
  expect(JSON.stringify(ours)).not.toContain('"bundles"');
  expect(JSON.stringify(ours)).toContain('{"name":"NOTIFY_OF_BUNDLES","value":"false"}');
});

test('without joins.byToken nobody may accept a cluster or approve a certificate', async () => {
  const roles = (await forHub({})).filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
  expect(JSON.stringify(roles)).not.toMatch(/certificatesigningrequests|managedclusters\/accept|signers/);
});

test('without joins.namespaces ClusterJoins are told so and let go alone, and the kind is not brought', async () => {
  const objects = await forHub({ 'joins.byToken': 'true' });
  const rules = await rulesIn({ 'joins.byToken': 'true' });
  const ofProcesses = [...rules].filter((rule) => !rule.startsWith('* cappstan-join '));
  expect(ofProcesses.filter((rule) => /clusterjoins|join-lines/.test(rule)).toSorted()).toEqual([
    '* cappstan-bridge rcs.dana.io clusterjoins list,watch',
    '* cappstan-hub rcs.dana.io clusterjoins get,list,patch',
    '* cappstan-hub rcs.dana.io clusterjoins/status patch',
  ]);
  expect([...rules].filter((rule) => /managedclusters (create|delete)/.test(rule))).toEqual([]);
  expect(objects.map(({ metadata }) => metadata.name)).not.toContain('clusterjoins.rcs.dana.io');
});

test('without joins.byToken no process sees a ClusterJoin', async () => {
  const roles = [...(await rulesIn({}))].filter((rule) => !rule.startsWith('* cappstan-join '));
  expect(roles.join()).not.toContain('clusterjoins');
});

test('joins.namespaces needs joins.byToken, and names no namespace with Secrets of others', async () => {
  await expect(forHub({ 'joins.namespaces[0]': 'joins' })).rejects.toThrow(/needs joins\.byToken/);
  const both = { 'joins.byToken': 'true', 'joins.namespaces[0]': 'kube-system' };
  await expect(forHub(both)).rejects.toThrow(/must not name kube-system/);
  const objects = await forHub({ ...both, 'joins.namespaces[0]': 'joins' });
  const lines = objects.filter(({ metadata }) => metadata.name === 'cappstan-hub-join-lines');
  expect(lines.map(({ metadata }) => metadata.namespace)).toEqual(['joins', 'joins']);
});

test('with joins.byToken the hub worker may accept, and the bridge sees who asks', async () => {
  const rulesOf = async (values: Readonly<Record<string, string>>): Promise<Set<string>> => {
    const roles = (await forHub(values)) as unknown as {
      metadata: { name: string };
      rules?: readonly object[];
    }[];
    return new Set(
      roles.flatMap(({ metadata, rules = [] }) =>
        rules.map((rule) => `${metadata.name} ${JSON.stringify(rule)}`),
      ),
    );
  };
  const before = await rulesOf({});
  const added = [...(await rulesOf({ 'joins.byToken': 'true' }))].filter((rule) => !before.has(rule));
  const rule = (
    group: string,
    resource: string,
    verbs: readonly string[],
    names?: readonly string[],
  ): string =>
    JSON.stringify({
      apiGroups: [group],
      resources: [resource],
      ...(names === undefined ? {} : { resourceNames: names }),
      verbs,
    });
  expect(added.toSorted()).toEqual(
    [
      `cappstan-bridge ${rule('certificates.k8s.io', 'certificatesigningrequests', ['list', 'watch'])}`,
      `cappstan-bridge ${rule('rcs.dana.io', 'clusterjoins', ['list', 'watch'])}`,
      `cappstan-hub ${rule('rcs.dana.io', 'clusterjoins', ['get', 'list', 'patch'])}`,
      `cappstan-hub ${rule('rcs.dana.io', 'clusterjoins/status', ['patch'])}`,
      `cappstan-hub ${rule(OCM, 'managedclusters', ['patch'])}`,
      `cappstan-hub ${rule('register.open-cluster-management.io', 'managedclusters/accept', ['update'])}`,
      `cappstan-hub ${rule('addon.open-cluster-management.io', 'managedclusteraddons', ['get'])}`,
      `cappstan-hub ${rule('certificates.k8s.io', 'certificatesigningrequests', ['get', 'list'])}`,
      `cappstan-hub ${rule('certificates.k8s.io', 'certificatesigningrequests/approval', ['patch'])}`,
      `cappstan-hub ${rule('certificates.k8s.io', 'signers', ['approve'], ['kubernetes.io/kube-apiserver-client'])}`,
      `cappstan-hub-tokens ${rule('', 'secrets', ['delete'])}`,
      `cappstan-hub-clusters ${rule('', 'configmaps', ['list', 'create', 'patch', 'delete'])}`,
    ].toSorted(),
  );
});
