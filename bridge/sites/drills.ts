// Starts the workflow `drill/<cluster>` when the Drain of the cluster asks for a drill or is a dry run that
// has outlived its time, and rings it when that changes or is gone. The workflow reads for itself what it
// asks for.
import type { Client } from '@temporalio/client';
import { asksForDrill, isNewVersion, isOverdue, type Drain } from '../../crds/drain/drain.ts';
import { DRAIN_PRIORITY } from '../../workflows/drain/state.ts';
import { drainChanged } from '../../workflows/messages.ts';
import { clusterOfDrillWorkflowId, DRILL_WORKFLOW, drillWorkflowId } from '../../workflows/names.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { keep, type WorkflowKeeper, type WorkflowKind } from '../kept/keep.ts';

/**
 * Drills that nobody has carried out and that do not run are started, as after a loss of Temporal's data; and
 * those of Drains that are to be deleted.
 */
export function keepDrills(
  client: Pick<Client, 'workflow'>,
  { drains }: Pick<BridgeWatched, 'drains'>,
  onError: (cluster: string, error: unknown) => void,
): WorkflowKeeper {
  return keep(client, keptDrills(drains), (id, error) => onError(clusterOfDrillWorkflowId(id) ?? id, error));
}

function keptDrills(drains: BridgeWatched['drains']): WorkflowKind {
  const drainOf = (id: string): Drain | undefined =>
    drains.get({ namespace: null, name: clusterOfDrillWorkflowId(id) ?? '' });
  return {
    type: DRILL_WORKFLOW,
    earlierTypes: [],
    isOwn: (id) => clusterOfDrillWorkflowId(id) !== null,
    due: (running, isFirst) => {
      const asked = drains
        .list()
        .filter(isConcerned)
        .map(({ metadata }) => drillWorkflowId(metadata.name));
      // Its Drain may have changed or gone while no bridge watched.
      const left = isFirst ? [...running].filter((id) => !asked.includes(id)) : [];
      return [...left, ...asked.filter((id) => isFirst || !running.has(id))];
    },
    messageTo: (id) => {
      const drain = drainOf(id);
      const start =
        drain === undefined || !isConcerned(drain)
          ? null
          : { args: [], summary: `A drill of ${drain.metadata.name}`, priority: DRAIN_PRIORITY };
      return { signal: drainChanged.name, given: [], start };
    },
    listen: (call) =>
      drains.subscribe(({ type, object, previous }) => {
        const isNews = type !== 'Modified' || isNewVersion(previous, object);
        const concerns = asksForDrill(object) || (previous?.spec.rehearse ?? false) || object.spec.rehearse;
        if (isNews && concerns) call(drillWorkflowId(object.metadata.name), {});
      }),
  };
}

function isConcerned(drain: Drain): boolean {
  return asksForDrill(drain) || isOverdue(drain, Date.now());
}
