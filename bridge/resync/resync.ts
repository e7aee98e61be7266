// The resync behind the watches: compares workflows and works with Capps, and rings for whatever was missed.
import type { Client } from '@temporalio/client';
import { CAPP_UID } from '../../crds/labels.ts';
import type { Cause } from '../../workflows/types/ring.ts';
import { CAPP_WORKFLOW, cappOfWorkflowId, cappWorkflowId } from '../../workflows/names.ts';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { versionsFor } from '../changes/beside.ts';
import { isReady, isUnseen, isUnsettled } from '../changes/causes.ts';
import { isAsked, isMisplaced } from './misplaced.ts';
import { hasStray, leftBy } from './own-works.ts';
import type { Call, Ringer } from '../ringer.ts';
import { isStale } from './stale.ts';
import type { Watched } from '../changes/watched.ts';
import { BRIDGE_TIMES } from '../times.ts';

/**
 * Rings every Capp that is not Ready: what it waits for may have come while no bridge watched. Takes synced
 * caches.
 */
export function ringForUnready(watched: Watched, ringer: Ringer): void {
  for (const capp of watched.capps.list())
    if (!isReady(capp)) ringer.ring({ ...callFor(watched, capp, 'spec'), yields: !isUnseen(capp) });
}

/**
 * Rings every Capp that may have to move, was asked to, or says that it waits to: what it waits for may have
 * come while no bridge watched, and then it has no reason left. Takes synced caches.
 */
export function ringForMisplaced(watched: Watched, ringer: Ringer): void {
  for (const capp of watched.capps.list()) {
    if (isMisplaced(watched, capp) || isUnsettled(capp))
      ringer.ring({ ...callFor(watched, capp, 'decision'), yields: true });
    if (isAsked(capp)) ringer.ring(callFor(watched, capp, 'request'));
  }
}

/** Rings every Capp whose work is outdated, and works of ours whose Capp is gone. Takes synced caches. */
export function ringForStale(watched: Watched, ringer: Ringer): void {
  for (const capp of watched.capps.list()) {
    if (isStale(watched, capp)) ringer.ring({ ...callFor(watched, capp, 'spec'), yields: !isUnseen(capp) });
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

/**
 * Returns a resync to repeat: it starts the workflow of every Capp that has none, and rings workflows whose
 * Capp is gone. The resync throws what the Temporal client throws.
 */
export function workflowResync(
  client: Pick<Client, 'workflow'>,
  watched: Watched,
  ringer: Ringer,
): () => Promise<void> {
  const rang = new Map<string, number>();
  return async () => {
    const now = Date.now();
    const running = new Set<string>();
    for await (const { workflowId } of client.workflow.list({
      query: `WorkflowType = '${CAPP_WORKFLOW}' AND ExecutionStatus = 'Running'`,
    })) {
      running.add(workflowId);
      const owner = cappOfWorkflowId(workflowId);
      if (
        owner === null ||
        watched.capps.get(owner) !== undefined ||
        now - (rang.get(workflowId) ?? 0) < BRIDGE_TIMES.goneCapp.ms
      )
        continue;
      rang.set(workflowId, now);
      ringer.ring({ ...owner, cause: 'meta', changed: null, uid: null, yields: true });
    }
    for (const workflowId of rang.keys()) if (!running.has(workflowId)) rang.delete(workflowId);
    for (const capp of watched.capps.list()) {
      const { namespace = '', name, creationTimestamp } = capp.metadata;
      const isNewborn =
        creationTimestamp !== undefined && now - Date.parse(creationTimestamp) < BRIDGE_TIMES.newCapp.ms;
      if (!isNewborn && !running.has(cappWorkflowId(namespace, name)))
        ringer.ring({ ...callFor(watched, capp, 'spec'), yields: !isUnseen(capp) });
    }
  };
}

/** Asks for caches as new as what was seen here: one that lacks an edit finds nothing to do. */
function callFor(watched: Watched, capp: Capp, cause: Cause): Call {
  const { namespace = '', name, uid = '', resourceVersion = '' } = capp.metadata;
  const changed = { kind: CAPP.kind, resourceVersion };
  return { namespace, name, cause, changed, uid, beside: versionsFor(watched, capp, cause) };
}
