// The bridge over three SIPClusters, and which of them a change rings.
import { keptSipClusters, type MetalWatched } from '../../../../bridge/metal/sip-clusters.ts';
import { secretsOfCluster, secretsOfHost } from '../../../../bridge/metal/secrets.ts';
import type { KeptSipCluster } from '../../../../bridge/metal/kept-cluster.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { keyText } from '../../../../kube/resource.ts';

export const TIME = '2026-03-01T12:00:00Z';

/** A SIPCluster that has its hosts, or lacks some. */
export function cluster(
  name: string,
  reserved: 'True' | 'False',
  more: {
    generation?: number;
    failing?: boolean;
    metadata?: object;
    spec?: Partial<SipCluster['spec']>;
  } = {},
): SipCluster {
  const { generation = 1, failing = false, metadata = {}, spec = {} } = more;
  return {
    metadata: { namespace: 'metal', name, uid: `${name}-uid`, generation, ...metadata },
    spec: { services: {}, ...spec },
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

/** One that has its hosts, one that lacks some, and one whose host has failed. */
export const CLUSTERS = [
  cluster('has', 'True'),
  cluster('lacks', 'False'),
  cluster('fails', 'True', { failing: true }),
];

interface Change {
  readonly type: 'Added' | 'Modified' | 'Deleted';
  readonly object: object;
  readonly previous: object | null;
  readonly initial?: boolean;
}

/** What a change of each kind rings, in the order of names. */
export function bridge(
  hosts: readonly BareMetalHost[] = [],
  isServed = true,
  clusters: readonly KeptSipCluster[] = CLUSTERS,
) {
  const rung: string[] = [];
  const listeners: {
    services?: (change: object) => void;
    clusters?: (change: object) => void;
    hosts?: (change: object) => void;
    secrets?: (change: object) => void;
    served?: () => void;
  } = {};
  const watched = {
    sipClusters: {
      list: () => clusters,
      get: (key: { namespace: string; name: string }) =>
        clusters.find(({ metadata }) => `metal/${metadata.name}` === keyText(key)),
      by: (_index: string, text: string) => clusters.filter((one) => secretsOfCluster(one).includes(text)),
      served: () => isServed,
      subscribe: (hear: (change: object) => void) => (listeners.clusters = hear),
    },
    hosts: {
      list: () => hosts,
      by: (_index: string, text: string) => hosts.filter((one) => secretsOfHost(one).includes(text)),
      subscribe: (hear: (change: object) => void) => (listeners.hosts = hear),
      onServed: (hear: () => void) => (listeners.served = hear),
    },
    clusters: { get: () => undefined, subscribe: () => undefined },
    drains: { subscribe: () => undefined },
    secrets: { subscribe: (hear: (change: object) => void) => (listeners.secrets = hear) },
    services: [{ subscribe: (hear: (change: object) => void) => (listeners.services = hear) }],
  } as unknown as MetalWatched;
  const kind = keptSipClusters(watched);
  const stop = kind.listen(({ metadata: { name } }) => void rung.push(name));
  const atStart = rung.splice(0);
  const tell = (of: 'clusters' | 'hosts' | 'secrets' | 'services', change: Change): string[] => {
    listeners[of]?.({ initial: false, ...change });
    return [...new Set(rung.splice(0))].toSorted();
  };
  return {
    kind,
    stop,
    atStart,
    clusters: (change: Change) => tell('clusters', change),
    hosts: (change: Change) => tell('hosts', change),
    secrets: (change: Change) => tell('secrets', change),
    services: (change: Change) => tell('services', change),
    served: () => {
      listeners.served?.();
      return rung.splice(0).toSorted();
    },
  };
}

/** An edit. */
export const modified = (previous: object, object: object): Change => ({
  type: 'Modified',
  previous,
  object,
});
