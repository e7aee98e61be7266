// OCM's work agents of simulated sites: each takes up a work at once, and a second later what is in it is
// ready.
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { keyedQueue } from '../../../kube/queue.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { watch } from '../../../kube/watch/watch.ts';
import { isGoing, letGo } from '../growth/work-agents.ts';
import type { Testbed } from '../testbed.ts';

/** As long as a site takes to make its objects ready. */
export const TAKES_MS = 1_000;
/** So many statuses are written at once. */
const AT_ONCE = 32;

type Work = ManifestWork & KubeObject;

export interface Appliers {
  /** Works whose content names this image, and is ready. */
  having(image: string): number;
  /** Statuses and finalizers that they have written so far. */
  written(): number;
}

/**
 * Answers as OCM's agent 1.2.1 does: `Applied` at once, and then what the rules of the work say. Both kinds
 * of fleets find in it what they wait for: `Progressing` of the work, and each rule of a manifest. The end of
 * the benchmark ends them, so no work may be left then.
 */
export async function simulateAppliers(testbed: Testbed, sites: ReadonlySet<string>): Promise<Appliers> {
  const { hub, afterwards } = testbed;
  const works = new Map<string, Work>();
  const timers = new Set<NodeJS.Timeout>();
  const readyFor = new Map<string, number>();
  let written = 0;
  const queue = keyedQueue({
    concurrency: AT_ONCE,
    work: async (key) => {
      const work = works.get(key);
      if (work === undefined) return;
      written++;
      if (isGoing(work)) return letGo(hub, work);
      const { namespace = '', name, generation = 1 } = work.metadata;
      const status = statusOf(work, readyFor.get(key) === generation);
      await hub.patch(MANIFEST_WORK, { namespace, name }, { status }, { subresource: 'status' });
    },
  });
  const source = watch<Work>(hub, { resource: MANIFEST_WORK }, ({ type, object: work, previous }) => {
    const { namespace = '', name, generation = 1 } = work.metadata;
    if (!sites.has(namespace)) return;
    const key = `${namespace}/${name}`;
    works.set(key, work);
    if (type === 'Deleted') works.delete(key);
    else if (isGoing(work)) queue.add(key);
    else if (generation !== previous?.metadata.generation) {
      queue.add(key);
      const timer = setTimeout(() => {
        timers.delete(timer);
        readyFor.set(key, generation);
        queue.add(key);
      }, TAKES_MS);
      timers.add(timer);
    }
  });
  await source.synced;
  afterwards(async () => {
    for (const timer of timers) clearTimeout(timer);
    await source.stop();
    await queue.stop();
  });
  return {
    written: () => written,
    having: (image) =>
      [...works].filter(
        ([key, { metadata, spec }]) =>
          readyFor.get(key) === metadata.generation && JSON.stringify(spec).includes(`"${image}"`),
      ).length,
  };
}

function statusOf(work: Work, isReady: boolean): object {
  const { generation } = work.metadata;
  const said = (type: string, isSo: boolean) => ({
    type,
    status: isSo ? 'True' : 'False',
    reason: 'Simulated',
    message: 'This site is simulated.',
    observedGeneration: generation,
    lastTransitionTime: new Date().toISOString(),
  });
  const configs = work.spec?.manifestConfigs ?? [];
  const manifests = configs.map(({ resourceIdentifier, conditionRules = [] }, ordinal) => ({
    resourceMeta: {
      ordinal,
      version: 'v1',
      kind: work.spec?.workload.manifests?.[ordinal]?.kind,
      ...resourceIdentifier,
    },
    conditions: [
      said('Applied', true),
      said('Available', true),
      ...conditionRules.map(({ condition }) => said(condition, isReady !== (condition === 'Progressing'))),
    ],
  }));
  const conditions = [said('Applied', true), said('Available', true), said('Progressing', !isReady)];
  return { conditions, resourceStatus: { manifests } };
}
