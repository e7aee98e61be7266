// What the registrar is told where it runs on this machine: on a stack that is asked for it, and on a hub of
// its own. No Pod of Argo CD or of cluster-proxy runs here; both are somebody's elsewhere.
import { resolve } from 'node:path';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import type { KubeObject } from '../../../kube/resource.ts';

export interface ArgoClusters {
  /** Argo CD's namespace on the hub. */
  readonly namespace: string;
  /** The ManagedServiceAccount of each site. */
  readonly account: string;
  /** The https address at which Argo CD reaches cluster-proxy's user server. */
  readonly userServer: string;
  /** The absolute path of the authority (PEM) of that server's certificate. */
  readonly authority: string;
}

/** The chart's default. */
const ARGO_ACCOUNT = 'argocd';

/**
 * From the variables that the registrar itself reads; null without ARGOCD_NAMESPACE. Throws an Error that
 * names what is missing.
 */
export function argoClustersFrom(env: Readonly<Record<string, string | undefined>>): ArgoClusters | null {
  const { ARGOCD_NAMESPACE: namespace = '', ARGOCD_ACCOUNT: account = '' } = env;
  const { USER_SERVER_URL: userServer = '', USER_SERVER_CA_FILE: authority = '' } = env;
  if (namespace === '') return null;
  const missing = Object.entries({ USER_SERVER_URL: userServer, USER_SERVER_CA_FILE: authority })
    .filter(([, value]) => value === '')
    .map(([name]) => name);
  if (missing.length > 0)
    throw new Error(
      `ARGOCD_NAMESPACE is set without ${missing.join(' and ')}: the registrar needs the address of cluster-proxy's user server and the file of its authority (docs/argo.md). Set both, or unset ARGOCD_NAMESPACE.`,
    );
  return {
    namespace,
    account: account === '' ? ARGO_ACCOUNT : account,
    userServer,
    authority: resolve(authority),
  };
}

/** Of the chart; empty without the registrar. */
export function argoValues(argo: ArgoClusters | null): Readonly<Record<string, string>> {
  if (argo === null) return {};
  return {
    'argocd.install': 'true',
    'argocd.namespace': argo.namespace,
    'argocd.account': argo.account,
    'argocd.userServer.url': argo.userServer,
    // No Pod mounts it: the process here reads the file itself.
    'argocd.userServer.caSecretName': 'authority-of-cluster-proxy',
  };
}

/** Where the chart makes the registrar's rights. */
export function argoNamespace({ namespace }: ArgoClusters): KubeObject {
  return { apiVersion: NAMESPACE.apiVersion, kind: NAMESPACE.kind, metadata: { name: namespace } };
}
