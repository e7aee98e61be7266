// Reads Capps of the hub, and writes their annotations.
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import type { Key } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import { annotateObject } from '../write/annotate.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { elsewhere, onSite } from '../connection/elsewhere.ts';
import { namespacesWith, readIfAny } from './if-any.ts';

/** `name`, `<kind>/name` or `namespace/name`. Throws CommandFailure for anything else. */
export function keyFrom(
  text: string,
  namespace: string,
  kind: 'Capp' | 'CappSet' = 'Capp',
): Key & { readonly namespace: string } {
  const [, first, name] = /^(?:([^/\s]+)\/)?([^/\s]+)$/.exec(text) ?? [];
  if (name === undefined)
    throw new CommandFailure('usage', `"${text}" names no ${kind}: write <name>, or <namespace>/<name>.`);
  return { namespace: first === undefined || kindIn(text, [kind]) !== null ? namespace : first, name };
}

/** The one of these kinds that stands before a name, as in `bundle/shop`; null where none does. */
export function kindIn<K extends string>(text: string, kinds: readonly K[]): K | null {
  return kinds.find((kind) => new RegExp(`^${kind}s?/`, 'i').test(text)) ?? null;
}

/** Throws CommandFailure when there is no such Capp, ApiError when it cannot be read. */
export async function readCapp(hub: ConnectedHub, text: string): Promise<Capp> {
  const found = await findCapp(hub, text);
  if (found === null) throw await missingCapp(hub, text);
  return found;
}

/** Null if there is none. Throws CommandFailure on a site, ApiError when it cannot be read. */
export async function findCapp(hub: ConnectedHub, text: string): Promise<Capp | null> {
  const found = await hub.kube.get<Capp>(CAPP, keyFrom(text, hub.namespace));
  if (found !== null && isCopy(found)) throw onSite(hub, COPIES);
  return found;
}

/** Says what has the name instead, or where there is such a Capp, as far as the person may know. */
export async function missingCapp(hub: ConnectedHub, text: string): Promise<CommandFailure> {
  const { namespace, name } = keyFrom(text, hub.namespace);
  const here = `There is no Capp ${name} in namespace ${namespace}`;
  for (const resource of [CAPP_SET, BUNDLE])
    if ((await readIfAny(hub, resource, { namespace, name })) !== null)
      return new CommandFailure(
        'notFound',
        `${here}, but a ${resource.kind}: kubectl capp rollout --help says what can be asked of that.`,
      );
  const [other, ...more] = await namespacesWith(hub, CAPP, name);
  if (other === undefined)
    return new CommandFailure('notFound', `${here}. See what is there: kubectl capp list -n ${namespace}.`);
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  return new CommandFailure('notFound', `${here}, but one in ${other}${others}: write ${other}/${name}.`);
}

const COPIES = "its Capps are copies of the hub's";

/** What a hub has shipped: on a site nobody asks for anything. */
function isCopy({ metadata }: Capp): boolean {
  return metadata.annotations?.[ROLLOUT] !== undefined;
}

/**
 * Sorted by namespace and name. Throws ApiError, and CommandFailure on a site, where there are none but
 * copies.
 */
export async function listCapps(
  hub: ConnectedHub,
  namespace: string | null,
  labelSelector?: string,
): Promise<Capp[]> {
  const { items } = await hub.kube.list<Capp>(CAPP, {
    ...(namespace === null ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  });
  if (items.length > 0 && items.every(isCopy)) throw onSite(hub, COPIES);
  const wrong = items.length === 0 ? await elsewhere(hub) : null;
  if (wrong !== null) throw wrong;
  const order = ({ metadata }: Capp): string => `${metadata.namespace}/${metadata.name}`;
  return items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** As `annotateObject`. */
export function annotate(
  hub: ConnectedHub,
  capp: Capp,
  annotations: Readonly<Record<string, string | null>>,
): Promise<Capp> {
  return annotateObject(hub, CAPP, capp, annotations);
}
