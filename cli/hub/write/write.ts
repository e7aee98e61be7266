// Creates and edits objects of the hub, or only asks whether it would take them.
import { isAlreadyExists, retryOnConflict } from '../../../kube/failure.ts';
import { pathOf, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { withKind } from '../../../kube/http/request.ts';
import { changesBetween } from '../../explain/changes.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/** `client`: nothing is sent. `server`: the hub checks it, and stores nothing. */
export type DryRun = 'client' | 'server' | null;

/**
 * Throws CommandFailure if there is one already; `instead` says what to do then. Throws ApiError for what
 * the hub refuses.
 */
export async function createObject<T extends KubeObject>(
  { kube }: ConnectedHub,
  resource: Resource,
  object: T,
  { dryRun, instead }: { readonly dryRun: DryRun; readonly instead: string },
): Promise<T> {
  if (dryRun === 'client') return object;
  const { namespace = '', name } = object.metadata;
  try {
    const path = `${pathOf(resource, { namespace, name: null })}${queryFor(dryRun)}`;
    const { keepsDigits } = resource;
    return (await kube.raw('POST', path, { body: withKind(resource, object), keepsDigits })) as T;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    throw new CommandFailure(
      'failed',
      `There is a ${resource.kind} ${name} in namespace ${namespace} already. ${instead}`,
    );
  }
}

export interface Edited<T> {
  readonly before: T;
  readonly after: T;
  /** Something is different, so it was written, or would be. */
  readonly isChanged: boolean;
}

/**
 * Replaces exactly the object that `read` gives, and looks again if somebody has changed it meanwhile. What
 * is as it should be is not written. Throws what `read` and `change` throw, and ApiError.
 */
export async function editObject<T extends KubeObject>(
  { kube }: ConnectedHub,
  resource: Resource,
  { read, change, dryRun }: { read(): Promise<T>; change(object: T): T; readonly dryRun: DryRun },
): Promise<Edited<T>> {
  return retryOnConflict(async () => {
    const before = await read();
    const wanted = change(before);
    const isChanged = changesBetween(before, wanted).length > 0;
    if (!isChanged || dryRun === 'client') return { before, after: wanted, isChanged };
    const { namespace = '', name } = before.metadata;
    const path = `${pathOf(resource, { namespace, name })}${queryFor(dryRun)}`;
    const { keepsDigits } = resource;
    const after = (await kube.raw('PUT', path, { body: withKind(resource, wanted), keepsDigits })) as T;
    return { before, after, isChanged };
  });
}

/** As kubectl does: a field that the hub does not know is refused, and not dropped without a word. */
function queryFor(dryRun: DryRun): string {
  return `?fieldManager=kubectl-capp&fieldValidation=Strict${dryRun === null ? '' : '&dryRun=All'}`;
}
