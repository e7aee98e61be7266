// Reads CappSets of the hub and their revisions, and gives a set an earlier template.
import { SET } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { SET_REVISION_KIND, type SetRevision } from '../../../crds/set/set-revision.ts';
import { pathOf, type KubeObject } from '../../../kube/resource.ts';
import { isAtLeast } from '../../../kube/watch/cache.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { keyFrom } from './capps.ts';

/**
 * `name`, `cappset/name` or `namespace/name`. Throws CommandFailure when there is none, ApiError when it
 * cannot be read.
 */
export async function readSet(hub: ConnectedHub, text: string): Promise<CappSet> {
  const found = await findSet(hub, text);
  if (found !== null) return found;
  const { namespace, name } = keyFrom(text, hub.namespace, 'CappSet');
  throw new CommandFailure(
    'notFound',
    `There is no CappSet ${name} in namespace ${namespace}. See what is there: kubectl get cappsets -n ${namespace}.`,
  );
}

/** Null if there is none. Throws CommandFailure for what is no name, ApiError when it cannot be read. */
export async function findSet({ kube, namespace }: ConnectedHub, text: string): Promise<CappSet | null> {
  return kube.get<CappSet>(CAPP_SET, keyFrom(text, namespace, 'CappSet'));
}

/** Newest first, without those of an earlier set of the same name. Throws ApiError. */
export async function revisionsOfSet({ kube }: ConnectedHub, set: CappSet): Promise<SetRevision[]> {
  const { namespace = '', name } = set.metadata;
  const labelSelector = `${SET}=${name}`;
  const { items } = await kube.list<SetRevision>(SET_REVISION_KIND, { namespace, labelSelector });
  return ownRevisions(items, set);
}

/** Newest first, without those of an earlier object of the same name. */
export function ownRevisions<T extends KubeObject>(all: readonly T[], { metadata }: KubeObject): T[] {
  return all
    .filter((one) => one.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true)
    .toSorted(byAge);
}

/** A time has whole seconds, and what is never written again has the version of its creation. */
function byAge({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  const [made, other] = [a.creationTimestamp ?? '', b.creationTimestamp ?? ''];
  if (made !== other) return made < other ? 1 : -1;
  return isAtLeast(a.resourceVersion ?? '', b.resourceVersion ?? '') ? -1 : 1;
}

/** The set with the template and the overrides of a revision. */
export function withPattern(set: CappSet, { spec: { template, overrides } }: SetRevision): CappSet {
  const { overrides: _before, ...rest } = set.spec;
  return { ...set, spec: { ...rest, template, ...(overrides === undefined ? {} : { overrides }) } };
}

/**
 * Replaces exactly the set that was read. A repeat changes nothing. Throws ApiError, a Conflict if it has
 * changed since.
 */
export async function writeSet({ kube }: ConnectedHub, set: CappSet): Promise<void> {
  const { namespace = '', name } = set.metadata;
  const path = pathOf(CAPP_SET, { namespace, name });
  await kube.raw('PUT', `${path}?fieldManager=kubectl-capp`, { body: set });
}
