// Finds what a person means by a name: a Capp, a CappSet or a Bundle.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { CommandFailure } from '../../exit.ts';
import { findCapp, keyFrom, kindIn, missingCapp } from './capps.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { readIfAny } from './if-any.ts';
import { readSet } from './sets.ts';

export type NamedObject =
  | { readonly is: 'Capp'; readonly object: Capp }
  | { readonly is: 'CappSet'; readonly object: CappSet }
  | { readonly is: 'Bundle'; readonly object: Bundle };

/**
 * `name` or `namespace/name` of a Capp, or else of a CappSet, or else of a Bundle; `capp/name`,
 * `cappset/name` and `bundle/name` are only of that kind. Throws CommandFailure when there is none, ApiError
 * when it cannot be read.
 */
export async function readNamed(hub: ConnectedHub, text: string): Promise<NamedObject> {
  const kind = kindIn(text, ['Capp', 'CappSet', 'Bundle']);
  if (kind === 'CappSet') return { is: kind, object: await readSet(hub, text) };
  if (kind === 'Bundle') return { is: kind, object: await readBundle(hub, text) };
  const capp = await findCapp(hub, text);
  if (capp !== null) return { is: 'Capp', object: capp };
  const other = kind === 'Capp' ? null : await readOther(hub, text);
  if (other === null) throw await missingCapp(hub, text);
  return other;
}

/** Null if there is none, or the person may not know. */
async function readOther(hub: ConnectedHub, text: string): Promise<NamedObject | null> {
  const key = keyFrom(text, hub.namespace);
  const set = await readIfAny<CappSet>(hub, CAPP_SET, key);
  if (set !== null) return { is: 'CappSet', object: set };
  const bundle = await readIfAny<Bundle>(hub, BUNDLE, key);
  return bundle === null ? null : { is: 'Bundle', object: bundle };
}

/** `bundle/name`. Throws CommandFailure when there is none, ApiError when it cannot be read. */
export async function readBundle(hub: ConnectedHub, text: string): Promise<Bundle> {
  const [, name] = /^[^/]+\/([^/\s]+)$/.exec(text) ?? [];
  if (name === undefined)
    throw new CommandFailure(
      'usage',
      `"${text}" names no Bundle: write bundle/<name>, and its namespace with -n.`,
    );
  const { namespace } = hub;
  const found = await hub.kube.get<Bundle>(BUNDLE, { namespace, name });
  if (found !== null) return found;
  throw new CommandFailure(
    'notFound',
    `There is no Bundle ${name} in namespace ${namespace}. See what is there: kubectl get bundles -n ${namespace}.`,
  );
}
