// The files of a stack in its folder (`.local` for `make up`), and the names of its clusters.
import { join, resolve } from 'node:path';

export const HUB = 'hub';

export interface Layout {
  readonly dir: string;
  /** Ports, desired processes and observed processes. */
  readonly state: string;
  /** Certificates, etcd, Temporal's database, OCM's credentials. CLEAN=1 deletes it. */
  readonly data: string;
  readonly logs: string;
  /** A script for `source` that exports variables. */
  readonly env: string;
  /** Path of the administrator's kubeconfig for `hub` or a site. */
  kubeconfig(cluster: string): string;
  dataOf(part: string): string;
  /** The folder in which the agent of a site finds its identity for the gateway. */
  identityOf(site: string): string;
  /** The folder in which it finds the proxy of its site. */
  proxyOf(site: string): string;
  logOf(process: string): string;
}

export function layoutOf(folder: string): Layout {
  const dir = resolve(folder);
  const data = join(dir, 'data');
  const logs = join(dir, 'logs');
  return {
    dir,
    state: join(dir, 'state'),
    data,
    logs,
    env: join(dir, 'env'),
    kubeconfig: (cluster) => join(dir, `${cluster}.kubeconfig`),
    dataOf: (part) => join(data, part),
    identityOf: (site) => join(data, `${site}.identity`),
    proxyOf: (site) => join(data, `${site}.proxy`),
    logOf: (process) => join(logs, `${process}.log`),
  };
}

/** `site-1`, `site-2`, …: the names of the managed clusters. */
export function siteNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `site-${index + 1}`);
}
