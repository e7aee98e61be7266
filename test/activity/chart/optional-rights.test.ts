// The rights that values of the chart add: nobody has them before.
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub, forSite, startCluster } from '../../support/servers/chart/chart.ts';

const OCM = 'cluster.open-cluster-management.io';

test('without dns.records no process of the hub may write a DNS record', async () => {
  const roles = (await forHub({})).filter(({ kind }) => kind === 'ClusterRole');
  expect(JSON.stringify(roles)).not.toContain('cnamerecords');
});

test('without metal.hosts no process may see or write a host, and the kind SIPCluster is not brought', async () => {
  const objects = await forHub({});
  const roles = objects.filter(({ kind }) => kind === 'ClusterRole');
  expect(JSON.stringify(roles)).not.toMatch(/baremetalhosts|sipclusters/);
  expect(objects.map(({ metadata }) => metadata.name)).not.toContain('sipclusters.airship.airshipit.org');
});

test('with metal.serviceNamespaces the hub worker may write services there and nowhere else, and the bridge sees them', async () => {
  const rulesOf = (values: Readonly<Record<string, string>>) => rulesIn({ 'metal.hosts': 'true', ...values });
  const before = await rulesOf({});
  const added = await rulesOf({
    'metal.serviceNamespaces[0]': 'metal',
    'metal.serviceNamespaces[1]': 'edge',
  });
  expect([...added].filter((rule) => !before.has(rule)).toSorted()).toEqual(
    [
      ...['metal', 'edge'].flatMap((namespace) => [
        `${namespace} cappstan-hub-services apps deployments get,list,create,patch,delete`,
        `${namespace} cappstan-hub-services  services get,list,create,patch,delete`,
        `${namespace} cappstan-hub-services  secrets,configmaps create,patch,delete`,
      ]),
      '* cappstan-bridge  services list,watch',
      '* cappstan-bridge apps deployments list,watch',
    ].toSorted(),
  );
});

test.each([RELEASE_NAMESPACE, 'our-addon', 'kube-system', 'open-cluster-management-hub'])(
  'metal.serviceNamespaces must not name %s, whose Secrets are not those of tenants’ clusters',
  async (namespace) => {
    const values = {
      'metal.hosts': 'true',
      'addon.installNamespace': 'our-addon',
      'metal.serviceNamespaces[0]': 'metal',
      'metal.serviceNamespaces[1]': namespace,
    };
    await expect(forHub(values)).rejects.toThrow(`metal.serviceNamespaces must not name ${namespace}: `);
  },
);

test('metal.serviceNamespaces without metal.hosts gives nobody anything', async () => {
  const rolesOf = async (values: Readonly<Record<string, string>>): Promise<unknown> =>
    (await forHub(values)).filter(({ kind }) => kind?.endsWith('Role') === true);
  expect(await rolesOf({ 'metal.serviceNamespaces[0]': 'metal' })).toEqual(await rolesOf({}));
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

interface RoleSeen {
  readonly metadata: { readonly namespace?: string; readonly name: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
}

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
    ].toSorted(),
  );
});

const PROVISION = { 'metal.hosts': 'true', 'joins.byToken': 'true' };

test('with metal.provisionNamespaces the hub worker may make sites, and write Secrets there and nowhere else', async () => {
  const before = await rulesIn(PROVISION);
  const added = await rulesIn({ ...PROVISION, 'metal.provisionNamespaces[0]': 'metal' });
  expect([...added].filter((rule) => !before.has(rule)).toSorted()).toEqual(
    [
      'metal cappstan-hub-userdata  secrets create,patch,delete',
      `kube-system cappstan-hub-tokens  secrets create,delete`,
      `* cappstan-hub ${OCM} managedclusters create,delete`,
      `* cappstan-hub ${OCM} managedclustersets/join create default`,
      '* cappstan-hub rcs.dana.io drains create,delete',
    ].toSorted(),
  );
});

test('with metal.provisionClusterSets these sites may join the default clusterset and the named ones, and no other', async () => {
  const provision = { ...PROVISION, 'metal.provisionNamespaces[0]': 'metal' };
  const joins = async (values: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    [...(await rulesIn({ ...provision, ...values }))].filter((rule) =>
      rule.includes('managedclustersets/join'),
    );
  const named = { 'metal.provisionClusterSets[0]': 'edge', 'metal.provisionClusterSets[1]': 'default' };
  expect(await joins(named)).toEqual([`* cappstan-hub ${OCM} managedclustersets/join create default,edge`]);
  expect(await joins({})).toEqual([`* cappstan-hub ${OCM} managedclustersets/join create default`]);
});

test.each([RELEASE_NAMESPACE, 'our-addon', 'kube-system', 'open-cluster-management-hub'])(
  'metal.provisionNamespaces must not name %s',
  async (namespace) => {
    const values = {
      ...PROVISION,
      'addon.installNamespace': 'our-addon',
      'metal.provisionNamespaces[0]': namespace,
    };
    await expect(forHub(values)).rejects.toThrow(`metal.provisionNamespaces must not name ${namespace}: `);
  },
);

test('metal.provisionNamespaces needs joins.byToken', async () => {
  const values = { 'metal.hosts': 'true', 'metal.provisionNamespaces[0]': 'metal' };
  await expect(forHub(values)).rejects.toThrow('metal.provisionNamespaces needs joins.byToken');
});

async function rulesIn(values: Readonly<Record<string, string>>): Promise<Set<string>> {
  return new Set(
    ((await forHub(values)) as unknown as readonly RoleSeen[]).flatMap(
      ({ metadata: { namespace = '*', name }, rules = [] }) =>
        rules.map(({ apiGroups, resources, verbs, resourceNames = [] }) =>
          [namespace, name, apiGroups.join(), resources.join(), verbs.join(), resourceNames.join()]
            .join(' ')
            .trimEnd(),
        ),
    ),
  );
}

test('with metal.hosts the deletion of a SIPCluster is asked of the webhook where it may be refused, and an API server takes the rule', async () => {
  const webhooksIn = async (values: Readonly<Record<string, string>>) =>
    (await forHub(values))
      .filter(({ kind }) => kind === 'ValidatingWebhookConfiguration')
      .flatMap((one) => (one as unknown as { webhooks: { name: string; rules: object[] }[] }).webhooks);
  const of = (all: Awaited<ReturnType<typeof webhooksIn>>) =>
    all.filter(({ name }) => name.startsWith('sipcluster.'));
  expect(of(await webhooksIn({}))).toEqual([]);
  const [asked] = of(await webhooksIn({ 'metal.hosts': 'true' }));
  expect(asked?.rules).toEqual([
    {
      apiGroups: ['airship.airshipit.org'],
      apiVersions: ['*'],
      resources: ['sipclusters'],
      operations: ['DELETE'],
    },
  ]);
  const server = await startCluster('hub');
  try {
    const made = await server.kube.create(
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        plural: 'validatingwebhookconfigurations',
        namespaced: false,
      },
      { metadata: { name: 'tried' }, webhooks: [asked] } as unknown as KubeObject,
    );
    expect(made.metadata.name).toBe('tried');
  } finally {
    await server.stop();
  }
}, 120_000);
