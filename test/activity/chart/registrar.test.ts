// What the chart gives the registrar, where it is installed: as little as it needs, and nothing before.
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { accountOf, rightsOf } from '../../support/servers/api/rights.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import { OCM, WORKS } from '../../support/servers/chart/process-rights.ts';

const VALUES = {
  'argocd.install': 'true',
  'argocd.namespace': 'argocd',
  'argocd.userServer.caSecretName': 'cluster-proxy-ca',
};
const ACCOUNT = accountOf(RELEASE_NAMESPACE, 'cappstan-registrar');
const EVERYWHERE = [
  `list managedclusters.${OCM}`,
  'list managedclusteraddons.addon.open-cluster-management.io named cluster-proxy',
  'list secrets named argocd',
];

let hub: Cluster;
beforeAll(async () => {
  hub = await startCluster('hub');
  await hub.kube.create(NAMESPACE, { metadata: { name: 'argocd' } });
  await installAll(hub.kube, await forHub(VALUES));
}, 300_000);
afterAll(() => hub?.stop());

test('it has the rights that it uses, and no others', async () => {
  const walker = rightsOf(hub, ACCOUNT);
  for (const namespace of ['a-namespace-of-users', RELEASE_NAMESPACE, 'kube-system'])
    expect(await walker.listIn(namespace)).toEqual(EVERYWHERE.toSorted());
  expect(await walker.listIn('argocd')).toEqual(
    [...EVERYWHERE, 'create delete list patch secrets'].toSorted(),
  );
});

test.each([
  ['read a Secret of a tenant', 'list secrets apps/db'],
  ['read the reader’s token', 'list secrets site-1/cappstan-reader'],
  ['write a token', 'patch secrets site-1/argocd'],
  ['write a Secret of the release', `create secrets ${RELEASE_NAMESPACE}/temporal-client`],
  [
    'make an account',
    'create managedserviceaccounts.authentication.open-cluster-management.io site-1/argocd',
  ],
  ['label a site', `patch managedclusters.${OCM} site-1`],
  ['see what sites are sent', `list ${WORKS}`],
])('it may not %s', async (_, act) => {
  expect(await rightsOf(hub, ACCOUNT).mayDo(act)).toBe(false);
});

test('without argocd.install nobody may write there, and nothing of it is brought', async () => {
  const off = await forHub({ 'argocd.namespace': 'argocd' });
  expect(off.filter((one) => /registrar|"argocd"/.test(JSON.stringify(one)))).toEqual([]);
  expect(
    await rightsOf(hub, accountOf(RELEASE_NAMESPACE, 'cappstan-hub')).mayDo('patch secrets argocd/x'),
  ).toBe(false);
});

test.each([RELEASE_NAMESPACE, 'kube-system', 'open-cluster-management'])(
  'namespace %s, with Secrets of others, is refused',
  async (namespace) => {
    await expect(forHub({ ...VALUES, 'argocd.namespace': namespace })).rejects.toThrow(
      `argocd.namespace must not be ${namespace}`,
    );
  },
);

test('the reader’s account is refused', async () => {
  const values = { ...VALUES, 'argocd.account': 'cappstan-reader' };
  await expect(forHub(values)).rejects.toThrow('lent to nobody');
});
