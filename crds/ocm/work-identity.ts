// The names of Capps' works. They decide whose a work is: a site can write everything of a work in its
// namespace but the name.
import { digestOf } from '../digest.ts';
import { CAPP_KEY, CAPP_NAME, CAPP_NAMESPACE, MANAGED_BY, MANAGED_BY_HUB } from '../labels.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import type { Subject } from '../kubernetes/core.ts';
import { subjectText } from '../kubernetes/neighbours.ts';

/** The value of label `CAPP_KEY`: 40 hex digits, the same for a namesake made later. */
export function cappKey(namespace: string, name: string): string {
  return digestOf(`${namespace}/${name}`, 40);
}

export interface Dependency {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly metadata: Pick<ObjectMeta, 'name' | 'uid' | 'resourceVersion'>;
}

/**
 * A digest of which versions of ConfigMaps and Secrets a work carries, never of what they say, of who may
 * read its logs, and of the key to which its Secrets are sealed, if they are: it lets who may see only
 * metadata of the former tell whether a work is out of date. Their order does not matter.
 */
export function dependenciesDigest(
  dependencies: readonly Dependency[],
  readers: readonly Subject[] = [],
  sealedTo: string | null = null,
): string {
  const lines = dependencies.map(
    ({ kind, metadata }) =>
      `${kind}/${metadata.name}/${metadata.uid ?? ''}/${metadata.resourceVersion ?? ''}`,
  );
  const form = sealedTo === null ? [] : [`Sealed/${sealedTo}`];
  const all = [...lines, ...readers.map((reader) => `Reader/${subjectText(reader)}`), ...form];
  return digestOf(all.toSorted().join('\n'), 40);
}

const PREFIX = 'mw-create-';

/**
 * An AppliedManifestWork is named `<64 hex digits>-<work>`, which leaves this much for both names (253 − 65 −
 * `mw-create--`).
 */
const LONGEST = 177;

/** `url` is the address of the hub's API server, as agents know it: the 64 hex digits of those names. */
export function hubHashOf(url: string): string {
  return digestOf(url, 64);
}

interface Named {
  readonly namespace?: string;
  readonly name: string;
}

type Marked = { readonly metadata: Pick<ObjectMeta, 'labels' | 'annotations'> };

/** The Go operator's name, as long as it fits. */
export function workName(namespace: string, name: string): string {
  return namespace.length + name.length <= LONGEST
    ? `${PREFIX}${namespace}-${name}`
    : hashedWorkName(namespace, name);
}

/** The name when the usual one is too long, or belongs to `a-b`/`c` when we are `a`/`b-c`. */
export function hashedWorkName(namespace: string, name: string): string {
  return `${PREFIX}${cappKey(namespace, name)}`;
}

/** Every name that a Capp's work may have, the usual one first. No two Capps share a hashed one. */
export function workNamesOf({ namespace = '', name }: Named): readonly string[] {
  return [...new Set([workName(namespace, name), hashedWorkName(namespace, name)])];
}

export function isWorkName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Two Capps may have this name: `a-b`/`c` and `a`/`b-c`. */
export function isAmbiguous(name: string): boolean {
  return name.slice(PREFIX.length).split('-').length > 2;
}

/** The Capp that a work's annotations name, if its name fits; else null. */
export function ownerByAnnotations({
  metadata,
}: {
  readonly metadata: Pick<ObjectMeta, 'name' | 'annotations'>;
}): Required<Named> | null {
  const { [CAPP_NAMESPACE]: namespace, [CAPP_NAME]: name } = metadata.annotations ?? {};
  if (namespace === undefined || name === undefined) return null;
  return workNamesOf({ namespace, name }).includes(metadata.name) ? { namespace, name } : null;
}

/** Our label says that we made the work for this Capp, or took it over. A site can write it as well. */
export function isLabelledFor(
  { metadata: { labels = {} } }: Marked,
  { namespace = '', name }: Named,
): boolean {
  return labels[MANAGED_BY] === MANAGED_BY_HUB && labels[CAPP_KEY] === cappKey(namespace, name);
}

/** An index of Capps: the names of their works. */
export function byWorkName({ metadata }: { readonly metadata: Named }): readonly string[] {
  return workNamesOf(metadata);
}

/** An index of works for Capps: their names. */
export function byName({ metadata: { name } }: { readonly metadata: Named }): readonly string[] {
  return isWorkName(name) ? [name] : [];
}

/** An index of works for Capps: their clusters. */
export function byCluster({
  metadata: { name, namespace = '' },
}: {
  readonly metadata: Named;
}): readonly string[] {
  return isWorkName(name) ? [namespace] : [];
}
