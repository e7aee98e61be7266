// The set that the object of a request belongs to.
import { setOf } from '../crds/set/child.ts';
import { at, listAt, textAt } from './fields.ts';

/** As `setOf` says it of a Capp, for an object of any shape; null for one of no set. */
export function setOfObject(namespace: string, object: unknown): string | null {
  const ownerReferences = listAt(object, 'metadata', 'ownerReferences').map((owner) => ({
    apiVersion: textAt(owner, 'apiVersion'),
    kind: textAt(owner, 'kind'),
    name: textAt(owner, 'name'),
    uid: textAt(owner, 'uid'),
    controller: at(owner, 'controller') === true,
  }));
  return setOf({ metadata: { namespace, ownerReferences } });
}
