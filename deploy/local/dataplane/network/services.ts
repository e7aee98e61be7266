// ClusterIPs and names inside a site, as kube-proxy and the cluster's DNS give them: a connection to a
// Service goes to one of its ready endpoints.
import type { NetConnectOpts, Server } from 'node:net';
import { cache } from '../../../../kube/watch/cache.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf, keyText, type Key, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { keyedQueue } from '../../../../kube/queue.ts';
import type { OnPartProblem, StandIn } from '../../standins/stand-in.ts';
import { relay } from './relay.ts';

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
} as const satisfies Resource;
const ENDPOINT_SLICE = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
} as const satisfies Resource;
const SERVICE_LABEL = 'kubernetes.io/service-name';
const HEADLESS = 'None';

interface Port {
  readonly name?: string;
  readonly port: number;
}

export interface DataplaneService extends KubeObject {
  readonly spec?: {
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly Port[];
  };
}

export interface EndpointSlice extends KubeObject {
  readonly ports?: readonly Port[] | null;
  readonly endpoints?:
    | readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[]
    | null;
}

export interface DataplaneServices extends StandIn {
  /** The addresses of a name such as `activator-service.knative-serving.svc`; null for an unknown name. */
  resolve(name: string): readonly string[] | null;
}

/** The ready endpoints behind one port of a Service. */
export function endpointsOf(
  slices: readonly EndpointSlice[],
  portName = '',
): { host: string; port: number }[] {
  return slices.flatMap(({ ports, endpoints }) => {
    const port = (ports ?? []).find(({ name = '' }) => name === portName)?.port;
    if (port === undefined) return [];
    return (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses.map((host) => ({ host, port })));
  });
}

/** The key of the Service in a name of the cluster, or null. */
export function serviceIn(name: string): Key | null {
  const found = /^([^.]+)\.([^.]+)\.svc(?:\.cluster\.local)?\.?$/.exec(name.toLowerCase());
  return found === null ? null : { namespace: found[2] ?? '', name: found[1] ?? '' };
}

export function services(kube: Kube, onProblem: OnPartProblem): DataplaneServices {
  const watched = { onProblem: (error: unknown) => onProblem('services', error) };
  const known = cache<DataplaneService>(kube, { resource: SERVICE, ...watched });
  const slices = cache<EndpointSlice>(kube, {
    resource: ENDPOINT_SLICE,
    indexes: { service: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[SERVICE_LABEL]}`] },
    ...watched,
  });
  const open = new Map<string, Map<string, Server>>();
  const queue = keyedQueue({
    work: forward,
    onError: (_, error) => onProblem('services', error),
  });
  known.subscribe(({ object }) => queue.add(keyText(keyOf(object))));

  /** Listens on the ClusterIP of that Service, port by port, and nowhere else. */
  async function forward(text: string): Promise<void> {
    const [namespace = '', name = ''] = text.split('/');
    const { clusterIP = HEADLESS, ports = [] } = known.get({ namespace, name })?.spec ?? {};
    const before = open.get(text) ?? new Map<string, Server>();
    open.set(text, before);
    const wanted = new Map(
      (clusterIP === HEADLESS || clusterIP === '' ? [] : ports).map((one) => [
        `${clusterIP} ${one.port} ${one.name ?? ''}`,
        one,
      ]),
    );
    for (const [address, server] of before) {
      if (wanted.has(address)) continue;
      before.delete(address);
      // It stops to listen at once, and its connections may end when they like.
      server.close();
    }
    for (const [address, port] of wanted) {
      if (before.has(address)) continue;
      const choose = (): NetConnectOpts | null => oneOf(endpointsOf(slices.by('service', text), port.name));
      before.set(address, await relay({ host: clusterIP, port: port.port }, choose));
    }
    if (before.size === 0) open.delete(text);
  }

  function resolve(name: string): readonly string[] | null {
    const key = serviceIn(name);
    const service = key === null ? undefined : known.get(key);
    if (key === null || service === undefined) return null;
    const { clusterIP = '', externalName, ports = [] } = service.spec ?? {};
    if (externalName !== undefined) return resolve(externalName);
    if (clusterIP !== '' && clusterIP !== HEADLESS) return [clusterIP];
    return endpointsOf(slices.by('service', keyText(key)), ports[0]?.name).map(({ host }) => host);
  }

  return {
    resolve,
    synced: Promise.all([known.synced, slices.synced]).then(() => undefined),
    stop: async () => {
      await queue.stop();
      await Promise.all([known.stop(), slices.stop()]);
    },
  };
}

function oneOf<T>(all: readonly T[]): T | null {
  return all[Math.floor(Math.random() * all.length)] ?? null;
}
