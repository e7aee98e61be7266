// A Kubernetes API server without nodes, for the hub or a site. All of them share one etcd, each with its own
// key prefix.
import type { Pki } from './pki.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { FEWER_COLLECTIONS, Wave, type ProcessSpec } from '../supervise/process-spec.ts';

export interface ApiServerOptions {
  readonly binary: string;
  /** `hub` or a site's name. It is also the prefix in etcd and the cluster's name in kubeconfigs. */
  readonly cluster: string;
  readonly port: number;
  readonly etcd: string;
  readonly pki: Pki;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
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
  const { cluster, port, pki, kubeconfig } = options;
  const url = `https://127.0.0.1:${port}`;
  const serving = await pki.issue('api-server', {
    name: 'kube-apiserver',
    hosts: ['127.0.0.1', 'localhost', 'kubernetes.default.svc'],
  });
  const admin = await pki.issue('admin', { name: 'kubernetes-admin', groups: ['system:masters'] });
  await writeKubeconfig(kubeconfig, {
    cluster,
    server: url,
    ca: pki.authority.cert,
    credential: { pair: admin },
  });
  return {
    url,
    kubeconfig,
    spec: {
      name: `${cluster}-api-server`,
      command: options.binary,
      args: [
        `--etcd-servers=${options.etcd}`,
        `--etcd-prefix=/${cluster}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        `--secure-port=${port}`,
        `--tls-cert-file=${serving.cert}`,
        `--tls-private-key-file=${serving.key}`,
        `--client-ca-file=${pki.authority.cert}`,
        `--requestheader-client-ca-file=${pki.requestHeader.cert}`,
        `--service-account-key-file=${pki.serviceAccounts.publicKey}`,
        `--service-account-signing-key-file=${pki.serviceAccounts.privateKey}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        '--authorization-mode=RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
        '--endpoint-reconciler-type=none',
        '--allow-privileged=true',
        // Otherwise open watches delay the stop until the supervisor kills the server.
        '--shutdown-delay-duration=0s',
      ],
      env: FEWER_COLLECTIONS,
      ready: { http: `${url}/readyz` },
      wave: Wave.server,
      ports: [port],
    },
  };
}
