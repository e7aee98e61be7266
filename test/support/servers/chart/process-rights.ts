// What a process of the chart may do: exactly that, and never what would do harm.
import { RELEASE_NAMESPACE } from '../../../../deploy/local/cappstan/chart.ts';
import type { Cluster, Values } from './chart.ts';
import { rightsOf, type Account } from '../api/rights.ts';

export const OCM = 'cluster.open-cluster-management.io';
export const WORKS = 'manifestworks.work.open-cluster-management.io';
export const SITE_NAMESPACE = 'open-cluster-management-agent-addon';
export const FIGURES = { namespace: 'kube-public', name: 'figures' };
/** The chart with every process, and with all that gives one of them a right of its own. */
export const ALL_PROCESSES: Values = {
  'addon.scores.configMap': `${FIGURES.namespace}/${FIGURES.name}`,
  'dns.records': 'true',
  'metal.hosts': 'true',
  'gateway.install': 'true',
  'gateway.address': 'gateway.example:7443',
  'notifications.install': 'true',
};

export interface Process {
  readonly account: Account;
  /** The rights in every namespace. */
  readonly everywhere: readonly string[];
  /** Additional rights in one namespace. */
  readonly within: Readonly<Record<string, readonly string[]>>;
  /** Harmful actions, each with the request that would perform it. */
  readonly never: Readonly<Record<string, string>>;
}

/** Asks the API server for all of them, in a namespace of users and in each that has more. */
export async function hasItsRights(
  cluster: Cluster,
  { account, everywhere, within }: Process,
): Promise<void> {
  const walker = rightsOf(cluster, account);
  expect(await walker.listIn('a-namespace-of-users')).toEqual([...everywhere].toSorted());
  for (const namespace of [RELEASE_NAMESPACE, SITE_NAMESPACE, 'kube-system', FIGURES.namespace]) {
    expect({ namespace, rights: await walker.listIn(namespace) }).toEqual({
      namespace,
      rights: [...everywhere, ...(within[namespace] ?? [])].toSorted(),
    });
  }
}
