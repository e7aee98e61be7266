// Whose logs a person means: a Capp's, or those of all Capps of a CappSet.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { SET } from '../../../crds/labels.ts';
import { keyOf, keyText, type Key } from '../../../kube/resource.ts';
import { sitesOf } from '../../../reach/pods.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { readNamed, type NamedObject } from '../objects/named.ts';

/** Throws CommandFailure where there is neither, ApiError when it cannot be read. */
export async function readWithLogs(hub: ConnectedHub, text: string): Promise<NamedObject> {
  const found = await readNamed(hub, text);
  if (found.is === 'Bundle')
    throw new CommandFailure('usage', `${text} is a Bundle, which runs no app: name a Capp or a CappSet.`);
  return found;
}

/**
 * The Capps, by key; those of a set as they are now. With a site, those of a set that are there, or are to
 * be; a single Capp in any case, whose reader says where it is. Throws ApiError.
 */
export async function membersOf(
  { kube }: ConnectedHub,
  { is, object }: NamedObject,
  site: string | null = null,
): Promise<Key[]> {
  if (is !== 'CappSet') return [keyOf(object)];
  const { namespace = '', name, uid } = object.metadata;
  const labelSelector = `${SET}=${name}`;
  const { items } = await kube.list<Capp>(CAPP, { namespace, labelSelector, metadataOnly: site === null });
  return items
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true)
    .filter((capp) => site === null || isOn(capp, site))
    .map(keyOf)
    .toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
}

/** A set pins its Capps, so that one which is not placed yet has its site too. */
function isOn({ spec, status }: Capp, site: string): boolean {
  return spec?.site === site || sitesOf(status).includes(site);
}

/** The sentence for a set of which no Capp is on the site that was asked for. */
export function noneThere(
  { metadata: { namespace = '', name } }: NamedObject['object'],
  site: string,
): string {
  return `No Capp of CappSet ${name} in namespace ${namespace} is on ${site}: kubectl capp list -n ${namespace} says where they are.`;
}
