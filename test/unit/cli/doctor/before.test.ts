// `kubectl capp doctor --pre`: what keeps Cappstan from being installed, and when certificates end.
import { createServer, type AddressInfo } from 'node:net';
import { examineBefore } from '../../../../cli/doctor/before/examine.ts';
import { tryAddress } from '../../../../cli/doctor/before/addresses.ts';
import type { Before } from '../../../../cli/doctor/before/facts.ts';
import { INSTALLED, INSTALLED_IN_NAMESPACE } from '../../../../cli/doctor/before/rights.ts';
import { endingsIn } from '../../../../cli/doctor/certificates.ts';
import { forHub } from '../../../support/servers/chart/chart.ts';
import { issue } from '../../../../tls/certificate.ts';
import { aConfiguration, anApiService, base64 } from '../../../support/builders/hub-facts.ts';

const cluster = (name: string, value: string) => ({
  metadata: { name },
  status: { clusterClaims: [{ name: 'kubeversion.open-cluster-management.io', value }] },
});
const fit: Before = {
  is: 'hub',
  version: 'v1.34.1',
  served: { 'managedclusters.cluster.open-cluster-management.io': true },
  clusters: [cluster('site-1', 'v1.33.0'), { metadata: { name: 'new' } }],
  refused: [],
  namespace: 'cappstan-system',
  addresses: [{ flag: '--temporal', text: 'temporal.example:7233', problem: null }],
};
const lines = (some: Partial<Before>): string[] =>
  examineBefore({ ...fit, ...some }).map(({ about, problem, remedy }) => `${about}: ${problem} ${remedy}`);

test('of a hub that is fit nothing is said, also not by who may not read the sites', () => {
  expect(lines({})).toEqual([]);
  expect(lines({ clusters: null })).toEqual([]);
  expect(lines({ version: 'v1.30.0-eks-1' })).toEqual([]);
});

test.each([
  [
    { version: 'v1.29.14' },
    'Kubernetes: This hub runs Kubernetes v1.29.14, and Cappstan needs 1.30 or newer. Upgrade it.',
  ],
  [
    { is: 'site' as const, version: 'v1.9.0' },
    'Kubernetes: This site runs Kubernetes v1.9.0, and Cappstan needs 1.30 or newer. Upgrade it, or set addon.guard.install=false in the chart.',
  ],
  [
    { clusters: [cluster('site-1', 'v1.28.3+k3s1'), cluster('site-2', 'v1.34.0')] },
    'sites: These run a Kubernetes older than 1.30: site-1 (v1.28.3+k3s1). Upgrade them, or set addon.guard.install=false in the chart.',
  ],
  [
    { served: { 'manifestworks.work.open-cluster-management.io': false } },
    'definitions: The API server does not serve manifestworks.work.open-cluster-management.io. Install Open Cluster Management on the hub (docs/install.md).',
  ],
  [
    { served: { 'services.serving.knative.dev': false } },
    'definitions: The API server does not serve services.serving.knative.dev. Install Knative Serving on the site (docs/install.md).',
  ],
  [
    { served: { 'certificates.cert-manager.io': false } },
    'definitions: The API server does not serve certificates.cert-manager.io. Install cert-manager, or let the webhook make its own certificate.',
  ],
  [
    { refused: ['create clusterroles', 'create secrets in namespace cappstan-system'] },
    'rights: You may not create clusterroles, create secrets in namespace cappstan-system. Install with the rights of cluster-admin; another namespace than cappstan-system is named with -n.',
  ],
  [
    { addresses: [{ flag: '--temporal', text: 'https://t', problem: 'Unreadable' as const }] },
    'addresses: --temporal https://t is no address. Write <host>:<port>, without https://, as the chart takes it.',
  ],
])('%j is a fault with a remedy', (some, line) => {
  expect(lines(some)).toEqual([line]);
});

test('an address is tried: its form, its name, and whether somebody listens who has to', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const problemOf = async (text: string, isRunning = true) =>
    (await tryAddress('--temporal', text, isRunning)).problem;
  expect(await problemOf(`127.0.0.1:${port}`)).toBeNull();
  await new Promise((resolve) => server.close(resolve));
  expect(await problemOf(`127.0.0.1:${port}`)).toBe('Silent');
  expect(await problemOf(`127.0.0.1:${port}`, false)).toBeNull();
  expect(await problemOf('nowhere.invalid:7233')).toBe('NoName');
  for (const text of ['https://temporal:7233', 'temporal', 'temporal:0', 'temporal:70000', '::1:80', ''])
    expect(await problemOf(text)).toBe('Unreadable');
});

test('the rights that it asks about are those that the chart of a whole hub takes', async () => {
  const chart = await forHub({
    'addon.install': 'true',
    'gateway.install': 'true',
    'gateway.address': 'gateway.example:7443',
    'placement.create': 'true',
  });
  const kinds = new Set(chart.map(({ kind = '' }) => kind));
  const asked = new Set([...INSTALLED, ...INSTALLED_IN_NAMESPACE].map(([plural]) => plural));
  const plural = (kind: string): string => `${kind.toLowerCase().replace(/y$/, 'ie')}s`;
  // Objects of kinds that OCM or the chart itself brings, and that need no right of their own kind.
  const own = new Set(['rcsconfigs', 'placements', 'namespaces', 'managedclustersetbindings', 'hubstatuses']);
  expect([...kinds].map(plural).filter((one) => !asked.has(one) && !own.has(one))).toEqual([]);
});

test('certificates are listed once each with their ends, without reading a Secret', async () => {
  const now = Date.now();
  const [own, webhook] = await Promise.all([issue(['me'], now), issue(['webhook'], now)]);
  const trusting = aConfiguration(base64(webhook.cert));
  const reader = await issue(['reader'], now);
  const endings = endingsIn(
    {
      validating: [trusting],
      mutating: [trusting],
      apiServices: [anApiService(base64(reader.authority))],
    },
    { cert: own.cert, ca: undefined },
  );
  expect(endings.map(({ of }) => of)).toEqual([
    'your client certificate',
    'the authority of the webhook, which the API server trusts',
    'the authority of the reader, which the API server trusts',
  ]);
  for (const { ends } of endings) expect(Date.parse(ends)).toBeGreaterThan(now);
  expect(
    endingsIn({ validating: null, mutating: null, apiServices: null }, { cert: 'no certificate' }),
  ).toEqual([]);
});
