// Which SIPClusters the bridge rings when something changes that is made beside them.
import { watchMetal } from '../../../../bridge/metal/sip-clusters.ts';
import { SIP_CLUSTER_NAME } from '../../../../crds/metal/labels.ts';
import type { Kube, ListOptions } from '../../../../kube/client.ts';
import type { Resource } from '../../../../kube/resource.ts';
import { cluster, CLUSTERS, bridge, modified } from '../../../support/builders/metal/metal-bridge.ts';

test('what is made beside a cluster rings it when it is edited, serves or goes, and not for anything else', () => {
  const { services } = bridge();
  const made = (more: object = {}, metadata: object = {}): object => ({
    metadata: {
      namespace: 'metal',
      name: 'jumphost-has',
      uid: 'u',
      labels: { [SIP_CLUSTER_NAME]: 'has' },
      ...metadata,
    },
    spec: { replicas: 1 },
    status: { availableReplicas: 0 },
    ...more,
  });
  expect(services({ type: 'Added', previous: null, object: made(), initial: true })).toEqual([]);
  expect(services(modified(made(), made({}, { resourceVersion: '9' })))).toEqual([]);
  expect(services(modified(made(), made({ spec: { replicas: 0 } })))).toEqual(['has']);
  expect(services(modified(made(), made({ status: { availableReplicas: 1 } })))).toEqual(['has']);
  expect(services(modified(made(), made({}, { labels: {} })))).toEqual(['has']);
  expect(services({ type: 'Deleted', previous: made(), object: made() })).toEqual(['has']);
});

test('an edit of a Secret or a ConfigMap rings, of which the metadata alone is seen, and a repeat of it does not', () => {
  const { services } = bridge();
  const made = (resourceVersion: string): object => ({
    metadata: {
      namespace: 'metal',
      name: 'jumphost-has',
      uid: 'u',
      labels: { [SIP_CLUSTER_NAME]: 'has' },
      resourceVersion,
    },
  });
  expect(services(modified(made('1'), made('2')))).toEqual(['has']);
  expect(services(modified(made('2'), made('2')))).toEqual([]);
  expect(services({ type: 'Deleted', previous: made('2'), object: made('2') })).toEqual(['has']);
});

test('what anybody labels for a cluster that is not there rings nobody', () => {
  const { services } = bridge();
  const labelled = (name: string, namespace = 'metal'): object => ({
    metadata: { namespace, name: 'x', uid: 'u', labels: { [SIP_CLUSTER_NAME]: name } },
  });
  expect(services({ type: 'Added', previous: null, object: labelled('has') })).toEqual(['has']);
  expect(services({ type: 'Added', previous: null, object: labelled('nobody') })).toEqual([]);
  expect(services({ type: 'Added', previous: null, object: labelled('has', 'another') })).toEqual([]);
});

test('at its start the bridge rings each cluster once that has services: edits may have been missed', () => {
  const serving = cluster('serves', 'True');
  const services = [{ name: 'jumphost-serves', kind: 'jumpHost', nodePorts: '30000' }];
  const all = [...CLUSTERS, { ...serving, status: { ...serving.status, services } }];
  expect(bridge([], true, all).atStart).toEqual(['serves']);
  expect(bridge().atStart).toEqual([]);
});

test('what Secrets and ConfigMaps hold is never asked for, and only of those that are made beside clusters', async () => {
  const asked: unknown[] = [];
  const kube = {
    list: ({ kind }: Resource, { labelSelector, metadataOnly = false }: ListOptions) => {
      asked.push([kind, metadataOnly, labelSelector]);
      return new Promise(() => undefined);
    },
  } as unknown as Kube;
  const { services, sipClusters, hosts } = watchMetal(kube, () => undefined, true);
  const label = 'rcs.dana.io/managed-by=sip,rcs.dana.io/sip-cluster';
  expect(asked.slice(0, 4)).toEqual([
    ['Service', false, label],
    ['Deployment', false, label],
    ['Secret', true, label],
    ['ConfigMap', true, label],
  ]);
  await Promise.race([
    Promise.all([...services, sipClusters, hosts].map((one) => one.stop())),
    Promise.resolve(),
  ]);
});
