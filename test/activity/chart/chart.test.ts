// The chart as a real API server sees it: it accepts every object with any values. And what the objects are,
// by themselves.
import { NAMESPACE, SERVICE_ACCOUNT } from '../../../crds/kubernetes/core.ts';
import { DELETION_ORPHAN } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import {
  forHub,
  forSite,
  startCluster,
  templateIn,
  tryAll,
  type Cluster,
  type Values,
  SHORT_ID,
  SITE_AGENT,
} from '../../support/servers/chart/chart.ts';

const ALL: Values = {
  'image.repository': 'registry.example:5000/team/cappstan',
  'image.digest': `sha256:${'0123456789abcdef'.repeat(4)}`,
  'image.pullSecrets[0]': 'registry',
  'temporal.tls.secretName': 'temporal-client',
  'config.namespace': 'where-capps-go',
  'config.name': 'of-this-hub',
  'bridge.agentSilentSeconds': '120',
  'placement.create': 'true',
  'placement.namespace': 'where-capps-go',
  'placement.tolerations[0].operator': 'Exists',
  'webhook.url': 'https://hub.example:9443',
  'webhook.certificate.secretName': 'given',
  'webhook.certificate.caBundle': Buffer.from('nobody').toString('base64'),
  'webhook.annotations.cert-manager\\.io/inject-ca-from': 'a/b',
  'webhook.failurePolicy': 'Ignore',
  'addon.matchExpressions[0].key': 'region',
  'addon.matchExpressions[0].operator': 'Exists',
  'addon.scores.configMap': 'kube-public/figures',
  'addon.scores.url': 'http://figures.example/now',
  'networkPolicies.webhookFrom[0].ipBlock.cidr': '10.0.0.0/28',
  'networkPolicies.metricsFrom[0].namespaceSelector.matchLabels.team': 'watchers',
  'networkPolicies.egress.create': 'true',
  'networkPolicies.egress.apiServers[0].ipBlock.cidr': '10.0.0.0/28',
  'networkPolicies.egress.temporal[0].ipBlock.cidr': '10.1.0.0/28',
  'networkPolicies.egress.agents[0].ports[0].port': '8080',
  'nodeSelector.pool': 'control',
  'tolerations[0].operator': 'Exists',
};
const LITTLE: Values = {
  'addon.install': 'false',
  'webhook.install': 'false',
  'userRoles.create': 'false',
  'crds.install': 'false',
  'webhook.replicas': '1',
  'networkPolicies.create': 'false',
};

describe('an API server', () => {
  let hub: Cluster;
  let site: Cluster;
  beforeAll(async () => {
    hub = await startCluster('hub');
    site = await startCluster('site');
  }, 300_000);
  afterAll(() => Promise.all([hub?.stop(), site?.stop()]));

  test.each<[string, Values]>([
    ['with default values', {}],
    ['with every value set', ALL],
    ['with as little as possible', LITTLE],
  ])('of a hub accepts the chart %s', async (_, values) => {
    const objects = await forHub(values);
    expect(objects.length).toBeGreaterThan(8);
    await tryAll(hub.kube, objects);
  });

  test.each<[string, Values]>([
    ['with default values', {}],
    ['with every value set', ALL],
  ])('of a site accepts what the add-on brings, %s', async (_, values) =>
    tryAll(site.kube, forSite(await forHub(values))),
  );

  test('admits every Pod of the chart to a namespace with Pod Security level restricted', async () => {
    const objects = await forHub(ALL);
    const pods = [...objects, ...forSite(objects)].filter(({ kind }) => kind === 'Deployment').map(podOf);
    expect(pods).toHaveLength(5);
    const metadata = { name: 'restricted', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } };
    await hub.kube.create(NAMESPACE, { metadata });
    for (const { serviceAccountName, ...spec } of pods) {
      const account = { metadata: { namespace: 'restricted', name: serviceAccountName } };
      await hub.kube.create(SERVICE_ACCOUNT, account);
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'tried' },
        spec: { ...spec, serviceAccountName },
      };
      const path = '/api/v1/namespaces/restricted/pods?dryRun=All';
      const refused = { ...pod, spec: { ...pod.spec, hostNetwork: true } };
      await expect(hub.kube.raw('POST', path, { body: refused })).rejects.toMatchObject({ code: 403 });
      await hub.kube.raw('POST', path, { body: pod });
      expect(spec.containers).toMatchObject([{ securityContext: { readOnlyRootFilesystem: true } }]);
    }
  });
});

