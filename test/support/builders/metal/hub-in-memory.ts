// A hub in memory with a SIPCluster, its hosts and their Secrets, and who plays the controllers of
// Deployments and the garbage collector. It writes down what becomes of hosts and services, in order.
import { DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { RESERVED_FOR } from '../../../../crds/metal/labels.ts';
import type { SipServices } from '../../../../crds/metal/services.ts';
import { SIP_CLUSTER, SIP_FINALIZER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { connectedBy, type Kube } from '../../../../kube/client.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { SipRef } from '../../../../workflows/metal/port.ts';
import { ApiServer } from '../../simulator/api/api-server.ts';

export const NAMESPACE = 'metal';
export const REF: SipRef = { namespace: NAMESPACE, name: 'shop' };
/** Its clock stands still. */
const SINCE = '2026-03-01T12:00:00Z';
const FOREGROUND = 'foregroundDeletion';

export interface HubInMemory {
  readonly kube: Kube;
  readonly server: ApiServer;
  /** "Deployment <name> leads to a, b", "Deployment <name> is gone", "host a is free", as they happen. */
  readonly happened: string[];
  /** All that was asked of the server. */
  readonly requests: KubeRequest[];
  cluster(): SipCluster;
  /** Wants so many workers, or hosts of another role. */
  wants(workers: number, role?: string): void;
  serves(services: SipServices): void;
  /** As the controllers say it of Deployments whose Pods all run; with `status`, something else. */
  bringUp(status?: object): void;
  /** The garbage collector: the last Pod of what is deleted in the foreground has ended. */
  podsEnd(): void;
  /** Another host is free, with its Secrets. */
  free(host: string, labels?: Readonly<Record<string, string>>): void;
  /** A host is in error since the beginning, and another is free; with a topologyKey, both at one place. */
  fails(host: string, free: string, topologyKey?: string): void;
  condition(type: string): string;
  message(type: string): string;
  /** Names of hosts that are reserved. */
  reserved(): string[];
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/**
 * `refuses`: the server's answer to a request is this failure. `way`: what becomes of a request; `send`
 * carries it out.
 */
export function hubInMemory(
  services: SipServices,
  {
    workers = 2,
    refuses = (_request: KubeRequest): Error | null => null,
    way = (_request: KubeRequest, send: () => unknown): unknown => send(),
  } = {},
): HubInMemory {
  const server = new ApiServer(() => Date.parse(SINCE));
  const happened: string[] = [];
  const requests: KubeRequest[] = [];
  server.namespaces.add(NAMESPACE);
  const add = (resource: { plural: string }, object: KubeObject): void =>
    server.put(
      resource as never,
      { namespace: NAMESPACE, name: object.metadata.name },
      () => object as never,
    );
  for (let index = 1; index <= workers; index += 1)
    for (const [resource, object] of hostWith(`w${index}`, `192.0.2.${index}`)) add(resource, object);
  add(SECRET, { metadata: { ...meta('keys') }, data: { id: encoded('key') } } as KubeObject);
  add(SIP_CLUSTER, {
    metadata: { ...meta(REF.name), uid: 'shop-uid', finalizers: [SIP_FINALIZER] },
    spec: { nodes: { Worker: { count: { active: workers } } }, services },
  } as KubeObject);
  listen(server, happened);
  const kube = connectedBy({
    deadlineMs: 10_000,
    send: async (request) => {
      requests.push(request);
      const refusal = refuses(request);
      if (refusal !== null) throw refusal;
      return way(request, () => deletedOnlyAfterPods(server, request) ?? server.answer(request, 'hub'));
    },
    open: () => Promise.reject(new Error('nothing is streamed here')),
    close: () => Promise.resolve(),
  });
  const cluster = (): SipCluster => server.read(SIP_CLUSTER, REF) as SipCluster;
  const change = (spec: Partial<SipCluster['spec']>): void =>
    server.put(SIP_CLUSTER, REF, (before) => ({
      ...cluster(),
      ...before,
      spec: { ...cluster().spec, ...spec },
    }));
  const addFree = (name: string, labels: Readonly<Record<string, string>> = {}): void => {
    for (const [resource, object] of hostWith(name, '192.0.2.99'))
      add(resource, { ...object, metadata: { ...object.metadata, labels, annotations: {} } });
  };
  const saying = (type: string) => cluster().status?.conditions?.find((one) => one.type === type);
  return {
    kube,
    server,
    happened,
    requests,
    cluster,
    wants: (active, role = 'Worker') => change({ nodes: { [role]: { count: { active } } } }),
    serves: (wanted) => change({ services: wanted }),
    bringUp: (status = {}) => {
      for (const { metadata } of server.all(DEPLOYMENT))
        server.put(DEPLOYMENT, { namespace: NAMESPACE, name: metadata.name }, (before) =>
          broughtUp(before ?? { metadata }, status),
        );
    },
    podsEnd: () => {
      for (const { metadata } of server.all(DEPLOYMENT))
        if (metadata.deletionTimestamp !== undefined)
          server.put(DEPLOYMENT, { namespace: NAMESPACE, name: metadata.name }, () => null);
    },
    free: addFree,
    fails: (host, free, topologyKey) => {
      const labels = topologyKey === undefined ? {} : { [topologyKey]: host };
      addFree(free, labels);
      const status = { operationalStatus: 'error' };
      server.put<BareMetalHost>(BARE_METAL_HOST, { namespace: NAMESPACE, name: host }, (before) => ({
        ...before,
        metadata: { ...meta(host), ...before?.metadata, labels: { ...before?.metadata.labels, ...labels } },
        status,
      }));
      const active = { active: workers };
      const of = topologyKey === undefined ? { count: active } : { count: active, topologyKey };
      change({ nodes: { Worker: of } });
      const hosts = [{ namespace: NAMESPACE, name: host, role: 'Worker', failedSince: SINCE }];
      server.put(SIP_CLUSTER, REF, () => ({ ...cluster(), status: { ...cluster().status, hosts } }));
    },
    condition: (type) => `${saying(type)?.status} ${saying(type)?.reason}`,
    message: (type) => saying(type)?.message ?? '',
    reserved: () =>
      (server.all(BARE_METAL_HOST) as BareMetalHost[])
        .filter(({ metadata: { labels = {} } }) => labels[CLUSTER_NAME] === REF.name)
        .map(({ metadata: { name } }) => name)
        .toSorted(),
  };
}

const meta = (name: string) => ({ namespace: NAMESPACE, name });

function hostWith(name: string, address: string): (readonly [{ plural: string }, KubeObject])[] {
  const networkData = JSON.stringify({ networks: [{ id: 'oam', ip_address: address }] });
  const labels = { [CLUSTER_NAMESPACE]: NAMESPACE, [CLUSTER_NAME]: REF.name, [NODE_TYPE]: 'Worker' };
  const bmc = { address: 'redfish+https://192.0.2.9/redfish/v1/Systems/1', credentialsName: `${name}-bmc` };
  const secret = (data: object) => ({ data }) as object;
  return [
    [SECRET, { metadata: meta(`${name}-net`), ...secret({ networkData: encoded(networkData) }) }],
    [
      SECRET,
      { metadata: meta(`${name}-bmc`), ...secret({ username: encoded('root'), password: encoded('p') }) },
    ],
    [
      BARE_METAL_HOST,
      {
        metadata: { ...meta(name), labels, annotations: { [RESERVED_FOR]: 'shop-uid' } },
        spec: { bmc, networkData: { name: `${name}-net` } },
      } as KubeObject,
    ],
  ];
}

interface DeploymentSeen extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly spec?: { readonly hostAliases?: readonly { hostnames: string[] }[] } };
  };
}

