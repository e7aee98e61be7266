// Which values helm takes for the chart: invalid ones are refused with a useful message, and so is what would
// leave agents unauthenticated.
import { renderChart } from '../../../deploy/local/cappstan/chart.ts';
import type { Values } from '../../support/servers/chart/chart.ts';

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
