// The rights that the values `metal` of the chart add: nobody has them before.
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub, startCluster } from '../../support/servers/chart/chart.ts';
import { rulesIn } from '../../support/servers/chart/rules-seen.ts';

const OCM = 'cluster.open-cluster-management.io';

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
