// What is kept of the metadata of objects that others write: a site its works, a tenant Secrets and
// ConfigMaps. Each may have as many labels and annotations as an API server stores, and a cache keeps them of
// all objects.
import type { KubeObject } from '../../kube/resource.ts';
import { isOurs } from '../labels.ts';

/** Characters of all labels or of all annotations of one object: ten times what ours have. */
const MOST_TEXT = 16_384;
/** Finalizers, and owners. */
const MOST_LISTED = 32;

/**
 * Without managed fields. Of very many labels or annotations, ours are kept first, as far as there is room.
 */
export function slim<T extends KubeObject>(object: T): T {
  const { managedFields: _managed, ...metadata } = object.metadata as T['metadata'] & {
    managedFields?: unknown;
  };
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(labels === undefined ? {} : { labels: bounded(labels) }),
      ...(annotations === undefined ? {} : { annotations: bounded(annotations) }),
      ...(finalizers === undefined ? {} : { finalizers: finalizers.slice(0, MOST_LISTED) }),
      ...(ownerReferences === undefined ? {} : { ownerReferences: ownerReferences.slice(0, MOST_LISTED) }),
    },
  };
}

type Texts = Readonly<Record<string, string>>;

function bounded(texts: Texts): Texts {
  const all = Object.entries(texts);
  if (all.reduce((sum, entry) => sum + lengthOf(entry), 0) <= MOST_TEXT) return texts;
  let left = MOST_TEXT;
  const kept = [...all.filter(([name]) => isOurs(name)), ...all.filter(([name]) => !isOurs(name))].filter(
    (entry) => {
      const isKept = lengthOf(entry) <= left;
      if (isKept) left -= lengthOf(entry);
      return isKept;
    },
  );
  return Object.fromEntries(kept);
}

function lengthOf([name, text]: readonly [string, string]): number {
  return name.length + text.length;
}
