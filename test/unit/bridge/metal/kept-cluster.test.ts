// How much the bridge keeps of a SIPCluster, whose author decides how large it is, and that it rings by what
// it keeps as by the whole.
import { keptCluster } from '../../../../bridge/metal/kept-cluster.ts';
import { secretsOfCluster } from '../../../../bridge/metal/secrets.ts';
import { watchMetal } from '../../../../bridge/metal/sip-clusters.ts';
import { ABANDON_HOSTS, ALLOW_WIPE } from '../../../../crds/metal/labels.ts';
import type { Kube, ListOptions } from '../../../../kube/client.ts';
import type { Resource } from '../../../../kube/resource.ts';
import { worstSipCluster } from '../../../support/builders/metal/worst-cluster.ts';
import { bridge, cluster, modified } from '../../../support/builders/metal/metal-bridge.ts';

const worst = worstSipCluster();

test('of the largest SIPCluster that an API server stores the names of its Secrets are most of what is kept', () => {
  expect(JSON.stringify(worst).length).toBeGreaterThan(1_000_000);
  const kept = keptCluster(worst);
  expect(JSON.stringify(kept).length).toBeLessThan(16_000);
  expect(secretsOfCluster(kept).toSorted()).toEqual(secretsOfCluster(worst).toSorted());
});

/** A watch in which nothing happens until it is ended. */
// oxlint-disable-next-line require-yield -- nothing happens
async function* quiet(_path: string, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

test('the cache of the bridge has no more of it', async () => {
  const list = async ({ kind }: Resource, { keep = (one) => one }: ListOptions = {}) => ({
    items: kind === 'SIPCluster' ? [keep(worst)] : [],
    resourceVersion: '1',
  });
  const { sipClusters, hosts } = watchMetal({ list, stream: quiet } as unknown as Kube, () => undefined);
  try {
    await sipClusters.known;
    expect(JSON.stringify(sipClusters.list()).length).toBeLessThan(16_000);
    expect(sipClusters.by('secret', `metal/${'k'.repeat(250)}-0`)).toHaveLength(1);
  } finally {
    await Promise.all([sipClusters.stop(), hosts.stop()]);
  }
});

const LONG = Array.from({ length: 9_000 }, (_, index) => `metal/h${index}`).join(',');

test.each([
  ['another generation', cluster('has', 'True'), cluster('has', 'True', { generation: 2 })],
  [
    'a word of a person',
    cluster('has', 'True', { metadata: { annotations: { [ALLOW_WIPE]: 'metal/h1' } } }),
    cluster('has', 'True', { metadata: { annotations: { [ALLOW_WIPE]: 'metal/h2' } } }),
  ],
  [
    'a word at the end of a long list',
    cluster('has', 'True', { metadata: { annotations: { [ABANDON_HOSTS]: LONG } } }),
    cluster('has', 'True', { metadata: { annotations: { [ABANDON_HOSTS]: `${LONG},metal/x` } } }),
  ],
])('%s rings, whatever else is not kept', (_what, before, after) => {
  const { clusters } = bridge();
  expect(clusters(modified(keptCluster(before), keptCluster(after)))).toEqual(['has']);
  expect(clusters(modified(keptCluster(after), keptCluster(after)))).toEqual([]);
});

test('who lacks hosts, has a failed one or has services is known by what is kept', () => {
  const services = [{ name: 'jumphost-serves', kind: 'jumpHost', nodePorts: '30000' }];
  const serving = cluster('serves', 'True');
  const all = [
    cluster('has', 'True'),
    cluster('lacks', 'False'),
    cluster('fails', 'True', { failing: true }),
    { ...serving, status: { ...serving.status, services } },
  ].map(keptCluster);
  const { atStart, hosts } = bridge([], true, all);
  const free = { metadata: { namespace: 'metal', name: 'h', uid: 'u' } };
  expect(atStart).toEqual(['serves']);
  expect(hosts({ type: 'Added', previous: null, object: free })).toEqual(['fails', 'lacks']);
});
