// Simulated agents: of each cluster, our agent, which calls every Capp Ready, and OCM's work agent, which
// applies every work and lets it go.
import { defaultPayloadConverter } from '@temporalio/common';
import { MANIFEST_WORK, WORK_FINALIZER } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { keyedQueue } from '../../../kube/queue.ts';
import { watch } from '../../../kube/watch/watch.ts';
import { agentQueue } from '../../../workflows/names.ts';
import { MEASURED, READY } from '../simulated-answers.ts';
import type { Testbed } from '../testbed.ts';

/** As long as a site takes to make a Capp Ready. */
const TAKES_MS = 1_000;
/** Longer than a long poll of the server. */
const POLL_MS = 90_000;
const PAUSE_MS = 1_000;

export interface SimulatedAgents {
  /** None of our agents asks for activities until `hear`. OCM's agents go on. */
  silence(): Promise<void>;
  hear(): void;
}

/** The end of the benchmark ends them, so all Capps on these clusters must be gone by then. */
export async function simulateAgents(
  testbed: Testbed,
  clusters: readonly string[],
): Promise<SimulatedAgents> {
  await simulateWorkAgents(testbed, new Set(clusters));
  let ending = new AbortController();
  let polling: readonly Promise<void>[] = [];
  const silence = async (): Promise<void> => {
    ending.abort();
    await Promise.all(polling);
  };
  const hear = (): void => {
    ending = new AbortController();
    polling = clusters.map((cluster) => answerFor(testbed, cluster, ending.signal));
  };
  hear();
  testbed.afterwards(silence);
  return { silence, hear };
}

/** Takes one activity of the cluster's queue after the other, and answers each a moment later. */
async function answerFor({ stack }: Testbed, cluster: string, ending: AbortSignal): Promise<void> {
  const { connection, options } = stack.temporal;
  const { namespace } = options;
  const poll = { namespace, taskQueue: { name: agentQueue(cluster) }, identity: cluster };
  const measured = { payloads: [defaultPayloadConverter.toPayload(MEASURED)] };
  const ready = { payloads: [defaultPayloadConverter.toPayload(READY)] };
  while (!ending.aborted) {
    try {
      const { taskToken, activityType } = await connection.withAbortSignal(ending, () =>
        connection.withDeadline(Date.now() + POLL_MS, () =>
          connection.workflowService.pollActivityTaskQueue(poll),
        ),
      );
      if (taskToken.length === 0) continue;
      const result = activityType?.name === 'measure' ? measured : ready;
      const answer = (): unknown =>
        // Nobody waits any more for what has timed out or was cancelled.
        connection.workflowService
          .respondActivityTaskCompleted({ namespace, taskToken, result })
          .catch(() => undefined);
      setTimeout(answer, TAKES_MS);
    } catch {
      // The server is busy or restarts.
      await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
    }
  }
}

async function simulateWorkAgents(
  { hub, afterwards }: Testbed,
  clusters: ReadonlySet<string>,
): Promise<void> {
  const works = new Map<string, KubeObject>();
  const queue = keyedQueue({
    concurrency: 16,
    work: async (key) => {
      const work = works.get(key);
      if (work !== undefined) await (isGoing(work) ? letGo(hub, work) : report(hub, work));
    },
  });
  const source = watch<KubeObject>(
    hub,
    { resource: MANIFEST_WORK, metadataOnly: true },
    ({ type, object: work, previous }) => {
      const { namespace = '', name, generation } = work.metadata;
      if (!clusters.has(namespace)) return;
      const key = `${namespace}/${name}`;
      works.set(key, work);
      if (type === 'Deleted') works.delete(key);
      else if (isGoing(work) || generation !== previous?.metadata.generation) queue.add(key);
    },
  );
  await source.synced;
  afterwards(() => Promise.all([source.stop(), queue.stop()]));
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

async function letGo(hub: Testbed['hub'], { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name, uid, finalizers = [] } = metadata;
  const others = finalizers.filter((one) => one !== WORK_FINALIZER);
  if (others.length === finalizers.length) return;
  await hub.patch(MANIFEST_WORK, { namespace, name }, { metadata: { uid, finalizers: others } });
}

async function report(hub: Testbed['hub'], { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name, generation } = metadata;
  const lastTransitionTime = new Date().toISOString();
  const conditions = ['Applied', 'Available'].map((type) => ({
    type,
    status: 'True',
    reason: 'Simulated',
    message: 'This cluster is simulated.',
    observedGeneration: generation,
    lastTransitionTime,
  }));
  await hub.patch(MANIFEST_WORK, { namespace, name }, { status: { conditions } }, { subresource: 'status' });
}
