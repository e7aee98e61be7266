// A Kubernetes API server without nodes, for the hub or a site.
import type { EtcdAccess } from './etcd.ts';
import type { PairFiles, Pki } from './pki.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { FEWER_COLLECTIONS, Wave, type ProcessSpec } from '../supervise/process-spec.ts';

/** Where others reach a server. */
export interface ServerDoor {
  /** The IPv4 address on which it listens; 0.0.0.0 for all. */
  readonly bind: string;
  /** The names and addresses for which its certificate is, beside those of this machine. */
  readonly hosts: readonly string[];
}

export const LOOPBACK_DOOR: ServerDoor = { bind: '127.0.0.1', hosts: [] };

/** The address at which this machine reaches it. */
export function reachOf({ bind }: ServerDoor): string {
  return bind === '0.0.0.0' ? '127.0.0.1' : bind;
}

export interface ApiServerOptions {
  readonly binary: string;
  /** `hub` or a site's name. It is also the cluster's name in kubeconfigs. */
  readonly cluster: string;
  readonly port: number;
  readonly etcd: EtcdAccess;
  readonly pki: Pki;
  /** Path of the administrator's kubeconfig, for this machine. */
  readonly kubeconfig: string;
  readonly door?: ServerDoor;
  /**
   * The kubeconfig names the administrator's certificate instead of holding it, so that processes that run
   * for long follow its renewal.
   */
  readonly followsRenewal?: boolean;
  /** More flags. */
  readonly flags?: readonly string[];
}

export interface ApiServer {
  readonly spec: ProcessSpec;
  readonly url: string;
  readonly kubeconfig: string;
}

/**
 * Creates the certificates and the administrator's kubeconfig if they are missing, and returns the process to
 * run. Safe to repeat.
 */
export async function apiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { cluster, port, pki, kubeconfig, door = LOOPBACK_DOOR, flags = [] } = options;
  const url = `https://${reachOf(door)}:${port}`;
  const own = ['127.0.0.1', 'localhost', 'kubernetes.default.svc', reachOf(door)];
  const serving = await pki.issue('api-server', {
    name: 'kube-apiserver',
    hosts: [...new Set([...own, ...door.hosts])],
  });
  const forOthers = await pki.requestHeader.issue('front-proxy', { name: FRONT_PROXY });
  const admin = await pki.issue('admin', { name: 'kubernetes-admin', groups: ['system:masters'] });
  await writeKubeconfig(kubeconfig, {
    cluster,
    server: url,
    ca: pki.authority.cert,
    credential: options.followsRenewal === true ? { files: admin } : { pair: admin },
  });
  return {
    url,
    kubeconfig,
    spec: {
      name: `${cluster}-api-server`,
      command: options.binary,
      args: [
        ...etcdFlags(options.etcd),
        `--bind-address=${door.bind}`,
        '--advertise-address=127.0.0.1',
        `--secure-port=${port}`,
        `--tls-cert-file=${serving.cert}`,
        `--tls-private-key-file=${serving.key}`,
        `--client-ca-file=${pki.authority.cert}`,
        ...aggregationFlags(pki.requestHeader.authority, forOthers),
        `--service-account-key-file=${pki.serviceAccounts.publicKey}`,
        `--service-account-signing-key-file=${pki.serviceAccounts.privateKey}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        '--authorization-mode=RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
        '--endpoint-reconciler-type=none',
        '--allow-privileged=true',
        // Otherwise open watches delay the stop until the supervisor kills the server.
        '--shutdown-delay-duration=0s',
        ...flags,
      ],
      env: FEWER_COLLECTIONS,
      ready: { http: `${url}/readyz` },
      wave: Wave.server,
      ...(door.bind === '127.0.0.1'
        ? { ports: [port] }
        : { ports: [], addresses: [{ host: door.bind, port }] }),
    },
  };
}

/** The user in whose name API servers ask aggregated ones, such as the reader. */
const FRONT_PROXY = 'front-proxy-client';

/** As kubeadm has them. */
function aggregationFlags(authority: PairFiles, client: PairFiles): string[] {
  return [
    `--requestheader-client-ca-file=${authority.cert}`,
    `--requestheader-allowed-names=${FRONT_PROXY}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${client.cert}`,
    `--proxy-client-key-file=${client.key}`,
  ];
}

function etcdFlags({ servers, prefix, tls }: EtcdAccess): string[] {
  const { ca, pair } = tls ?? {};
  return [
    `--etcd-servers=${servers.join(',')}`,
    `--etcd-prefix=${prefix}`,
    ...(ca === undefined ? [] : [`--etcd-cafile=${ca}`]),
    ...(pair === undefined ? [] : [`--etcd-certfile=${pair.cert}`, `--etcd-keyfile=${pair.key}`]),
  ];
}
