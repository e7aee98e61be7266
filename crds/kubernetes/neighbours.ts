// What of a Capp's namespace on the hub is shipped with it: pull Secrets of ServiceAccounts, readers of logs,
// and Pod Security labels.
import type { RoleBinding, Subject, ServiceAccount } from './core.ts';
import type { ObjectMeta } from '../../kube/resource.ts';

/** Their names, sorted; none of an account that does not exist. */
export function pullSecretsOf(account: ServiceAccount | null | undefined): string[] {
  const names = (account?.imagePullSecrets ?? []).map(({ name = '' }) => name);
  return [...new Set(names)].filter((name) => name !== '').toSorted();
}

/** What is kept in memory of a ServiceAccount. */
export function forPullSecrets({ metadata, imagePullSecrets = [] }: ServiceAccount): ServiceAccount {
  const { name, namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { metadata: { name, namespace, uid, resourceVersion }, imagePullSecrets };
}

/** Names of roles whose holders read logs, the Go operator's; of a ClusterRole or of a Role. */
const LOG_ROLES: ReadonlySet<string> = new Set(['admin', 'logs-reader']);

export function letsReadLogs({ roleRef }: RoleBinding): boolean {
  return LOG_ROLES.has(roleRef.name);
}

/** For an index of those that let read logs, by namespace. */
export function byLogReaders(binding: RoleBinding): string[] {
  return letsReadLogs(binding) ? [binding.metadata.namespace ?? ''] : [];
}

/** The subjects of all that let read logs, as they are, each once and in an order of their own. */
export function logReaders(bindings: readonly RoleBinding[]): Subject[] {
  const subjects = bindings.filter(letsReadLogs).flatMap(({ subjects = [] }) => subjects);
  const byText = new Map(subjects.map((subject) => [subjectText(subject), subject]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, subject]) => subject);
}

/** One spelling for one subject: names may hold any character but the NUL. */
export function subjectText({ kind, apiGroup = '', namespace = '', name }: Subject): string {
  return [kind, apiGroup, namespace, name].join('\u0000');
}

/** What is kept in memory of a RoleBinding: without subjects if it lets nobody read logs. */
export function forLogReaders(binding: RoleBinding): RoleBinding {
  const { name, namespace = '', uid = '', resourceVersion = '' } = binding.metadata;
  const metadata = { name, namespace, uid, resourceVersion };
  const subjects = letsReadLogs(binding) ? (binding.subjects ?? []) : [];
  return { metadata, roleRef: binding.roleRef, subjects };
}

const PREFIX = 'pod-security.kubernetes.io/';
const MODES = ['enforce', 'audit', 'warn'] as const;
const LEVELS: ReadonlySet<string> = new Set(['baseline', 'restricted']);

type Labels = Readonly<Record<string, string>>;

/**
 * The labels that ask for something, with their versions. `privileged` asks for nothing, and would loosen
 * what a site asks of all namespaces.
 */
export function podSecurityOf({ labels = {} }: Pick<ObjectMeta, 'labels'>): Labels {
  const names = MODES.flatMap((mode) =>
    LEVELS.has(labels[PREFIX + mode] ?? '') ? [PREFIX + mode, `${PREFIX}${mode}-version`] : [],
  );
  return Object.fromEntries(
    names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])),
  );
}

/** What is kept in memory of a Namespace. */
export function forPodSecurity({ metadata }: { readonly metadata: ObjectMeta }): { metadata: ObjectMeta } {
  const { name, uid = '', resourceVersion = '' } = metadata;
  return { metadata: { name, uid, resourceVersion, labels: podSecurityOf(metadata) } };
}
