// Whose logs a person means: a Capp's, or those of all Capps of a CappSet.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { SET } from '../../../crds/labels.ts';
import { keyOf, keyText, keyTextOf, type Key, type KubeObject } from '../../../kube/resource.ts';
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
  hub: ConnectedHub,
  found: NamedObject,
  site: string | null = null,
): Promise<Key[]> {
  return memberLook(hub, found, site)();
}

/**
 * `membersOf`, for one look after another: whole Capps are listed in the first one alone, and later each that
 * came since is read. A set pins its Capps, so which of the others are on the site stays as it was.
 */
export function memberLook(
  { kube }: ConnectedHub,
  { is, object }: NamedObject,
  site: string | null,
): () => Promise<Key[]> {
  const { namespace = '', name, uid } = object.metadata;
  let known: ReadonlyMap<string, boolean> | null = null;
  const list = async (metadataOnly: boolean): Promise<readonly Capp[]> => {
    const labelSelector = `${SET}=${name}`;
    const { items } = await kube.list<Capp>(CAPP, { namespace, labelSelector, metadataOnly });
    return items.filter(
      ({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true,
    );
  };
  return async () => {
    if (is !== 'CappSet') return [keyOf(object)];
    if (site === null) return inOrder(await list(true));
    const capps = await list(known !== null);
    const next = new Map<string, boolean>();
    for (const capp of capps) {
      const was = known?.get(identityOf(capp));
      const whole = known === null || was !== undefined ? capp : await kube.get<Capp>(CAPP, keyOf(capp));
      next.set(identityOf(capp), was ?? (whole !== null && isOn(whole, site)));
    }
    known = next;
    return inOrder(capps.filter((capp) => next.get(identityOf(capp)) === true));
  };
}

/** A Capp that was made anew is another one. */
function identityOf(capp: KubeObject): string {
  return capp.metadata.uid ?? keyTextOf(capp);
}

function inOrder(capps: readonly Capp[]): Key[] {
  return capps.map(keyOf).toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
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
