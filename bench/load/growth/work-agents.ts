// Simulated OCM work agents: each applies every work at once and lets it go.
import { MANIFEST_WORK, WORK_FINALIZER } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { keyedQueue } from '../../../kube/queue.ts';
import { watch } from '../../../kube/watch/watch.ts';
import type { Testbed } from '../testbed.ts';

/** Of these clusters. The end of the benchmark ends them, so no work may be left then. */
export async function simulateWorkAgents(
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

export function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export async function letGo(hub: Testbed['hub'], { metadata }: KubeObject): Promise<void> {
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
