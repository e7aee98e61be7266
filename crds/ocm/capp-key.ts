// How a Capp is known on the hub's works: a label value that fits whatever its names are, and the digest of what travels with it.
import { createHash } from 'node:crypto';
import type { Subject } from '../kubernetes/core.ts';
import { subjectText } from '../kubernetes/log-readers.ts';
import type { Meta } from '../kubernetes/meta.ts';

/** The value of label `CAPP_KEY`: 40 hex digits, the same for a namesake made later. */
export function cappKey(namespace: string, name: string): string {
  return createHash('sha256').update(`${namespace}/${name}`).digest('hex').slice(0, 40);
}

export interface Dependency {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly metadata: Pick<Meta, 'name' | 'uid' | 'resourceVersion'>;
}

/**
 * A digest of which versions of ConfigMaps and Secrets a work carries, never of what they say, and of who may read its logs: it lets who may
 * see only metadata of the former tell whether a work is out of date. Their order does not matter.
 */
export function dependenciesDigest(dependencies: readonly Dependency[], readers: readonly Subject[] = []): string {
  const lines = dependencies.map(
    ({ kind, metadata }) => `${kind}/${metadata.name}/${metadata.uid ?? ''}/${metadata.resourceVersion ?? ''}`,
  );
  const all = [...lines, ...readers.map((reader) => `Reader/${subjectText(reader)}`)];
  return createHash('sha256').update(all.toSorted().join('\n')).digest('hex').slice(0, 40);
}
