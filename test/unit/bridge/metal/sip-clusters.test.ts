// Which SIPClusters the bridge rings when something changes, and which are no news to it.
import { keptSipClusters, watchMetal, type MetalWatched } from '../../../../bridge/metal/sip-clusters.ts';
import {
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { RESERVED_FOR, SIP_CLUSTER_NAME } from '../../../../crds/metal/labels.ts';
import type { Kube, ListOptions } from '../../../../kube/client.ts';
import { keyText, type Resource } from '../../../../kube/resource.ts';

const TIME = '2026-03-01T12:00:00Z';

function cluster(
  name: string,
  reserved: 'True' | 'False',
  more: { generation?: number; failing?: boolean; metadata?: object } = {},
): SipCluster {
  const { generation = 1, failing = false, metadata = {} } = more;
  return {
    metadata: { namespace: 'metal', name, uid: `${name}-uid`, generation, ...metadata },
    spec: { services: {} },
    status: {
      hosts: [{ namespace: 'metal', name: 'x', role: 'Worker', ...(failing ? { failedSince: TIME } : {}) }],
      conditions: [
        {
          type: 'HostsReserved',
          status: reserved,
          reason: 'Reserved',
          message: '',
          lastTransitionTime: TIME,
        },
      ],
    },
  };
}

const CLUSTERS = [
  cluster('has', 'True'),
  cluster('lacks', 'False'),
  cluster('fails', 'True', { failing: true }),
];

function host(
  owner: string | null,
  more: Omit<Partial<BareMetalHost>, 'metadata'> & { metadata?: object } = {},
): BareMetalHost {
  const { metadata, ...rest } = more;
  const labels =
    owner === null ? {} : { [CLUSTER_NAMESPACE]: 'metal', [CLUSTER_NAME]: owner, [NODE_TYPE]: 'Worker' };
  const annotations = owner === null ? {} : { [RESERVED_FOR]: `${owner}-uid` };
  return {
    metadata: { namespace: 'metal', name: 'h', uid: 'h-uid', labels, annotations, ...metadata },
    spec: { networkData: { name: 'n' } },
    ...rest,
  };
}

interface Change {
  readonly type: 'Added' | 'Modified' | 'Deleted';
  readonly object: object;
  readonly previous: object | null;
  readonly initial?: boolean;
}

function bridge(hosts: readonly BareMetalHost[] = [], isServed = true, clusters = CLUSTERS) {
  const rung: string[] = [];
  const listeners: {
    services?: (change: object) => void;
    clusters?: (change: object) => void;
    hosts?: (change: object) => void;
    served?: () => void;
  } = {};
  const watched = {
    sipClusters: {
      list: () => clusters,
      get: (key: { namespace: string; name: string }) =>
        clusters.find(({ metadata }) => `metal/${metadata.name}` === keyText(key)),
      served: () => isServed,
      subscribe: (hear: (change: object) => void) => (listeners.clusters = hear),
    },
    hosts: {
      list: () => hosts,
      subscribe: (hear: (change: object) => void) => (listeners.hosts = hear),
      onServed: (hear: () => void) => (listeners.served = hear),
    },
    clusters: { get: () => undefined, subscribe: () => undefined },
    drains: { subscribe: () => undefined },
    services: [{ subscribe: (hear: (change: object) => void) => (listeners.services = hear) }],
  } as unknown as MetalWatched;
  const kind = keptSipClusters(watched);
  const stop = kind.listen(({ metadata: { name } }) => void rung.push(name));
  const atStart = rung.splice(0);
  const tell = (of: 'clusters' | 'hosts' | 'services', change: Change): string[] => {
    listeners[of]?.({ initial: false, ...change });
    return [...new Set(rung.splice(0))].toSorted();
  };
  return {
    kind,
    stop,
    atStart,
    clusters: (change: Change) => tell('clusters', change),
    hosts: (change: Change) => tell('hosts', change),
    services: (change: Change) => tell('services', change),
    served: () => {
      listeners.served?.();
      return rung.splice(0).toSorted();
    },
  };
}

const modified = (previous: object, object: object): Change => ({ type: 'Modified', previous, object });

test('a SIPCluster is rung when it is new, gone, edited or being deleted, and not for its status or our finalizer', () => {
  const { clusters } = bridge();
  const before = cluster('has', 'True');
  expect(clusters({ type: 'Added', previous: null, object: before, initial: true })).toEqual(['has']);
  expect(clusters({ type: 'Deleted', previous: before, object: before })).toEqual(['has']);
  expect(clusters(modified(before, cluster('has', 'True', { generation: 2 })))).toEqual(['has']);
  expect(
    clusters(modified(before, cluster('has', 'True', { metadata: { deletionTimestamp: TIME } }))),
  ).toEqual(['has']);
  expect(clusters(modified(before, cluster('has', 'True', { metadata: { uid: 'another' } })))).toEqual([
    'has',
  ]);
  expect(clusters(modified(before, cluster('has', 'False')))).toEqual([]);
  expect(clusters(modified(before, cluster('has', 'True', { metadata: { finalizers: ['f'] } })))).toEqual([]);
});

test('a change of a host rings whoever has it or had it', () => {
  const { hosts } = bridge();
  const error = { status: { operationalStatus: 'error' } };
  expect(hosts(modified(host('has'), host('has', error)))).toEqual(['has']);
  expect(hosts(modified(host('has'), host('other')))).toEqual(['has', 'other']);
  expect(hosts({ type: 'Deleted', previous: host('has'), object: host('has') })).toEqual(['has']);
});

test('a host that is or was nobody’s also rings those that lack hosts, or have one that has failed', () => {
  const { hosts } = bridge();
  expect(hosts({ type: 'Added', previous: null, object: host(null) })).toEqual(['fails', 'lacks']);
  expect(hosts(modified(host('has'), host(null)))).toEqual(['fails', 'has', 'lacks']);
  expect(hosts(modified(host(null, { status: { operationalStatus: 'error' } }), host(null)))).toEqual([
    'fails',
    'lacks',
  ]);
});

test('hosts of the first list, and what no plan rests on, are no news', () => {
  const { hosts } = bridge();
  expect(hosts({ type: 'Added', previous: null, object: host(null), initial: true })).toEqual([]);
  const later = host('has', { metadata: { resourceVersion: '9' } });
  expect(
    hosts(modified(host('has'), { ...later, metadata: { ...host('has').metadata, resourceVersion: '9' } })),
  ).toEqual([]);
});

test('all are rung when the hub begins to serve BareMetalHosts, and nobody once it has stopped', () => {
  const { served, stop } = bridge();
  expect(served()).toEqual(['fails', 'has', 'lacks']);
  stop();
  expect(served()).toEqual([]);
});

test('hosts that we reserved for what is gone are left over, and nothing is while SIPClusters are not served', () => {
  const hosts = [host('has'), host('gone'), host('by-hand', { metadata: { annotations: {} } })];
  expect([...bridge(hosts).kind.leftBy()]).toEqual(['metal/gone']);
  expect([...bridge(hosts, false).kind.leftBy()]).toEqual([]);
});

test('a host of a cluster is news when its BMC or its network data is another, and a free one is not', () => {
  const { hosts } = bridge();
  const bmc = { spec: { networkData: { name: 'n' }, bmc: { address: 'redfish://a', credentialsName: 'c' } } };
  expect(hosts(modified(host('has'), host('has', bmc)))).toEqual(['has']);
  expect(hosts(modified(host('has'), host('has', { spec: { networkData: { name: 'm' } } })))).toEqual([
    'has',
  ]);
  expect(hosts(modified(host(null), host(null, bmc)))).toEqual([]);
});

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
