// Keeps a workflow for each CappSet: rings `cappset/<namespace>/<name>` when the set, its sites or its Capps
// change, and starts it if it does not run. The workflow looks for itself at what has changed.
import type { Client } from '@temporalio/client';
import { CAPP_SET, type CappSet } from '../../crds/set/cappset.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import { ring } from '../../workflows/messages.ts';
import { HUB_QUEUE, SET_WORKFLOW, setOfWorkflowId, setWorkflowId } from '../../workflows/names.ts';
import { initialSetState } from '../../workflows/set/state.ts';
import type { Ring } from '../../workflows/types/ring.ts';
import { rings, type Changed } from '../rings.ts';
import { BRIDGE_TIMES } from '../times.ts';
import { listenForSets, type SetsWatched } from './listen.ts';

export interface KeptSets {
  /**
   * Starts missing workflows, as after a loss of Temporal's data, and rings those whose set is gone. Takes
   * synced caches. Throws what the Temporal client throws.
   */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

export function keepSets(
  client: Pick<Client, 'workflow'>,
  watched: SetsWatched,
  onError: (set: string, error: unknown) => void,
): KeptSets {
  const { call: ringFor, stop } = rings((key, changed) => send(client, key, changed), onError);
  const call = (set: CappSet, changed: KubeObject | null, kind: string | null, patienceMs = 0): void => {
    const version = changed?.metadata.resourceVersion;
    const asked = kind === null || version === undefined ? {} : { [kind]: version };
    ringFor(keyTextOf(set), asked, patienceMs);
  };
  const end = listenForSets(watched, call);
  return {
    compare: () => compare(client, watched, call),
    stop: () => {
      end();
      return stop();
    },
  };
}

async function compare(
  client: Pick<Client, 'workflow'>,
  { sets }: Pick<SetsWatched, 'sets'>,
  call: (set: CappSet, changed: null, kind: null) => void,
): Promise<void> {
  const running = new Set<string>();
  const now = Date.now();
  for await (const { workflowId } of client.workflow.list({
    query: `WorkflowType = '${SET_WORKFLOW}' AND ExecutionStatus = 'Running'`,
  })) {
    running.add(workflowId);
    const key = setOfWorkflowId(workflowId);
    // It looks once more, finds no set, and ends.
    if (key !== null && sets.get(key) === undefined)
      await client.workflow
        .getHandle(workflowId)
        .signal(ring, LOOK)
        .catch(() => undefined);
  }
  for (const set of sets.list()) {
    const { namespace = '', name, creationTimestamp = '' } = set.metadata;
    // Visibility may not show a workflow yet that was started a moment ago.
    const isNewborn = now - Date.parse(creationTimestamp) < BRIDGE_TIMES.newCapp.ms;
    if (!isNewborn && !running.has(setWorkflowId(namespace, name))) call(set, null, null);
  }
}

const LOOK: Ring = { causes: ['resync'], minimumVersions: {} };

async function send(client: Pick<Client, 'workflow'>, key: string, minimumVersions: Changed): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  await client.workflow.signalWithStart(SET_WORKFLOW, {
    workflowId: setWorkflowId(namespace, name),
    taskQueue: HUB_QUEUE,
    args: [initialSetState({ namespace, name })],
    signal: ring,
    signalArgs: [{ causes: ['spec'], minimumVersions }],
    staticSummary: `${CAPP_SET.kind} ${key}`,
  });
}
