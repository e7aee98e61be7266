// The chart as a real API server sees it: it accepts every object with any values, and helm refuses invalid
// values with a useful message.
import { NAMESPACE, SERVICE_ACCOUNT } from '../../../crds/kubernetes/core.ts';
import { DELETION_ORPHAN } from '../../../crds/ocm/ocm.ts';
import { renderChart } from '../../../deploy/local/cappstan/chart.ts';
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
} from '../../support/servers/chart.ts';

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

const GOOD: Values = { 'temporal.address': 'temporal.example:7233', hubId: 'hub-under-test' };

test.each<[string, Values, RegExp]>([
  [
    'without Temporal',
    { ...GOOD, 'temporal.address': '', 'temporal.allowInsecure': 'true' },
    /temporal\.address must be set: host:port/,
  ],
  [
    'no hubId without a cluster',
    { ...GOOD, 'temporal.allowInsecure': 'true', hubId: '' },
    /hubId must be set.*kubectl get namespace kube-system/,
  ],
  ['a hubId that is no label value', { ...GOOD, hubId: 'a b' }, /\/hubId/],
  [
    'a namespace pattern that could break out of a policy',
    { ...GOOD, 'addon.guard.workAgents': "^a'||true||'$" },
    /\/addon\/guard\/workAgents/,
  ],
  ['an address without a port', { 'temporal.address': 'temporal' }, /\/temporal\/address/],
  ['a misspelt name', { ...GOOD, 'hub.replica': '3' }, /\/hub'.*additional propert.*replica/s],
  ['a negative number of workers', { ...GOOD, 'hub.replicas': '-1' }, /\/hub\/replicas.*minimum/s],
  ['a heap that is too small', { ...GOOD, 'hub.heapMiB': '16' }, /\/hub\/heapMiB/],
  ['an unknown log level', { ...GOOD, logLevel: 'loud' }, /\/logLevel.*debug.*info/s],
  [
    'an unknown pull policy',
    { ...GOOD, 'image.pullPolicy': 'Sometimes' },
    /\/image\/pullPolicy.*IfNotPresent/s,
  ],
  [
    'an unknown failure policy',
    { ...GOOD, 'webhook.failurePolicy': 'Panic' },
    /\/webhook\/failurePolicy.*Fail.*Ignore/s,
  ],
  ['a webhook without TLS', { ...GOOD, 'webhook.url': 'http://hub.example' }, /\/webhook\/url/],
  ['scores every second', { ...GOOD, 'scores.intervalSeconds': '1' }, /\/scores\/intervalSeconds/],
  [
    'an agentSilentSeconds that is too short',
    { ...GOOD, 'bridge.agentSilentSeconds': '5' },
    /\/bridge\/agentSilentSeconds.*minimum/s,
  ],
  ['an RCSConfig without a name', { ...GOOD, 'config.name': '' }, /\/config\/name/],
  [
    'a ConfigMap without its namespace',
    { ...GOOD, 'addon.scores.configMap': 'figures' },
    /\/addon\/scores\/configMap/,
  ],
  [
    'a credential in a URL',
    { ...GOOD, 'addon.scores.url': 'http://me:secret@figures.example' },
    /\/addon\/scores\/url/,
  ],
  [
    'an invalid NetworkPolicy peer',
    { ...GOOD, 'networkPolicies.webhookFrom[0].cidr': '10.0.0.0/8' },
    /\/networkPolicies\/webhookFrom\/0/,
  ],
  [
    'a webhook with less heap than its requests need',
    { ...GOOD, 'webhook.heapMiB': '96' },
    /\/webhook\/heapMiB.*minimum/s,
  ],
  ['an invalid namespace', { ...GOOD, 'addon.installNamespace': 'Not_A_Name' }, /\/addon\/installNamespace/],
])('helm refuses %s, and the message names the value', async (_, values, message) => {
  await expect(renderChart(values)).rejects.toThrow(message);
});

describe('the connection of agents to Temporal is authenticated:', () => {
  test.each<[string, Values]>([
    ['with default values', GOOD],
    [
      'with TLS but without a client certificate',
      { ...GOOD, 'temporal.tls.secretName': 's', 'temporal.tls.clientCertificate': 'false' },
    ],
  ])('helm installs no add-on %s, and the message names the value to set', async (_, values) => {
    await expect(renderChart(values)).rejects.toThrow(
      /set temporal\.tls\.secretName to a Secret.*or set temporal\.allowInsecure=true/s,
    );
  });

  test.each<[string, Values]>([
    ['with TLS and a certificate', { ...GOOD, 'temporal.tls.secretName': 's' }],
    ['with the gateway', { ...GOOD, 'gateway.install': 'true', 'gateway.address': 'gateway.example:7443' }],
    ['with temporal.allowInsecure', { ...GOOD, 'temporal.allowInsecure': 'true' }],
    ['without an add-on', { ...GOOD, 'addon.install': 'false' }],
  ])('helm installs the chart %s', async (_, values) => {
    expect((await renderChart(values)).length).toBeGreaterThan(8);
  });
});

describe('with the gateway', () => {
  const given = { ...GOOD, 'gateway.install': 'true', 'gateway.address': 'gateway.example:7443' };

  test('sites get its address and an identity, and nothing for Temporal itself', async () => {
    const objects = await renderChart({ ...given, 'temporal.tls.secretName': 'temporal-client' });
    const ofSites = objects.filter(
      ({ kind }) => kind === 'AddOnTemplate' || kind === 'AddOnDeploymentConfig',
    );
    const text = JSON.stringify(ofSites);
    expect(text).toContain('gateway.example:7443');
    expect(text).toContain('cappstan-agent-identity');
    expect(text).not.toContain('temporal.example');
    expect(text).not.toContain('temporal-client');
  });

  test.each<[string, Values, RegExp]>([
    ['no address', { 'gateway.address': '' }, /gateway\.address must be set: host:port/],
    [
      'an address of Temporal for sites',
      { 'addon.temporalAddress': 'temporal.example:7233' },
      /addon\.temporalAddress and gateway\.install exclude each other/,
    ],
  ])('helm refuses %s, and the message names the value', async (_, values, message) => {
    await expect(renderChart({ ...given, ...values })).rejects.toThrow(message);
  });
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
