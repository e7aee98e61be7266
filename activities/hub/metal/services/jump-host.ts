// The objects of a jump host, with SIP's names, labels, keys and paths. Pure.
import { createHmac } from 'node:crypto';
import { CONFIG_MAP, CORE_SERVICE, DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { SERVICE_CONTENT } from '../../../../crds/metal/labels.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { inOrder } from '../../../../workflows/metal/plan/inventory.ts';
import { HOST_KEY, publicLineOf } from './host-key.ts';
import { DATA_PATH, hostTool, PROXY_KEY, redfishConfig, redfishKey, SCRIPTS_PATH } from './host-tool.ts';
import type { ServedHost } from './hosts.ts';
import { ownedMeta, selectorOf, type Instance } from './instances.ts';
import { podBase, serviceSpec, type LoadBalancerObjects } from './load-balancer.ts';

const HOME = '/home/ubuntu';
const KEYS_PATH = '/etc/opt/sip/ssh-private-keys';
/** The user ubuntu of SIP's image and of ours. */
const UBUNTU = 1000;
const PORT = 22;
/** What an SSH server that begins as root needs, as SIP's image has one; ours begins as ubuntu. */
const CAPABILITIES = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
  'SYS_CHROOT',
];

export type JumpInstance = Extract<Instance, { kind: 'jumpHost' }>;

export interface JumpParts {
  readonly hosts: readonly ServedHost[];
  /** Names of the files in the Secret of `nodeSSHPrivateKeys`. */
  readonly privateKeys: readonly string[];
  /** PEM. */
  readonly hostKey: string;
}

