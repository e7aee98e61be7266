// The resync behind the watches: compares works with Capps, and rings for whatever was missed.
import { CAPP_UID } from '../../crds/labels.ts';
import type { Cause } from '../../workflows/types/ring.ts';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { versionsFor } from '../changes/beside.ts';
import { isReady, isUnheeded, isUnsettled } from '../changes/causes.ts';
import { isAsked, isMisplaced } from './misplaced.ts';
import { hasStray, leftBy } from './own-works.ts';
import type { RingCall, Ringer } from '../ringer.ts';
import { isStale } from './stale.ts';
import type { BridgeWatched } from '../changes/watched.ts';

/**
 * Rings every Capp that is not Ready: what it waits for may have come while no bridge watched. Takes synced
 * caches.
 */
export function ringForUnready(watched: BridgeWatched, ringer: Ringer): void {
  for (const capp of watched.capps.list())
    if (!isReady(capp)) ringer.ring({ ...callFor(watched, capp, 'spec'), yields: !isUnheeded(capp) });
}

/**
 * Rings every Capp that may have to move, was asked to, or says that it waits to: what it waits for may have
 * come while no bridge watched, and then it has no reason left. Takes synced caches.
 */
export function ringForMisplaced(watched: BridgeWatched, ringer: Ringer): void {
  for (const capp of watched.capps.list()) {
    if (isMisplaced(watched, capp) || isUnsettled(capp))
      ringer.ring({ ...callFor(watched, capp, 'decision'), yields: true });
    if (isAsked(capp)) ringer.ring(callFor(watched, capp, 'request'));
  }
}

/** Rings every Capp whose work is outdated, and works of ours whose Capp is gone. Takes synced caches. */
export function ringForStale(watched: BridgeWatched, ringer: Ringer): void {
  for (const capp of watched.capps.list()) {
    if (isStale(watched, capp)) ringer.ring({ ...callFor(watched, capp, 'spec'), yields: !isUnheeded(capp) });
    if (hasStray(watched, capp)) ringer.ring({ ...callFor(watched, capp, 'stray'), yields: true });
  }
  for (const work of watched.works.list()) {
    const capp = leftBy(watched, work);
    if (capp !== null)
      ringer.ring({
        ...capp,
        cause: 'work',
        changed: null,
        uid: work.metadata.labels?.[CAPP_UID] ?? '',
        yields: true,
      });
  }
}

/** Asks for caches as new as what was seen here: one that lacks an edit finds nothing to do. */
export function callFor(watched: BridgeWatched, capp: Capp, cause: Cause): RingCall {
  const { namespace = '', name, uid = '', resourceVersion = '' } = capp.metadata;
  const changed = { kind: CAPP.kind, resourceVersion };
  return { namespace, name, cause, changed, uid, beside: versionsFor(watched, capp, cause) };
}
