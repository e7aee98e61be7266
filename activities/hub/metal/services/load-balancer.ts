// The objects of a load balancer, with SIP's names, labels and ports. Pure.
import { digestOf } from '../../../../crds/digest.ts';
import { CONFIG_MAP, CORE_SERVICE, DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { SERVICE_CONTENT } from '../../../../crds/metal/labels.ts';
import { DEFAULT_BALANCER_IMAGE } from '../../../../crds/metal/services.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { haproxyConfig, type BalancerPort } from './haproxy.ts';
import type { ServedHost } from './hosts.ts';
import { BALANCED_ROLES, ownedMeta, selectorOf, type Instance } from './instances.ts';

/** In the order in which they are written: the Service first, since only it can be refused for its port. */
export type LoadBalancerObjects = readonly { readonly resource: Resource; readonly object: KubeObject }[];

export const SERVICE_KINDS = [CORE_SERVICE, SECRET, CONFIG_MAP, DEPLOYMENT] as const;

/** Two, on different nodes if there are, so that one node may go. SIP has one. */
const REPLICAS = 2;
/** The user of HAProxy's own images. */
const HAPROXY_UID = 99;

type Balancer = Exclude<Instance, { kind: 'jumpHost' }>;

interface NodePort extends BalancerPort {
  /** 0: Kubernetes picks one. */
  readonly nodePort: number;
}

/** Hosts without an address in the network are left out. */
export function loadBalancer(
  cluster: Pick<SipCluster, 'metadata'>,
  balancer: Balancer,
  hosts: readonly ServedHost[],
): LoadBalancerObjects {
  const { kind, item } = balancer;
  const ports = portsOf(balancer);
  const servers = hosts
    .filter(({ role }) => role === BALANCED_ROLES[kind])
    .flatMap(({ name, addresses }) => {
      const address = addresses.get(item.nodeInterfaceId ?? '');
      return address === undefined ? [] : [{ name, address }];
    });
  const check = kind === 'loadBalancerControlPlane' ? 'readyz' : 'connect';
  const config = haproxyConfig({ ports, servers, check });
  const metadata = ownedMeta(cluster, balancer);
  return [
    { resource: CORE_SERVICE, object: { metadata, spec: serviceSpec(balancer, ports) } as KubeObject },
    {
      resource: SECRET,
      object: {
        metadata,
        type: 'Opaque',
        data: { 'haproxy.cfg': Buffer.from(config).toString('base64') },
      } as KubeObject,
    },
    {
      resource: DEPLOYMENT,
      object: { metadata, spec: deploymentSpec(balancer, ports, config) } as KubeObject,
    },
  ];
}

function portsOf(balancer: Balancer): NodePort[] {
  if (balancer.kind === 'loadBalancerControlPlane')
    return [{ name: 'http', port: 6443, nodePort: balancer.item.nodePort }];
  const { start, end } = balancer.item.nodePortRange;
  return Array.from({ length: end - start + 1 }, (_, index) => {
    const port = start + index;
    return { name: `port-${port}`, port, nodePort: port };
  });
}

export function serviceSpec(instance: Instance, ports: readonly NodePort[]): object {
  const { clusterIP = '' } = instance.item;
  return {
    type: 'NodePort',
    selector: selectorOf(instance),
    ...(clusterIP === '' ? {} : { clusterIP }),
    ports: ports.map(({ name, port, nodePort }) => ({
      name,
      port,
      protocol: 'TCP',
      targetPort: port,
      ...(nodePort === 0 ? {} : { nodePort }),
    })),
  };
}

/** A change of the configuration starts the Pods again, one after the other: HAProxy reads it once. */
function deploymentSpec(balancer: Balancer, ports: readonly NodePort[], config: string): object {
  const { image, nodeLabels } = balancer.item;
  return {
    replicas: REPLICAS,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    selector: { matchLabels: selectorOf(balancer) },
    template: {
      metadata: {
        labels: selectorOf(balancer),
        annotations: { [SERVICE_CONTENT]: digestOf(config, 16) },
      },
      spec: {
        ...podBase(nodeLabels),
        affinity: apart(balancer),
        securityContext: {
          runAsNonRoot: true,
          runAsUser: HAPROXY_UID,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            name: 'loadbalancer',
            image: image === '' ? DEFAULT_BALANCER_IMAGE : image,
            imagePullPolicy: 'IfNotPresent',
            ports: ports.map(({ name, port }) => ({ name, containerPort: port, protocol: 'TCP' })),
            readinessProbe: { tcpSocket: { port: ports[0]?.port ?? 0 }, periodSeconds: 5 },
            livenessProbe: { tcpSocket: { port: ports[0]?.port ?? 0 }, initialDelaySeconds: 15 },
            resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '256Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            volumeMounts: [{ name: 'haproxy-config', mountPath: '/usr/local/etc/haproxy', readOnly: true }],
          },
        ],
        volumes: [{ name: 'haproxy-config', secret: { secretName: balancer.name } }],
      },
    },
  };
}

/** No Pod of a service speaks to the hub's API server by an account of its own. */
export function podBase(nodeLabels: Readonly<Record<string, string>> | undefined): object {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(nodeLabels === undefined ? {} : { nodeSelector: nodeLabels }),
  };
}

function apart(instance: Instance): object {
  const podAffinityTerm = {
    topologyKey: 'kubernetes.io/hostname',
    labelSelector: { matchLabels: selectorOf(instance) },
  };
  return {
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] },
  };
}
