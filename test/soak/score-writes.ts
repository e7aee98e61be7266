// Counts how often sites' scores are written while nothing happens: only what is about to expire may be.
import { ADD_ON_PLACEMENT_SCORE } from '../../crds/ocm/ocm.ts';
import { watch } from '../../kube/watch/watch.ts';
import { scoreScheduleId } from '../../workflows/names.ts';
import type { Stack } from '../../testbed/stack.ts';

export interface ScoreWrites {
  /** By object, all that were written more often than their renewal explains. */
  excess(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Figures are written again when fewer than two of their five intervals are left, so three go by in between. */
const APART = 3;

/** Begins to count at once. */
export async function countScoreWrites({ hub, temporal }: Stack): Promise<ScoreWrites> {
  const counts = new Map<string, number>();
  const begun = Date.now();
  const watching = watch(hub, { resource: ADD_ON_PLACEMENT_SCORE }, ({ initial, object: { metadata } }) => {
    const key = `${metadata.namespace ?? ''}/${metadata.name}`;
    if (!initial) counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  await watching.synced;
  return {
    excess: async () => {
      const over: string[] = [];
      for (const [key, count] of counts) {
        const [cluster = ''] = key.split('/');
        const { spec } = await temporal.schedule.getHandle(scoreScheduleId(cluster)).describe();
        const allowed = 1 + Math.ceil((Date.now() - begun) / (APART * (spec.intervals?.[0]?.every ?? 0)));
        if (count > allowed) over.push(`score ${key}: written ${count} times, and ${allowed} would do`);
      }
      return over;
    },
    stop: () => watching.stop(),
  };
}
