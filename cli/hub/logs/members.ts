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
  hub: ConnectedHub,
  found: NamedObject,
  site: string | null = null,
): Promise<Key[]> {
  return memberLook(hub, found, site)();
}

/**
 * `membersOf`, for one look after another: whole Capps are listed in the first one alone, and later each is
 * read that came since, or whose spec was written since: its site is in its spec. Of more than MOST_READ all
 * are listed. A look that throws keeps what it has read.
 */
export function memberLook(
  { kube }: ConnectedHub,
  { is, object }: NamedObject,
  site: string | null,
): () => Promise<Key[]> {
  const { namespace = '', name, uid } = object.metadata;
  const list = async (metadataOnly: boolean): Promise<readonly Capp[]> => {
    const labelSelector = `${SET}=${name}`;
    const { items } = await kube.list<Capp>(CAPP, { namespace, labelSelector, metadataOnly });
    return items.filter(
      ({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true,
    );
  };
  const get = (capp: Capp): Promise<Capp | null> => kube.get<Capp>(CAPP, keyOf(capp));
  const there = site === null ? () => list(true) : lookOn(site, { list, get });
  return async () => (is === 'CappSet' ? inOrder(await there()) : [keyOf(object)]);
}

interface Reading {
  readonly list: (metadataOnly: boolean) => Promise<readonly Capp[]>;
  readonly get: (capp: Capp) => Promise<Capp | null>;
}

/** So many are read one by one. */
const MOST_READ = 10;

function lookOn(site: string, { list, get }: Reading): () => Promise<readonly Capp[]> {
  const known = new Map<string, { readonly generation: number; readonly isThere: boolean }>();
  let isFirst = true;
  const knownOf = ({ metadata: { uid = '', generation = 0 } }: Capp): boolean | undefined => {
    const found = known.get(uid);
    return found?.generation === generation ? found.isThere : undefined;
  };
  const isThere = (capp: Capp): boolean => {
    const { uid = '', generation = 0 } = capp.metadata;
    const is = isOn(capp, site);
    if (isLasting(capp, site)) known.set(uid, { generation, isThere: is });
    return is;
  };
  return async () => {
    const capps = isFirst ? [] : await list(true);
    const unknown = capps.filter((capp) => knownOf(capp) === undefined);
    if (isFirst || unknown.length > MOST_READ) {
      const all = await list(false);
      isFirst = false;
      return all.filter(isThere);
    }
    const read = new Set<Capp>();
    for (const capp of unknown) {
      const whole = await get(capp);
      if (whole !== null && isThere(whole)) read.add(capp);
    }
    return capps.filter((capp) => knownOf(capp) ?? read.has(capp));
  };
}

/** Only its spec can change whether it is there: one that leaves a site is there until it has left. */
function isLasting({ spec, status }: Capp, site: string): boolean {
  return spec?.site !== undefined && (spec.site === site || !sitesOf(status).includes(site));
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
