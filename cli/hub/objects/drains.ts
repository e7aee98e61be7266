// Reads and writes the Drain of a site.
import { DRAIN, isForOneAnswer, type Drain, type DrainSpec } from '../../../crds/drain/drain.ts';
import { isSettledDrain } from '../../../crds/drain/status.ts';
import { ENDS_AFTER } from '../../../crds/labels.ts';
import { LOCAL_CLUSTER, MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { serves } from '../../../kube/discovery.ts';
import { isForbidden, retryOnConflict } from '../../../kube/failure.ts';
import { viewOf, type DrainView } from '../../explain/drain.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/** Null if there is none. Throws ApiError, and CommandFailure if the hub does not know Drains. */
export async function readDrain(
  { kube, server, context }: ConnectedHub,
  site: string,
): Promise<Drain | null> {
  const found = await kube.get<Drain>(DRAIN, { namespace: null, name: site });
  if (found !== null || (await serves(kube, DRAIN))) return found;
  throw new CommandFailure(
    'notFound',
    `The hub at ${server} (context ${context}) does not know Drains. Choose the hub with --context, or upgrade Cappstan there.`,
  );
}

export function drainView(drain: Drain): DrainView {
  return viewOf(drain, isSettledDrain(drain));
}

/** Throws CommandFailure for what is no site. Who may not read ManagedClusters may name any site. */
export async function checkSite({ kube }: ConnectedHub, site: string): Promise<void> {
  if (site === LOCAL_CLUSTER)
    throw new CommandFailure('usage', `${site} is the hub itself, which runs no Capps.`);
  const found = await kube
    .getMetadata(MANAGED_CLUSTER, { namespace: null, name: site })
    .catch((error: unknown) => {
      if (isForbidden(error)) return undefined;
      throw error;
    });
  if (found === null)
    throw new CommandFailure(
      'notFound',
      `There is no site ${site}. See which there are: kubectl capp sites.`,
    );
}

/**
 * `lastsSeconds`: only for one answer, and the hub deletes it after that time, should this process be killed.
 * Throws ApiError: AlreadyExists if somebody else was faster.
 */
export async function createDrain(
  { kube }: ConnectedHub,
  site: string,
  spec: Partial<DrainSpec>,
  lastsSeconds?: number,
): Promise<Drain> {
  const { apiVersion, kind } = DRAIN;
  const annotations = lastsSeconds === undefined ? {} : { [ENDS_AFTER]: String(lastsSeconds) };
  return kube.create<Drain>(
    DRAIN,
    { apiVersion, kind, metadata: { name: site, annotations }, spec: spec as DrainSpec },
    { fieldManager: 'kubectl-capp' },
  );
}

/**
 * What a killed command has left of an answer is deleted: that answer is old. Gives the Drain that is there
 * now, such as one that somebody has made a drain of meanwhile; null: there is none. Throws ApiError.
 */
export async function withoutOldAnswer(
  hub: ConnectedHub,
  found: Drain | null,
  isAnswered: (drain: Drain) => boolean,
): Promise<Drain | null> {
  if (found === null || !isForOneAnswer(found) || !isAnswered(found)) return found;
  await deleteAnswer(hub, found);
  return readDrain(hub, found.metadata.name);
}

/**
 * Deletes what was made for one answer, and nothing that it has become since: a drain that somebody has made
 * of it stays, and so does another Drain of that name. A repeat changes nothing. Throws ApiError.
 */
export async function deleteAnswer(
  { kube }: ConnectedHub,
  { metadata: { name, uid } }: Drain,
): Promise<void> {
  const key = { namespace: null, name };
  await retryOnConflict(async () => {
    const found = await kube.get<Drain>(DRAIN, key);
    if (found === null || found.metadata.uid !== uid || !isForOneAnswer(found)) return;
    const { resourceVersion = '' } = found.metadata;
    await kube.remove(DRAIN, key, { ...(uid === undefined ? {} : { uid }), resourceVersion });
  });
}

/**
 * Changes exactly the Drain that was read; a repeat changes nothing. Throws ApiError, a Conflict for another
 * one.
 */
export async function changeDrain(
  { kube }: ConnectedHub,
  { metadata: { name, uid } }: Drain,
  spec: Partial<DrainSpec>,
): Promise<Drain> {
  // What was for one answer stays from now on.
  const body = { metadata: { uid, annotations: { [ENDS_AFTER]: null } }, spec };
  return kube.patch<Drain>(DRAIN, { namespace: null, name }, body, { fieldManager: 'kubectl-capp' });
}

/** Deletes exactly the Drain that was read; false if it was gone. Throws ApiError. */
export async function deleteDrain(
  { kube }: ConnectedHub,
  { metadata: { name, uid } }: Drain,
): Promise<boolean> {
  return kube.remove(DRAIN, { namespace: null, name }, uid === undefined ? {} : { uid });
}