export function jumpHost(
  cluster: Pick<SipCluster, 'metadata'>,
  jump: JumpInstance,
  parts: JumpParts,
): LoadBalancerObjects {
  const metadata = ownedMeta(cluster, jump);
  const aliases = aliasesOf(jump, parts.hosts);
  const secret = secretOf(aliases, parts);
  const config = {
    'authorized-keys': (jump.item.sshAuthorizedKeys ?? []).map((line) => line.trim()).join('\n'),
    host: hostTool(jump.item.bmc?.proxy === true),
    [`${HOST_KEY}.pub`]: publicLineOf(parts.hostKey),
  };
  // A digest without a key would let those who may read Deployments try passwords.
  const content = createHmac('sha256', parts.hostKey)
    .update(JSON.stringify([secret, config]))
    .digest('hex');
  const data = Object.fromEntries(
    Object.entries(secret).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const ports = [{ name: 'ssh', port: PORT, nodePort: jump.item.nodePort }];
  return [
    { resource: CORE_SERVICE, object: { metadata, spec: serviceSpec(jump, ports) } as KubeObject },
    { resource: SECRET, object: { metadata, type: 'Opaque', data } as KubeObject },
    { resource: CONFIG_MAP, object: { metadata, data: config } as KubeObject },
    {
      resource: DEPLOYMENT,
      object: {
        metadata,
        spec: deploymentSpec(cluster, jump, { aliases, content: content.slice(0, 16) }),
      } as KubeObject,
    },
  ];
}

interface Alias {
  readonly ip: string;
  readonly hostnames: readonly string[];
}

/** One for each address: SIP's samples have hosts that share one. */
function aliasesOf({ item }: JumpInstance, hosts: readonly ServedHost[]): Alias[] {
  const names = new Map<string, string[]>();
  for (const { name, addresses } of hosts) {
    const ip = addresses.get(item.nodeInterfaceId ?? '');
    if (ip !== undefined) names.set(ip, [...(names.get(ip) ?? []), name]);
  }
  return inOrder([...names], ([ip]) => ip).map(([ip, hostnames]) => ({ ip, hostnames }));
}

function secretOf(
  aliases: readonly Alias[],
  { hosts, privateKeys, hostKey }: JumpParts,
): Record<string, string> {
  const listed = hosts.map(({ name, bmc }) => ({
    name,
    bmc: { ip: bmc?.authority ?? '', username: bmc?.username ?? '', password: bmc?.password ?? '' },
  }));
  return {
    hosts: JSON.stringify(listed),
    ssh_config: sshConfig(aliases, privateKeys),
    [HOST_KEY]: hostKey,
    ...Object.fromEntries(hosts.map(({ name, bmc }) => [redfishKey(name), redfishConfig(bmc)])),
  };
}

/** For ssh from the jump host to the hosts. */
function sshConfig(aliases: readonly Alias[], privateKeys: readonly string[]): string {
  const identities = inOrder(privateKeys, (key) => key).map((key) => `  IdentityFile ${KEYS_PATH}/${key}`);
  const names = inOrder(
    aliases.flatMap(({ hostnames }) => hostnames),
    (name) => name,
  );
  const lines = [
    'Host *',
    ...identities,
    ...names.flatMap((name) => ['', `Host ${name}`, `  HostName ${name}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function deploymentSpec(
  { metadata }: Pick<SipCluster, 'metadata'>,
  jump: JumpInstance,
  { aliases, content }: { readonly aliases: readonly Alias[]; readonly content: string },
): object {
  const selector = selectorOf(jump);
  return {
    replicas: 1,
    selector: { matchLabels: selector },
    template: {
      metadata: { labels: selector, annotations: { [SERVICE_CONTENT]: content } },
      spec: {
        ...podBase(jump.item.nodeLabels),
        hostAliases: aliases,
        securityContext: {
          fsGroup: UBUNTU,
          seccompProfile: { type: 'RuntimeDefault' },
          sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: String(PORT) }],
        },
        containers: [
          {
            name: 'jumphost',
            image: jump.item.image,
            imagePullPolicy: 'IfNotPresent',
            ports: [{ name: 'ssh', containerPort: PORT, protocol: 'TCP' }],
            livenessProbe: { tcpSocket: { port: 'ssh' }, initialDelaySeconds: 15, periodSeconds: 10 },
            readinessProbe: { tcpSocket: { port: 'ssh' }, initialDelaySeconds: 5, periodSeconds: 20 },
            resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '512Mi' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ['ALL'], add: CAPABILITIES },
            },
            volumeMounts: MOUNTS,
          },
        ],
        volumes: volumesOf(metadata.name, jump),
      },
    },
  };
}

const MOUNTS = [
  { name: 'data', mountPath: '/etc/opt/sip/hosts', subPath: 'hosts', readOnly: true },
  { name: 'data', mountPath: `${HOME}/.ssh/config`, subPath: 'ssh_config', readOnly: true },
  { name: 'data', mountPath: DATA_PATH, readOnly: true },
  { name: 'scripts', mountPath: SCRIPTS_PATH, readOnly: true },
  { name: 'ssh-private-keys', mountPath: KEYS_PATH, readOnly: true },
  {
    name: 'authorized-keys',
    mountPath: `${HOME}/.ssh/authorized_keys`,
    subPath: 'authorized_keys',
    readOnly: true,
  },
  { name: 'kubeconfig', mountPath: '/etc/opt/sip/kubeconfig', readOnly: true },
];

const SCRIPTS = ['host', PROXY_KEY].map((key) => ({ key, path: key }));

/**
 * The kubeconfig is where Cluster API keeps it: key `value` of Secret `<name>-kubeconfig`. The kubelet reads
 * it, and may do so later: the tenant's cluster does not exist yet.
 */
function volumesOf(cluster: string, { name, item }: JumpInstance): readonly object[] {
  const authorized = [{ key: 'authorized-keys', path: 'authorized_keys' }];
  return [
    { name: 'data', secret: { secretName: name, defaultMode: 0o440 } },
    // Optional, since nobody may have written the second.
    { name: 'scripts', configMap: { name, optional: true, defaultMode: 0o555, items: SCRIPTS } },
    { name: 'ssh-private-keys', secret: { secretName: item.nodeSSHPrivateKeys, defaultMode: 0o400 } },
    { name: 'authorized-keys', configMap: { name, defaultMode: 0o600, items: authorized } },
    {
      name: 'kubeconfig',
      secret: {
        secretName: `${cluster}-kubeconfig`,
        optional: true,
        defaultMode: 0o440,
        items: [{ key: 'value', path: 'config' }],
      },
    },
  ];
}
