// Keeps a workflow for each cluster that joins: rings it when the cluster, a certificate request under its
// name, its token or its add-on changes, and starts it if there is something to accept.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { boundOf, tokenKey } from '../../crds/join/bootstrap-token.ts';
import { CLUSTER_NAME, clusterAskedFor, SIGNING_REQUEST } from '../../crds/join/signing-request.ts';
import { JOIN_TOKEN } from '../../crds/labels.ts';
import { isMember } from '../../crds/ocm/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { cache, withoutManagedFields, type Cache, type OnProblem } from '../../kube/watch/cache.ts';
import { rungFor } from '../../workflows/types/ring.ts';
import { ring as ringSignal } from '../../workflows/messages.ts';
import { clusterOfJoinWorkflowId, HUB_QUEUE, JOIN_WORKFLOW, joinWorkflowId } from '../../workflows/names.ts';
import type { Watched } from '../changes/watched.ts';
import { rings } from '../rings.ts';

export interface Joins {
  /**
   * Starts missing workflows, as after a loss of Temporal's data, and rings those whose cluster is gone. At
   * its first call it rings those that run, too: somebody may have asked while no bridge watched. Takes
   * synced caches. Throws what the Temporal client throws.
   */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

export type JoinsWatched = Pick<Watched, 'clusters' | 'agents' | 'secrets'> & {
  readonly requests: Pick<Cache<KubeObject>, 'list' | 'subscribe'>;
};

/** Of requests the bridge asks for metadata only: it decides nothing. */
export function watchRequests(kube: Kube, onProblem: OnProblem): Cache<KubeObject> {
  return cache<KubeObject>(kube, {
    resource: SIGNING_REQUEST,
    labelSelector: CLUSTER_NAME,
    metadataOnly: true,
    transform: withoutManagedFields,
    onProblem: (error) => onProblem(SIGNING_REQUEST.kind, error),
  });
}

export function keepJoins(
  client: Pick<Client, 'workflow'>,
  watched: JoinsWatched,
  onError: (cluster: string, error: unknown) => void,
): Joins {
  const { call, stop } = rings((cluster) => send(client, cluster, isJoining(watched, cluster)), onError);
  const ends = listenTo(watched, (cluster) => call(cluster, {}));
  let isFirst = true;
  return {
    compare: async () => {
      const running = await runningIn(client);
      const names = new Set(watched.clusters.list().map(({ metadata }) => metadata.name));
      const left = [...running].filter((cluster) => isFirst || !names.has(cluster));
      isFirst = false;
      const missing = [...names].filter((cluster) => !running.has(cluster) && isJoining(watched, cluster));
      for (const cluster of [...left, ...missing]) call(cluster, {});
    },
    stop: () => {
      for (const end of ends) end();
      return stop();
    },
  };
}

function listenTo(
  { clusters, agents, secrets, requests }: JoinsWatched,
  call: (cluster: string) => void,
): (() => void)[] {
  return [
    clusters.subscribe(({ object }) => call(object.metadata.name)),
    agents.subscribe(({ object, initial }) => {
      if (!initial) call(object.metadata.namespace ?? '');
    }),
    secrets.subscribe(({ object, previous, initial }) => {
      for (const one of initial ? [] : [object, ...(previous === null ? [] : [previous])]) {
        const bound = boundOf(one);
        if (bound !== null) call(bound.cluster);
      }
    }),
    requests.subscribe(({ object, initial }) => {
      const cluster = initial ? null : clusterAskedFor(object);
      if (cluster !== null) call(cluster);
    }),
  ];
}

/** There is something to accept: the cluster, or who comes with a token for it. */
function isJoining({ clusters, secrets }: JoinsWatched, cluster: string): boolean {
  const known = clusters.get({ namespace: null, name: cluster });
  if (known === undefined) return false;
  const token = secrets.get(tokenKey(known.metadata.annotations?.[JOIN_TOKEN] ?? ''));
  return !isMember(known) || (token !== undefined && boundOf(token)?.cluster === cluster);
}

async function runningIn(client: Pick<Client, 'workflow'>): Promise<ReadonlySet<string>> {
  const running = new Set<string>();
  for await (const { workflowId } of client.workflow.list({
    query: `WorkflowType = '${JOIN_WORKFLOW}' AND ExecutionStatus = 'Running'`,
  })) {
    const cluster = clusterOfJoinWorkflowId(workflowId);
    if (cluster !== null) running.add(cluster);
  }
  return running;
}

/** One that has ended, since its cluster has joined, needs no ring. */
async function send(client: Pick<Client, 'workflow'>, cluster: string, starts: boolean): Promise<void> {
  const workflowId = joinWorkflowId(cluster);
  const news = rungFor('site');
  if (starts) {
    await client.workflow.signalWithStart(JOIN_WORKFLOW, {
      workflowId,
      taskQueue: HUB_QUEUE,
      args: [],
      signal: ringSignal,
      signalArgs: [news],
      staticSummary: `${cluster} joins`,
    });
    return;
  }
  try {
    await client.workflow.getHandle(workflowId).signal(ringSignal, news);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
