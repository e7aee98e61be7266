// The names of Bundles' works, and whose a work is: the name decides, since a site cannot change it.
import { digestOf } from '../digest.ts';
import { BUNDLE_KEY, BUNDLE_NAME, BUNDLE_NAMESPACE, BUNDLE_REVISION, BUNDLE_UID } from '../labels.ts';
import type { ObjectMeta } from '../../kube/resource.ts';

const PREFIX = 'bundle-';

/** As of Capps' works: an AppliedManifestWork has 65 characters before the name of the work. */
const LONGEST = 253 - 65;

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** The value of label `BUNDLE_KEY`: 40 hex digits. */
export function bundleKey({ namespace, name }: Named): string {
  return digestOf(`bundle/${namespace}/${name}`, 40);
}

/**
 * `bundle-<namespace>.<name>`, or with a hash where that is too long. A namespace has no dot, so no two
 * Bundles share a name.
 */
export function bundleWorkName({ namespace, name }: Named): string {
  const plain = `${PREFIX}${namespace}.${name}`;
  return plain.length <= LONGEST ? plain : `${PREFIX}${bundleKey({ namespace, name })}`;
}

type Marked = { readonly metadata: Pick<ObjectMeta, 'name' | 'labels' | 'annotations'> };

/**
 * The Bundle whose work this is: by its name, and by what it says where the name is a hash; null for any
 * other work.
 */
export function bundleOfWork({ metadata: { name, annotations = {} } }: Marked): Named | null {
  if (!name.startsWith(PREFIX)) return null;
  const dot = name.indexOf('.');
  const said = { namespace: annotations[BUNDLE_NAMESPACE] ?? '', name: annotations[BUNDLE_NAME] ?? '' };
  const owner = dot < 0 ? said : { namespace: name.slice(PREFIX.length, dot), name: name.slice(dot + 1) };
  return bundleWorkName(owner) === name && owner.namespace !== '' && owner.name !== '' ? owner : null;
}

/** Whether this is the name of the work of the Bundle with that key (`bundleKey`), whatever the work says. */
export function isNameWithKey(name: string, key: string): boolean {
  const owner = bundleOfWork({ metadata: { name } });
  return owner === null ? name === `${PREFIX}${key}` : bundleKey(owner) === key;
}

/**
 * It has the name, and something that we put on it: a person may have made another work with that name. A
 * site may take marks off, so any of them is enough; it cannot rename a work.
 */
export function isWorkOfBundle({ metadata }: Marked, bundle: Named): boolean {
  const { name, labels = {}, annotations = {} } = metadata;
  if (name !== bundleWorkName(bundle)) return false;
  return (
    labels[BUNDLE_UID] !== undefined ||
    annotations[BUNDLE_REVISION] !== undefined ||
    annotations[BUNDLE_NAME] === bundle.name ||
    // The last, because a digest costs more than all others.
    labels[BUNDLE_KEY] === bundleKey(bundle)
  );
}
