// Whose logs a person means: a Capp's, or those of all Capps of a CappSet.
import { CAPP } from '../../../crds/capp/capp.ts';
import { SET } from '../../../crds/labels.ts';
import { keyOf, keyText, type Key } from '../../../kube/resource.ts';
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

/** The Capps, by key; those of a set as they are now. Throws ApiError. */
export async function membersOf({ kube }: ConnectedHub, { is, object }: NamedObject): Promise<Key[]> {
  if (is !== 'CappSet') return [keyOf(object)];
  const { namespace = '', name, uid } = object.metadata;
  const labelSelector = `${SET}=${name}`;
  const { items } = await kube.list(CAPP, { namespace, labelSelector, metadataOnly: true });
  return items
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true)
    .map(keyOf)
    .toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
}
