// The agent's activity that measures its site: free capacity of the nodes, and custom scores.
import { ApplicationFailure } from '@temporalio/common';
import { NODE, POD, type Node, type Pod, type PodContainer } from '../../../crds/kubernetes/core.ts';
import { cache, type Cache } from '../../../kube/watch/cache.ts';
import type { Kube } from '../../../kube/client.ts';
import { unlessAborted, within } from '../../../kube/http/deadline.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Agent } from '../../../workflows/ports/agent.ts';
import { raising } from '../../raise.ts';
import { readExtras, type Extras, type OnSourceProblem } from './custom-scores.ts';
import { figuresOf, type ScoreBounds } from './figures.ts';
import { roomOf } from './room.ts';
import { AGENT_TIMES } from '../times.ts';

export interface Scoring {
  readonly bounds: ScoreBounds;
  readonly extras: Extras;
}

export interface MeasureOptions extends Scoring {
  readonly onProblem: OnSourceProblem;
  /** Whoever has made it stops it. */
  readonly nodes: Cache<Node>;
  /** Is called when the watch of pods has a problem. */
  readonly onWatchProblem: (error: unknown) => void;
}

export interface Measuring extends Pick<Agent, 'measure'> {
  /** Ends the watch of pods, if there was one. */
  stop(): Promise<void>;
}

interface Inventory {
  readonly nodes: Cache<Node>;
  readonly pods: Cache<Pod>;
}

/** The pods of a site without a score are not watched. */
export function agentMeasure(kube: Kube, options: MeasureOptions): Measuring {
  const { nodes } = options;
  let pods: Cache<Pod> | null = null;
  return {
    measure: () =>
      raising(async () => {
        pods ??= watchPods(kube, options.onWatchProblem);
        await listed({ nodes, pods });
        // Old data of the watches must not count as the present state of a site whose API server does not
        // answer.
        await kube.raw('GET', '/readyz', { deadlineMs: AGENT_TIMES.readyz.ms });
        const extras = await readExtras(kube, options.extras, options.onProblem);
        return { figures: [...figuresOf(roomOf(nodes.list(), pods.list()), options.bounds), ...extras] };
      }),
    stop: async () => {
      await pods?.stop();
    },
  };
}

async function listed({ nodes, pods }: Inventory): Promise<void> {
  try {
    await within({ deadlineMs: AGENT_TIMES.firstList.ms }, (signal) =>
      unlessAborted(signal, Promise.all([nodes.synced, pods.synced])),
    );
  } catch (cause) {
    throw ApplicationFailure.create({
      type: Failure.Unreachable,
      message: "The site's nodes and pods have not been listed yet",
      ...(cause instanceof Error ? { cause } : {}),
    });
  }
}

/** Filters finished pods, and pods without a node, on the server. */
function watchPods(kube: Kube, onProblem: (error: unknown) => void): Cache<Pod> {
  return cache<Pod>(kube, {
    resource: POD,
    fieldSelector: 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed',
    transform: leanPod,
    onProblem,
  });
}

/** What is measured and claimed of nodes. */
export function watchNodes(kube: Kube, onProblem: (error: unknown) => void): Cache<Node> {
  return cache<Node>(kube, { resource: NODE, transform: leanNode, onProblem });
}

/** A site has thousands of pods, so only what is counted stays in memory. */
export function leanPod({ metadata: { name, namespace = '' }, spec = {}, status }: Pod): Pod {
  const { nodeName = '', containers = [], initContainers = [], resources, overhead } = spec;
  return {
    metadata: { name, namespace },
    spec: {
      nodeName,
      containers: containers.map(requestsOnly),
      initContainers: initContainers.map(requestsOnly),
      ...(resources === undefined ? {} : { resources }),
      ...(overhead === undefined ? {} : { overhead }),
    },
    status: { phase: status?.phase ?? 'Unknown' },
  };
}

function requestsOnly({ name, resources, restartPolicy }: PodContainer): PodContainer {
  return {
    name,
    resources: { requests: resources?.requests ?? {} },
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  };
}

function leanNode({
  metadata: { name },
  spec: { unschedulable = false, taints = [] } = {},
  status,
}: Node): Node {
  const { allocatable = {}, capacity = {}, conditions = [], nodeInfo } = status ?? {};
  const { architecture = '' } = nodeInfo ?? {};
  return {
    metadata: { name },
    spec: { unschedulable, taints },
    status: { allocatable, capacity, conditions, nodeInfo: { architecture } },
  };
}
