// The names of the works with the Jobs that check a Bundle: one for each site. The name decides, as with the
// Bundle's own works, and no other work that we make begins so.
import type { ObjectMeta } from '../../kube/resource.ts';
import { BUNDLE_NAME, BUNDLE_NAMESPACE, CHECKS_OF } from '../labels.ts';
import { bundleKey } from './bundle-work.ts';

const PREFIX = 'verify-';

/** As of Bundles' works: an AppliedManifestWork has 65 characters before the name of the work. */
const LONGEST = 253 - 65;

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** `verify-<namespace>.<name>` of the Bundle, or with a hash where that is too long. */
export function checkWorkName({ namespace, name }: Named): string {
  const plain = `${PREFIX}${namespace}.${name}`;
  return plain.length <= LONGEST ? plain : `${PREFIX}${bundleKey({ namespace, name })}`;
}

export function isCheckWorkName(name: string): boolean {
  return name.startsWith(PREFIX);
}

type Marked = { readonly metadata: Pick<ObjectMeta, 'name' | 'labels' | 'annotations'> };

/**
 * The Bundle whose checks these are: by the name, and by what the work says where the name is a hash; null
 * for any other work. A person may have made one with such a name, so it must bear a mark of ours as well.
 */
export function bundleOfChecks({ metadata: { name, labels = {}, annotations = {} } }: Marked): Named | null {
  if (!isCheckWorkName(name)) return null;
  const said = { namespace: annotations[BUNDLE_NAMESPACE] ?? '', name: annotations[BUNDLE_NAME] ?? '' };
  const dot = name.indexOf('.');
  const owner = dot < 0 ? said : { namespace: name.slice(PREFIX.length, dot), name: name.slice(dot + 1) };
  if (checkWorkName(owner) !== name || owner.namespace === '' || owner.name === '') return null;
  return labels[CHECKS_OF] !== undefined || said.name === owner.name ? owner : null;
}

export function isCheckOf(work: Marked, bundle: Named): boolean {
  const owner = bundleOfChecks(work);
  return owner?.namespace === bundle.namespace && owner.name === bundle.name;
}
