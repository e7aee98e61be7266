// Which Secrets a ServiceAccount lends its pods to pull images with.
import type { ServiceAccount } from './core.ts';

/** Their names, sorted; none of an account that does not exist. */
export function pullSecretsOf(account: ServiceAccount | null | undefined): string[] {
  const names = (account?.imagePullSecrets ?? []).map(({ name = '' }) => name);
  return [...new Set(names)].filter((name) => name !== '').toSorted();
}

/** All that is kept in memory of a ServiceAccount. */
export function forPullSecrets({ metadata, imagePullSecrets = [] }: ServiceAccount): ServiceAccount {
  const { name, namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { metadata: { name, namespace, uid, resourceVersion }, imagePullSecrets };
}
