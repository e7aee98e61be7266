// kube-controller-manager for one API server, with only the controllers that a cluster without nodes needs.
import type { Pki } from './pki.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';

/**
 * For every cluster, also the hub: certificate signing, garbage collection, deletion of namespaces,
 * ServiceAccounts.
 */
const EVERYWHERE = [
  'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-cleaner-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
] as const;

/** For tokens with which clusters join. */
const ON_HUBS = ['bootstrap-signer-controller', 'token-cleaner-controller'] as const;

/**
 * For workloads on sites, for Knative, and for our site operator, which has it count what a namespace holds.
 */
const ON_SITES = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'endpoints-controller',
  'endpointslice-controller',
  // For the Services of revisions, whose Endpoints Knative writes itself.
  'endpointslice-mirroring-controller',
  'resourcequota-controller',
  // For the token of OCM's agent, which `cappstan join` has it make.
  'serviceaccount-token-controller',
  // For apps that scale by cpu or memory: without it, Knative's autoscaler waits for their first replica.
  'horizontal-pod-autoscaler-controller',
] as const;

/**
 * For how long a hub signs certificates of clients, such as OCM's agents, which renew theirs when a fifth to
 * a quarter of that is left.
 */
export const SIGNED_DAYS = 90;

export interface ControllerManagerOptions {
  readonly binary: string;
  readonly cluster: string;
  readonly role: 'hub' | 'site';
  readonly kubeconfig: string;
  readonly pki: Pki;
  /** Port of its health check. */
  readonly port: number;
}

export function controllerManager({
  binary,
  cluster,
  role,
  kubeconfig,
  pki,
  port,
}: ControllerManagerOptions): ProcessSpec {
  const controllers = [...EVERYWHERE, ...(role === 'hub' ? ON_HUBS : ON_SITES)];
  return {
    name: `${cluster}-controller-manager`,
    command: binary,
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--leader-elect=false',
      '--use-service-account-credentials=false',
      `--cluster-signing-cert-file=${pki.authority.cert}`,
      `--cluster-signing-key-file=${pki.authority.key}`,
      `--service-account-private-key-file=${pki.serviceAccounts.privateKey}`,
      `--root-ca-file=${pki.authority.cert}`,
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      `--controllers=${controllers.join(',')}`,
      ...(role === 'hub' ? [`--cluster-signing-duration=${SIGNED_DAYS * 24}h`] : []),
    ],
    ready: { http: `https://127.0.0.1:${port}/healthz` },
    wave: Wave.controller,
    ports: [port],
  };
}
