// Publishes by what the cache has of a Capp, where that is enough: the write names the version that the cache
// has, so it is made only if that is the Capp as it is.
import { HAS_PLACEMENT } from '../../../crds/labels.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { isConflict } from '../../../kube/failure.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { tryNumber } from '../../trying.ts';
import { movesOf } from '../audit/moves.ts';
import type { EventRecorder } from './events.ts';
import { happeningsOf, type CappTold } from './happenings.ts';
import { statusPatch } from './one-write.ts';
import { isPublishable, type PublishedSiteOptions } from './published-sites.ts';
import { isNewborn, isOvertaken, partsOf } from './status.ts';
import { writeStatus } from './write-status.ts';

/** Unless it is `Told`, nothing was written, and the Capp has to be read. */
export type ByCache =
  | { readonly is: 'Told' | 'Unread' }
  /** Somebody has written since the version that the cache has. */
  | { readonly is: 'Late'; readonly capp: Capp };

const UNREAD: ByCache = { is: 'Unread' };

/** A cache that is late gives a Conflict. That nothing differs is never told by a cache. Throws ApiError. */
export async function tellByCache(
  by: PublishedSiteOptions & { readonly kube: Kube; readonly events: EventRecorder },
  ref: CappRef,
  state: State,
  told: CappTold,
): Promise<ByCache> {
  const { kube, events, caches } = by;
  const capp = caches.capps.get(ref);
  // What an earlier try may have written the cache may not show yet.
  if (tryNumber() > 1 || capp === undefined || !isEnough(by, capp, ref, state)) return UNREAD;
  const verdicts = conditionsOf(state, told.at);
  // The cache keeps no decisions, and what goes into the audit is read live.
  if (told.record !== null || movesOf(capp, state, verdicts).length > 0) return UNREAD;
  const patch = statusPatch(capp, partsOf(capp, state, told), false);
  if (patch.length === 0) return UNREAD;
  try {
    await writeStatus(kube, capp, patch);
  } catch (error) {
    if (isConflict(error)) return { is: 'Late', capp };
    throw error;
  }
  for (const happening of happeningsOf(capp, state, told, verdicts)) events.note(capp, happening);
  return { is: 'Told' };
}

/** It has a status, which is not newer than this state, and nothing but its status has to be written. */
function isEnough(by: PublishedSiteOptions, capp: Capp, { uid }: CappRef, state: State): boolean {
  const { metadata, status } = capp;
  if (metadata.uid !== uid || (status?.conditions ?? []).length === 0) return false;
  const isNoted =
    metadata.deletionTimestamp !== undefined ||
    isNewborn(state) ||
    (metadata.annotations?.[HAS_PLACEMENT] ?? null) === state.serving;
  return isNoted && !isOvertaken(capp, state) && isPublishable(by, capp, state);
}
