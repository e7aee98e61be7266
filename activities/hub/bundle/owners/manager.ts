// The field manager of a Bundle on a site: its name, and whose it is. Pure.
import { bundleKey } from '../../../../crds/ocm/bundle-work.ts';

type Named = Parameters<typeof bundleKey>[0];

/** How the field managers of Bundles begin. */
export const OF_BUNDLES = 'work-agent-bundle-';

/** Characters that Kubernetes allows the name of a field manager (apimachinery: FieldManagerMaxLength). */
const LONGEST = 128;

/** `work-agent-bundle-<namespace>/<name>`, or with the Bundle's key where that is too long. */
export function fieldManagerOf({ namespace, name }: Named): string {
  const plain = `${OF_BUNDLES}${namespace}/${name}`;
  return plain.length <= LONGEST ? plain : `${OF_BUNDLES}${bundleKey({ namespace, name })}`;
}

/**
 * The Bundle that a field manager names, or the key of one (`bundleKey`) that is too long to be named; null
 * for what is no Bundle's.
 */
export function namedBy(manager: string): Named | { readonly key: string } | null {
  if (!manager.startsWith(OF_BUNDLES)) return null;
  const rest = manager.slice(OF_BUNDLES.length);
  if (/^[0-9a-f]{40}$/.test(rest)) return { key: rest };
  const [namespace = '', name = '', ...more] = rest.split('/');
  return namespace === '' || name === '' || more.length > 0 ? null : { namespace, name };
}
