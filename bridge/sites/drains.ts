// Rings the workflow `turns/<cluster>` when the Drain of the cluster changes or is gone, and starts it if the
// Drain asks for something. The workflow reads for itself what that is.
import type { Client } from '@temporalio/client';
import { isNewVersion, type Drain } from '../../crds/drain/drain.ts';
import { isSettledDrain } from '../../crds/drain/status.ts';
import { DRAIN_PRIORITY } from '../../workflows/drain/state.ts';
import { drainChanged } from '../../workflows/messages.ts';
import {
  clusterOfTurnsWorkflowId,
  EARLIER_DRAIN_WORKFLOWS,
  TURNS_WORKFLOW,
  turnsWorkflowId,
} from '../../workflows/names.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { keep, type WorkflowKeeper, type WorkflowKind, type Message } from '../kept/keep.ts';
import { BRIDGE_TIMES } from '../times.ts';

/**
 * Rings workflows that have not seen the newest generation of their Drain, or whose Drain is gone, and at the
 * first comparison those of all Drains that are under way.
 */
export function keepDrains(
  client: Pick<Client, 'workflow'>,
  { drains }: Pick<BridgeWatched, 'drains'>,
  onError: (cluster: string, error: unknown) => void,
): WorkflowKeeper {
  return keep(client, keptDrains(drains), (id, error) => onError(clusterOfTurnsWorkflowId(id) ?? id, error));
}

function keptDrains(drains: BridgeWatched['drains']): WorkflowKind {
  const drainOf = (id: string): Drain | undefined =>
    drains.get({ namespace: null, name: clusterOfTurnsWorkflowId(id) ?? '' });
  const seldom = ringSeldom();
  return {
    type: TURNS_WORKFLOW,
    earlierTypes: EARLIER_DRAIN_WORKFLOWS,
    isOwn: (id) => clusterOfTurnsWorkflowId(id) !== null,
    due: (running, isFirst) => {
      const left = seldom([...running].filter((id) => drainOf(id) === undefined));
      const asking = drains
        .list()
        .map((drain) => ({ drain, id: turnsWorkflowId(drain.metadata.name) }))
        .filter(({ drain, id }) => isDue(drain, running.has(id) && !isFirst));
      return [...left, ...asking.map(({ id }) => id)];
    },
    messageTo: (id) => {
      const drain = drainOf(id);
      const isOver = drain?.metadata.deletionTimestamp !== undefined || drain === undefined;
      return {
        signal: drainChanged.name,
        given: [],
        start: isOver || isSettledDrain(drain) ? null : startOf(drain),
      };
    },
    listen: (call) =>
      drains.subscribe(({ type, object, previous }) => {
        if (type !== 'Modified' || isNewVersion(previous, object))
          call(turnsWorkflowId(object.metadata.name), {});
      }),
  };
}

function startOf({ metadata: { name: cluster } }: Drain): Message['start'] {
  return { args: [{ cluster }], summary: `Turns to leave ${cluster}`, priority: DRAIN_PRIORITY };
}

/** Nobody has heeded it, or what it asks for is not done and nobody is known to do it. */
function isDue(drain: Drain, isCarriedOut: boolean): boolean {
  const isHeeded = drain.status?.observedGeneration === drain.metadata.generation;
  return !isHeeded || (!isSettledDrain(drain) && !isCarriedOut);
}

/**
 * Those without a Drain are rung at once and then seldom: their Drain may have been deleted while no bridge
 * watched, and most of them have never had one, since Capps began them. Gives those whose time has come.
 */
function ringSeldom(): (ids: readonly string[]) => readonly string[] {
  const rang = new Map<string, number>();
  return (ids) => {
    const now = Date.now();
    for (const id of rang.keys()) if (!ids.includes(id)) rang.delete(id);
    const due = ids.filter((id) => now - (rang.get(id) ?? 0) >= BRIDGE_TIMES.goneDrain.ms);
    for (const id of due) rang.set(id, now);
    return due;
  };
}
