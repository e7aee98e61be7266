// The registrar on a real API server, with the rights that the chart gives it. Tokens are put where
// managed-serviceaccount puts them; the real one is in test/activity/reach/argocd.test.ts.
import { NAMESPACE, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { ARGO_CLUSTER } from '../../../crds/labels.ts';
import { OF_MANAGED_ACCOUNT } from '../../../crds/ocm/managed-service-account.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../../crds/ocm/ocm.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { applyObjects } from '../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { textIn } from '../../../registrar/cluster.ts';
import { startRegistrar } from '../../../registrar/registrar.ts';
import { round, type RoundOptions } from '../../../registrar/round.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aTokenOf } from '../../support/builders/registrar.ts';
import { forHub, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';

const AUTHORITY = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const BINDING: Resource = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
const NOW = Date.parse('2026-11-29T10:00:00.000Z');
const CLUSTER_LABEL = { 'argocd.argoproj.io/secret-type': 'cluster' };
const VALUES = {
  'argocd.install': 'true',
  'argocd.namespace': 'argocd',
  'argocd.userServer.caSecretName': 'cluster-proxy-ca',
};

let cluster: Cluster;
let own: Kube;
let done: string[] = [];
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const options: RoundOptions = {
  namespace: 'argocd',
  account: 'argocd',
  userServer: 'https://user-server:9092',
  noWayMs: 600_000,
  authority: () => Promise.resolve(AUTHORITY),
  onDone: (act, site) => void done.push(`${act} ${site}`),
  onError: (_site, error) => {
    throw error;
  },
};
const turn = (over: Partial<RoundOptions> = {}, since = new Map<string, number>(), now = NOW) =>
  round(own, { ...options, ...over }, since, now);
const find = (site: string): Promise<Secret | null> =>
  cluster.kube.get<Secret>(SECRET, { namespace: 'argocd', name: `cappstan-site-${site}` });

beforeAll(async () => {
  cluster = await startCluster('hub');
  for (const name of ['argocd', RELEASE_NAMESPACE])
    await cluster.kube.create(NAMESPACE, { metadata: { name } });
  const ours = (await forHub(VALUES)).filter(({ metadata }) => metadata.name === 'cappstan-registrar');
  await applyObjects(
    cluster.kube,
    ours.filter(({ kind }) => kind !== 'Deployment'),
  );
  own = await cluster.client(`system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-registrar`);
  await eventually(() => turn());
}, 300_000);
afterAll(async () => {
  await own?.close();
  await cluster?.stop();
});
beforeEach(() => {
  done = [];
});

const MADE = { [OF_MANAGED_ACCOUNT]: 'true' };

async function token(site: string, text: string, labels: Record<string, string> = MADE): Promise<void> {
  const secret: Secret = {
    metadata: { namespace: site, name: 'argocd', labels },
    data: { token: base64(text) },
  };
  await cluster.kube.apply(SECRET, secret, { fieldManager: 'test', force: true });
}

/** A site with everything that it takes. */
async function join(site: string, labels = MADE as Record<string, string>): Promise<void> {
  const { kube } = cluster;
  await kube.create(NAMESPACE, { metadata: { name: site } });
  await kube.create(MANAGED_CLUSTER, {
    metadata: { name: site, labels: { [ARGO_CLUSTER]: 'true', region: 'eu' } },
    spec: { hubAcceptsClient: true },
  } as KubeObject);
  const addOn: KubeObject = { metadata: { namespace: site, name: 'cluster-proxy' } };
  await kube.create(MANAGED_CLUSTER_ADD_ON, { ...addOn, spec: {} } as KubeObject);
  await token(site, aTokenOf('argocd'), labels);
}

test('a labelled site becomes a cluster of Argo CD as it documents one, and a second round writes nothing', async () => {
  await join('site-1');
  expect((await turn()).remarks.size).toBe(0);
  const secret = await find('site-1');
  expect(secret).toMatchObject({
    type: 'Opaque',
    metadata: { labels: { region: 'eu', ...CLUSTER_LABEL } },
  });
  expect(textIn(secret as Secret, 'server')).toBe('https://user-server:9092/site-1');
  expect(JSON.parse(textIn(secret as Secret, 'config'))).toEqual({
    bearerToken: aTokenOf('argocd'),
    tlsClientConfig: { caData: base64(AUTHORITY) },
  });
  await turn();
  expect(done).toEqual(['make site-1']);
  expect((await find('site-1'))?.metadata.resourceVersion).toBe(secret?.metadata.resourceVersion);
});

test('what is new is written over the same Secret, and what Argo CD’s users have added to it stays', async () => {
  const key = { namespace: 'argocd', name: 'cappstan-site-site-1' };
  const before = await find('site-1');
  await cluster.kube.patch(SECRET, key, {
    metadata: { labels: { mine: 'x' }, annotations: { note: 'kept' } },
    data: { project: base64('edge') },
  });
  await token('site-1', aTokenOf('argocd', 'two'));
  await turn({ userServer: 'https://other' });
  const secret = (await find('site-1')) as Secret;
  expect(secret.metadata.uid).toBe(before?.metadata.uid);
  expect(secret.metadata).toMatchObject({ annotations: { note: 'kept' } });
  expect(secret.metadata.labels).toEqual(before?.metadata.labels);
  expect(['project', 'server'].map((one) => textIn(secret, one))).toEqual(['edge', 'https://other/site-1']);
  expect(textIn(secret, 'config')).toContain(aTokenOf('argocd', 'two'));
  expect(done).toEqual(['change site-1']);
  await turn();
});

test('a Secret of ours that has lost Argo CD’s label gets it back, and goes with its site all the same', async () => {
  await join('site-5');
  await turn();
  const key = { namespace: 'argocd', name: 'cappstan-site-site-5' };
  const lost = { metadata: { labels: { 'argocd.argoproj.io/secret-type': null } } };
  await cluster.kube.patch(SECRET, key, lost);
  expect((await turn()).remarks.has('site-5')).toBe(false);
  expect((await find('site-5'))?.metadata.labels).toMatchObject(CLUSTER_LABEL);
  await cluster.kube.patch(SECRET, key, lost);
  await cluster.kube.remove(MANAGED_CLUSTER, { namespace: null, name: 'site-5' });
  await turn();
  expect(await find('site-5')).toBeNull();
  expect(done).toEqual(['make site-5', 'change site-5', 'remove site-5']);
});

test('a Secret that somebody else has made is named and left, with Argo CD’s label or without it', async () => {
  await join('site-2');
  const key = { namespace: 'argocd', name: 'cappstan-site-site-2' };
  await cluster.kube.create<Secret>(SECRET, { metadata: key, data: { name: base64('theirs') } });
  const words = 'Secret argocd/cappstan-site-site-2, which is not Cappstan';
  expect((await turn()).remarks.get('site-2')).toContain(words);
  await cluster.kube.patch(SECRET, key, { metadata: { labels: CLUSTER_LABEL } });
  expect((await turn()).remarks.get('site-2')).toContain(words);
  expect(textIn((await find('site-2')) as Secret, 'name')).toBe('theirs');
  expect(done).toEqual([]);
  await cluster.kube.remove(SECRET, key);
  await turn();
  expect(done).toEqual(['make site-2']);
});

test('a token that managed-serviceaccount has not made is none', async () => {
  await join('site-4', {});
  expect((await turn()).remarks.get('site-4')).toContain('has made no token');
  const unaccepted = { spec: { hubAcceptsClient: false } };
  await cluster.kube.patch(MANAGED_CLUSTER, { namespace: null, name: 'site-4' }, unaccepted);
  expect((await turn()).remarks.get('site-4')).toContain('spec.hubAcceptsClient');
  expect(done).toEqual([]);
});

test('a Secret goes with the label, and ten minutes after the tunnel', async () => {
  const { kube } = cluster;
  const unlabelled = { metadata: { labels: { [ARGO_CLUSTER]: null } } };
  await kube.patch(MANAGED_CLUSTER, { namespace: null, name: 'site-1' }, unlabelled);
  await kube.remove(MANAGED_CLUSTER_ADD_ON, { namespace: 'site-2', name: 'cluster-proxy' });
  const { noWaySince } = await turn();
  expect(done).toEqual(['remove site-1']);
  expect([await find('site-1'), (await find('site-2')) === null]).toEqual([null, false]);
  await turn({}, new Map(noWaySince), NOW + 600_000);
  expect(done).toEqual(['remove site-1', 'remove site-2']);
  expect(await find('site-2')).toBeNull();
});

test('round after round, a remark is told once, and no token is in it', async () => {
  const told: string[] = [];
  const faults: unknown[] = [];
  await join('site-3');
  const registrar = startRegistrar(own, {
    ...options,
    lookMs: 20,
    onRemark: (site, remark) => void told.push(`${site}: ${remark}`),
    onFailed: (error) => void faults.push(error),
  });
  await eventually(async () => ((await find('site-3')) === null ? undefined : true));
  await token('site-3', aTokenOf('argocd', 'three'));
  await eventually(async () =>
    textIn((await find('site-3')) as Secret, 'config').includes(aTokenOf('argocd', 'three'))
      ? true
      : undefined,
  );
  await registrar.stop();
  expect(faults).toEqual([]);
  expect(told.filter((one) => !one.startsWith('site-4'))).toEqual([
    'site-2: site-2 has no add-on cluster-proxy.',
  ]);
  expect(done).toEqual(['make site-3', 'change site-3']);
});

test('what cannot be read is not taken for empty: nothing goes', async () => {
  await cluster.kube.remove(BINDING, { namespace: null, name: 'cappstan-registrar' });
  await eventually(() =>
    turn().then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  await expect(turn()).rejects.toMatchObject({ code: 403 });
  expect(done).toEqual([]);
  expect(await find('site-3')).not.toBeNull();
});
