// Reads Capps of the hub, and writes the annotations by which a person asks for something.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { requestedBy, ROLLOUT } from '../../crds/labels.ts';
import { serves } from '../../kube/discovery.ts';
import type { Key } from '../../kube/resource.ts';
import { CommandFailure } from '../exit.ts';
import type { Hub } from './hub.ts';
import { notServed } from './sentences.ts';

/** `name`, `capp/name` or `namespace/name`. Throws CommandFailure for anything else. */
export function keyFrom(text: string, namespace: string): Key & { readonly namespace: string } {
  const [, first, name] = /^(?:([^/\s]+)\/)?([^/\s]+)$/.exec(text) ?? [];
  if (name === undefined)
    throw new CommandFailure('usage', `"${text}" names no Capp: write <name>, or <namespace>/<name>.`);
  return { namespace: first === undefined || /^capps?$/i.test(first) ? namespace : first, name };
}

/** Throws CommandFailure when there is no such Capp, ApiError when it cannot be read. */
export async function readCapp(hub: Hub, text: string): Promise<Capp> {
  const key = keyFrom(text, hub.namespace);
  const found = await hub.kube.get<Capp>(CAPP, key);
  if (found !== null && isCopy(found)) throw onSite(hub);
  if (found !== null) return found;
  throw await missing(hub, key);
}

async function missing(hub: Hub, { namespace, name }: Key): Promise<CommandFailure> {
  if (!(await serves(hub.kube, CAPP))) return notServed(hub);
  return new CommandFailure(
    'notFound',
    `There is no Capp ${name} in namespace ${namespace}. See what is there: kubectl capp list -n ${namespace}.`,
  );
}

/** What a hub has shipped: on a site nobody asks for anything. */
function isCopy({ metadata }: Capp): boolean {
  return metadata.annotations?.[ROLLOUT] !== undefined;
}

function onSite({ server, context }: Hub): CommandFailure {
  return new CommandFailure(
    'notFound',
    `The cluster at ${server} (context ${context}) is a site: its Capps are copies of the hub's. Choose the hub with --context.`,
  );
}

/** Sorted by namespace and name. Throws ApiError, and CommandFailure on a site, where all of them are copies. */
export async function listCapps(hub: Hub, namespace: string | null): Promise<Capp[]> {
  const { items } = await hub.kube.list<Capp>(CAPP, namespace === null ? {} : { namespace });
  if (items.length > 0 && items.every(isCopy)) throw onSite(hub);
  const order = ({ metadata }: Capp): string => `${metadata.namespace}/${metadata.name}`;
  return items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

/**
 * Writes annotations on exactly the Capp that was read; null removes one. The name of whoever asked for the same before
 * goes with it: while no webhook answers, nobody else's name may stand there. A repeat changes nothing. Throws ApiError,
 * a Conflict if another Capp of that name is there now.
 */
export async function annotate(
  hub: Hub,
  { metadata }: Capp,
  annotations: Readonly<Record<string, string | null>>,
): Promise<Capp> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  const stale = Object.keys(annotations)
    .map(requestedBy)
    .filter((by) => metadata.annotations?.[by] !== undefined);
  const all = { ...annotations, ...Object.fromEntries(stale.map((by) => [by, null])) };
  return hub.kube.patch<Capp>(
    CAPP,
    key,
    { metadata: { uid: metadata.uid, annotations: all } },
    { fieldManager: 'kubectl-capp' },
  );
}