function broughtUp(deployment: DeploymentSeen, status: object): DeploymentSeen {
  const replicas = deployment.spec?.replicas ?? 1;
  const { generation = 1 } = deployment.metadata as { generation?: number };
  const all = { replicas, updatedReplicas: replicas, availableReplicas: replicas };
  return { ...deployment, status: { observedGeneration: generation, ...all, ...status } } as DeploymentSeen;
}

/** A Deployment that is deleted in the foreground is there until its Pods have ended. */
function deletedOnlyAfterPods(
  server: ApiServer,
  { method, path, body = '' }: KubeRequest,
): KubeObject | null {
  const [, name] = /\/deployments\/([^/?]+)/.exec(path) ?? [];
  if (method !== 'DELETE' || name === undefined || !`${path}${body}`.includes('Foreground')) return null;
  server.put(DEPLOYMENT, { namespace: NAMESPACE, name }, (before) =>
    before === null
      ? null
      : {
          ...before,
          metadata: {
            ...before.metadata,
            deletionTimestamp: SINCE,
            finalizers: [FOREGROUND],
          },
        },
  );
  return server.read(DEPLOYMENT, { namespace: NAMESPACE, name }) as KubeObject;
}

function listen(server: ApiServer, happened: string[]): void {
  server.onWrite(({ plural, before, after }) => {
    const name = after?.metadata.name ?? before?.metadata.name;
    if (plural === DEPLOYMENT.plural && after === null) happened.push(`${name} is gone`);
    if (plural === DEPLOYMENT.plural && after !== null && ledTo(before) !== ledTo(after))
      happened.push(`${name} leads to ${ledTo(after)}`);
    const [had, has] = [before, after].map((one) => one?.metadata.labels?.[CLUSTER_NAME] !== undefined);
    if (plural === BARE_METAL_HOST.plural && had === true && has === false) happened.push(`${name} is free`);
  });
}

function ledTo(deployment: DeploymentSeen | null): string | undefined {
  const aliases = deployment?.spec?.template?.spec?.hostAliases;
  return aliases?.flatMap(({ hostnames }) => hostnames).join(', ');
}
