// What a namespace says of the Pods that may run in it (Kubernetes' Pod Security Standards), as far as it travels to sites.
import type { Meta } from './meta.ts';

const PREFIX = 'pod-security.kubernetes.io/';
const MODES = ['enforce', 'audit', 'warn'] as const;
const LEVELS: ReadonlySet<string> = new Set(['baseline', 'restricted']);

type Labels = Readonly<Record<string, string>>;

/** The labels that ask for something, with their versions. `privileged` asks for nothing, and would loosen what a site asks of all namespaces. */
export function podSecurityOf({ labels = {} }: Pick<Meta, 'labels'>): Labels {
  const names = MODES.flatMap((mode) => (LEVELS.has(labels[PREFIX + mode] ?? '') ? [PREFIX + mode, `${PREFIX}${mode}-version`] : []));
  return Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
}

/** All that is kept in memory of a Namespace. */
export function forPodSecurity({ metadata }: { readonly metadata: Meta }): { metadata: Meta } {
  const { name, uid = '', resourceVersion = '' } = metadata;
  return { metadata: { name, uid, resourceVersion, labels: podSecurityOf(metadata) } };
}
