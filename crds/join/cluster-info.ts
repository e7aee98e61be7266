// The ConfigMap by which a hub says to everybody where it is and what its authority is. kubeadm's clusters
// have it, and `clusteradm join` reads it.
import { parse, stringify } from 'yaml';
import type { ConfigMap } from '../kubernetes/core.ts';

export const CLUSTER_INFO = { namespace: 'kube-public', name: 'cluster-info' } as const;

export interface ClusterInfo {
  /** `https://host:port` */
  readonly server: string;
  /** PEM. */
  readonly ca: string;
}

/** The content of the ConfigMap: a kubeconfig without a user. */
export function clusterInfoMap({ server, ca }: ClusterInfo): ConfigMap {
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const kubeconfig = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: '', cluster }],
    contexts: [],
    users: [],
    'current-context': '',
    preferences: {},
  });
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...CLUSTER_INFO }, data: { kubeconfig } };
}

/** Null for all that is no such content: anybody may have sent it. */
export function clusterInfoOf(map: Pick<ConfigMap, 'data'> | null): ClusterInfo | null {
  try {
    const config = parse(map?.data?.['kubeconfig'] ?? '', { maxAliasCount: 0 }) as {
      readonly clusters?: readonly {
        readonly cluster?: { readonly server?: unknown; readonly 'certificate-authority-data'?: unknown };
      }[];
    } | null;
    const { server, 'certificate-authority-data': data } = config?.clusters?.[0]?.cluster ?? {};
    if (typeof server !== 'string' || typeof data !== 'string') return null;
    return { server, ca: Buffer.from(data, 'base64').toString('utf8') };
  } catch {
    return null;
  }
}
