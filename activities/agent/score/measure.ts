// The agent's activity that measures its site: free capacity of the nodes, and custom scores.
import { ApplicationFailure } from '@temporalio/common';
import { NODE, POD, type Node, type Pod, type PodContainer } from '../../../crds/kubernetes/core.ts';
import { cache, type Cache } from '../../../kube/watch/cache.ts';
import type { Kube } from '../../../kube/client.ts';
import { unlessAborted, within } from '../../../kube/http/deadline.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Agent } from '../../../workflows/ports.ts';
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
  /** Is called when a watch has a problem. */
  readonly onWatchProblem: (error: unknown) => void;
}

export interface Measuring extends Pick<Agent, 'measure'> {
  /** Ends the watches, if there were any. */
  stop(): Promise<void>;
}

interface Inventory {
  readonly nodes: Cache<Node>;
  readonly pods: Cache<Pod>;
}

/** A site without a score is not watched. */
export function agentMeasure(kube: Kube, options: MeasureOptions): Measuring {
  let inventory: Inventory | null = null;
  return {
    measure: () =>
      raising(async () => {
        inventory ??= watchSite(kube, options.onWatchProblem);
        const { nodes, pods } = inventory;
        await listed(inventory);
        // Old data of the watches must not count as the present state of a site whose API server does not
        // answer.
        await kube.raw('GET', '/readyz', { deadlineMs: AGENT_TIMES.readyz.ms });
        const extras = await readExtras(kube, options.extras, options.onProblem);
        return { figures: [...figuresOf(roomOf(nodes.list(), pods.list()), options.bounds), ...extras] };
      }),
    stop: async () => {
      await Promise.all([inventory?.nodes.stop(), inventory?.pods.stop()]);
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
function watchSite(kube: Kube, onProblem: (error: unknown) => void): Inventory {
  return {
    nodes: cache<Node>(kube, { resource: NODE, transform: leanNode, onProblem }),
    pods: cache<Pod>(kube, {
      resource: POD,
      fieldSelector: 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed',
      transform: leanPod,
      onProblem,
    }),
  };
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
  const { allocatable = {}, conditions = [] } = status ?? {};
  return { metadata: { name }, spec: { unschedulable, taints }, status: { allocatable, conditions } };
}