test('every process has its own ServiceAccount, and no process on a site uses one of the hub', async () => {
  const objects = await forHub(ALL);
  const accounts = (where: readonly KubeObject[]): string[] =>
    where
      .filter(({ kind }) => kind === 'Deployment')
      .map((deployment) => podOf(deployment).serviceAccountName)
      .toSorted();
  expect(accounts(objects)).toEqual(['cappstan-bridge', 'cappstan-hub', 'cappstan-webhook']);
  expect(accounts(forSite(objects))).toEqual([SITE_AGENT, 'cappstan-site']);
  expect(templateIn(objects).spec.registration).toBeUndefined();
});

test('the objects that a site needs to keep Capps running stay when the add-on is removed', async () => {
  const manifests = forSite(await forHub({}));
  const gone = manifests
    .filter(({ metadata }) => metadata.annotations?.[DELETION_ORPHAN] === undefined)
    .map(({ metadata }) => metadata.name);
  expect(new Set(gone)).toEqual(new Set([SITE_AGENT, `cappstan-hub-${SHORT_ID}`]));
});

test.each([
  ['cappconfigs.rcs.dana.io', 'does not get it', 0],
  ['capprevisions.rcs.dana.io', 'has it, too', 1],
])('a site gets the kind %s only where it has none, and the hub %s', async (kind, _how, onHub) => {
  const objects = await forHub({});
  const named = ({ metadata }: KubeObject): boolean => metadata.name === kind;
  expect(objects.filter(named)).toHaveLength(onHub);
  expect(forSite(objects).filter(named)).toHaveLength(1);
  expect(templateIn(objects).spec.agentSpec.manifestConfigs).toContainEqual({
    resourceIdentifier: {
      group: 'apiextensions.k8s.io',
      resource: 'customresourcedefinitions',
      name: kind,
    },
    updateStrategy: { type: 'CreateOnly' },
  });
});

test('a site that is too old for admission policies gets none, and nothing else of the guard', async () => {
  const guarded = forSite(await forHub({}));
  const bare = forSite(await forHub({ 'addon.guard.install': 'false' }));
  const names = (manifests: readonly KubeObject[]): string[] =>
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const guard = names(guarded).filter((name) => !names(bare).includes(name));
  expect(guard.filter((name) => !name.startsWith('ValidatingAdmissionPolicy'))).toEqual([
    'ConfigMap cappstan-hub',
    `ClusterRole cappstan-hub-${SHORT_ID}`,
    `ClusterRoleBinding cappstan-hub-${SHORT_ID}`,
  ]);
  expect(JSON.stringify(bare)).not.toContain('admissionpolicies');
});

interface Policy extends KubeObject {
  readonly spec: {
    readonly podSelector: {
      readonly matchLabels?: object;
      readonly matchExpressions?: readonly { readonly values: readonly string[] }[];
    };
    readonly ingress?: readonly {
      readonly ports: readonly { readonly port: string }[];
      readonly from?: readonly object[];
    }[];
  };
}

describe('the NetworkPolicies for our processes on the hub', () => {
  const policies = async (values: Values): Promise<Record<string, Policy['spec']>> =>
    Object.fromEntries(
      (await forHub(values))
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map((one) => [one.metadata.name, (one as Policy).spec]),
    );

  test('allow connections only to the webhook and to metrics', async () => {
    const {
      cappstan,
      'cappstan-webhook': webhook,
      'cappstan-metrics': metrics,
      ...others
    } = await policies({});
    expect(cappstan?.podSelector.matchExpressions?.[0]?.values.toSorted()).toEqual([
      'cappstan-bridge',
      'cappstan-hub',
      'cappstan-webhook',
    ]);
    expect(cappstan?.ingress).toBeUndefined();
    expect([webhook?.podSelector.matchLabels, webhook?.ingress]).toEqual([
      { app: 'cappstan-webhook' },
      [{ ports: [{ port: 'webhook' }] }],
    ]);
    expect([metrics?.podSelector, metrics?.ingress]).toEqual([
      cappstan?.podSelector,
      [{ ports: [{ port: 'metrics' }], from: [{ podSelector: {} }] }],
    ]);
    expect(others).toEqual({});
  });

  test('allow the peers that the values name, and do not exist when the values disable them', async () => {
    const { 'cappstan-webhook': webhook, 'cappstan-metrics': metrics } = await policies(ALL);
    expect(webhook?.ingress?.[0]?.from).toEqual([{ ipBlock: { cidr: '10.0.0.0/28' } }]);
    expect(metrics?.ingress?.[0]?.from).toEqual([
      { namespaceSelector: { matchLabels: { team: 'watchers' } } },
    ]);
    expect(await policies(LITTLE)).toEqual({});
    expect(Object.keys(await policies({ 'webhook.install': 'false' }))).not.toContain('cappstan-webhook');
  });
});

interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly unknown[];
}

function podOf(deployment: KubeObject): PodSpec {
  return (deployment as KubeObject & { spec: { template: { spec: PodSpec } } }).spec.template.spec;
}
