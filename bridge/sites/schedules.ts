// Keeps the Schedules of each managed cluster with our agent: one measures its score, one keeps the agent's
// identity.
import { createHash } from 'node:crypto';
import {
  type Client,
  type ScheduleOptions,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { ADD_ON } from '../../crds/ocm/add-on.ts';
import { keyedQueue } from '../../kube/queue.ts';
import {
  clusterOfScheduleId,
  HUB_QUEUE,
  IDENTITY_WORKFLOW,
  SCORE_WORKFLOW,
  scheduleId,
  type Scheduled,
} from '../../workflows/names.ts';
import { isMember } from '../../crds/ocm/ocm.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { BRIDGE_TIMES } from '../times.ts';

export interface SchedulesOptions {
  readonly client: Pick<Client, 'schedule'>;
  readonly watched: Pick<BridgeWatched, 'clusters' | 'agents'>;
  /** Seconds between two runs for a cluster; 0 for none at all. */
  readonly intervals: Readonly<Record<Scheduled, number>>;
  readonly onError: (schedule: string, error: unknown) => void;
}

/** What a run of each kind does: its workflow, and how the Temporal UI calls it. */
const RUNS: Readonly<Record<Scheduled, { readonly workflow: string; readonly summary: string }>> = {
  score: { workflow: SCORE_WORKFLOW, summary: 'Score' },
  identity: { workflow: IDENTITY_WORKFLOW, summary: 'Identity of the agent' },
};

export interface Schedules {
  /**
   * Creates missing Schedules, changes their interval, deletes unneeded ones. Takes synced caches. Throws
   * what the Temporal client throws.
   */
  ensureAll(): Promise<void>;
  stop(): Promise<void>;
}

const KINDS: readonly Scheduled[] = ['score', 'identity'];

export function keepSchedules({ client, watched, intervals, onError }: SchedulesOptions): Schedules {
  const wantedOf = (id: string): Wanted | null => {
    const of = scheduledBy(id);
    if (of === null || intervals[of.what] === 0 || !hasAgent(watched, of.cluster)) return null;
    return { ...of, intervalSeconds: intervals[of.what] };
  };
  const queue = keyedQueue({
    concurrency: 4,
    onError,
    work: (id) => {
      const wanted = wantedOf(id);
      return wanted === null ? remove(client, id) : ensure(client, wanted);
    },
  });
  const look = (cluster: string): void => {
    for (const what of KINDS) queue.add(scheduleId(what, cluster));
  };
  const ends = [
    watched.clusters.subscribe(({ type, object, previous }) => {
      if (type !== 'Modified' || isMember(previous ?? undefined) !== isMember(object))
        look(object.metadata.name);
    }),
    watched.agents.subscribe(({ type, object }) => {
      if (type !== 'Modified' || object.metadata.deletionTimestamp !== undefined)
        look(object.metadata.namespace ?? '');
    }),
  ];
  return {
    ensureAll: async () => {
      const missing = new Set(
        watched.agents
          .list()
          .flatMap(({ metadata: { namespace = '' } }) => KINDS.map((what) => scheduleId(what, namespace))),
      );
      for await (const { scheduleId: id, spec } of client.schedule.list()) {
        if (scheduledBy(id) === null) continue;
        missing.delete(id);
        const wanted = wantedOf(id);
        if (wanted === null || !runsAt(spec, turnOf(wanted.cluster, wanted.intervalSeconds))) queue.add(id);
      }
      for (const id of missing) if (wantedOf(id) !== null) queue.add(id);
    },
    stop: () => {
      for (const end of ends) end();
      return queue.stop();
    },
  };
}

/** What a Schedule of ours is for; null for any other. */
function scheduledBy(id: string): Pick<Wanted, 'what' | 'cluster'> | null {
  for (const what of KINDS) {
    const cluster = clusterOfScheduleId(what, id);
    if (cluster !== null) return { what, cluster };
  }
  return null;
}

function hasAgent(
  { clusters, agents }: Pick<BridgeWatched, 'clusters' | 'agents'>,
  cluster: string,
): boolean {
  const agent = agents.get({ namespace: cluster, name: ADD_ON });
  return (
    agent !== undefined &&
    agent.metadata.deletionTimestamp === undefined &&
    isMember(clusters.get({ namespace: null, name: cluster }))
  );
}

interface Wanted {
  readonly what: Scheduled;
  readonly cluster: string;
  readonly intervalSeconds: number;
}

function scheduleOf({ what, cluster, intervalSeconds }: Wanted) {
  return {
    spec: {
      intervals: [turnOf(cluster, intervalSeconds)],
    },
    action: {
      type: 'startWorkflow',
      workflowType: RUNS[what].workflow,
      workflowId: scheduleId(what, cluster),
      taskQueue: HUB_QUEUE,
      args: [{ cluster, intervalSeconds }],
      workflowRunTimeout: BRIDGE_TIMES.scheduleRun.ms,
      staticSummary: `${RUNS[what].summary} of ${cluster}`,
    },
  } as const satisfies Pick<ScheduleOptions, 'spec' | 'action'>;
}

/**
 * The first run is at once. An existing Schedule keeps what a person changed, such as a pause; only its
 * turn is set.
 */
async function ensure(client: Pick<Client, 'schedule'>, wanted: Wanted): Promise<void> {
  const id = scheduleId(wanted.what, wanted.cluster);
  const { spec, action } = scheduleOf(wanted);
  const policies = { overlap: 'SKIP', catchupWindow: BRIDGE_TIMES.scheduleCatchUp.ms } as const;
  try {
    await client.schedule.create({
      scheduleId: id,
      spec,
      action,
      policies,
      state: { triggerImmediately: true },
    });
    return;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = client.schedule.getHandle(id);
  const found = await handle.describe();
  if (runsAt(found.spec, turnOf(wanted.cluster, wanted.intervalSeconds))) return;
  await handle.update((previous) => ({
    ...previous,
    spec: { ...previous.spec, ...spec },
    action: { ...previous.action, args: action.args },
  }));
}

interface Turn {
  /** Milliseconds between two runs. */
  readonly every: number;
  /** Milliseconds after the beginning of each interval. */
  readonly offset: number;
}

/** Each cluster has a second of the interval to itself, as far as they go: not all run at once. */
function turnOf(cluster: string, intervalSeconds: number): Turn {
  const number = createHash('sha256').update(cluster).digest().readUInt32BE();
  return { every: intervalSeconds * 1000, offset: (number % intervalSeconds) * 1000 };
}

function runsAt(spec: { readonly intervals?: readonly Turn[] } | undefined, turn: Turn): boolean {
  const [found, ...others] = spec?.intervals ?? [];
  return others.length === 0 && found?.every === turn.every && found.offset === turn.offset;
}

async function remove(client: Pick<Client, 'schedule'>, id: string): Promise<void> {
  try {
    await client.schedule.getHandle(id).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
