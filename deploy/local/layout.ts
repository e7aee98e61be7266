// Where a stack keeps its things, in one folder (`.local` for `make up`), and what its clusters are called.
import { join, resolve } from 'node:path';

export const HUB = 'hub';

export interface Layout {
  readonly dir: string;
  /** Ports, wanted processes and what became of them. */
  readonly state: string;
  /** All that CLEAN=1 forgets: certificates, etcd, Temporal's database, OCM's credentials. */
  readonly data: string;
  readonly logs: string;
  /** KEY=value lines for `source`. */
  readonly env: string;
  /** The administrator's kubeconfig of `hub` or of a site. */
  kubeconfig(cluster: string): string;
  dataOf(part: string): string;
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
    logOf: (process) => join(logs, `${process}.log`),
  };
}

/** `site-1`, `site-2`, …: the names of the managed clusters. */
export function siteNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `site-${index + 1}`);
}
