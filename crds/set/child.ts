// The Capps of a CappSet: their names, and whose a Capp is.
import type { ObjectMeta } from '../../kube/resource.ts';
import { digestOf } from '../digest.ts';
import { SET_REVISION } from '../labels.ts';
import { readWritten, type Written } from '../written.ts';
import { CAPP_SET } from './cappset.ts';

const LONGEST = 63;
const NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const HASH = 10;

/** `<set>-<site>`, or `<set>-<hash>` where that is no name of a Capp. */
export function childName(set: string, site: string): string {
  const whole = `${set}-${site}`;
  return whole.length <= LONGEST && NAME.test(whole) ? whole : `${set}-${digestOf(site, HASH)}`;
}

type Owned = { readonly metadata: Pick<ObjectMeta, 'namespace' | 'ownerReferences'> };

/** The set that a Capp is of, `<namespace>/<uid>`; null for any other Capp. Labels do not count. */
export function setOf({ metadata: { namespace = '', ownerReferences = [] } }: Owned): string | null {
  const owner = ownerReferences.find(
    ({ kind, apiVersion, controller }) =>
      kind === CAPP_SET.kind && apiVersion === CAPP_SET.apiVersion && controller === true,
  );
  return owner === undefined ? null : `${namespace}/${owner.uid}`;
}

/** For an index of Capps by their set. */
export function bySet(capp: Owned): string[] {
  const set = setOf(capp);
  return set === null ? [] : [set];
}

/** Two Capps of one set may have the same hostname. */
export function areSiblings(a: Owned, b: Owned): boolean {
  const set = setOf(a);
  return set !== null && set === setOf(b);
}

/** With what a set last wrote a Capp; null if it does not say. */
export function writtenOf({ annotations }: Pick<ObjectMeta, 'annotations'>): Written | null {
  return readWritten(annotations?.[SET_REVISION]);
}
