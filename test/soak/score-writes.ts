// Counts the writes of sites' scores. While nothing changes, a score may be written only to renew it.
import { ADD_ON_PLACEMENT_SCORE } from '../../crds/ocm/placements.ts';
import { watch } from '../../kube/watch/watch.ts';
import { scheduleId } from '../../workflows/names.ts';
import type { TestbedStack } from '../../testbed/stack.ts';

export interface ScoreWrites {
  /** One line for each object that was written more often than its renewal needs. */
  excess(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/**
 * A score is valid for five intervals and is renewed when fewer than two are left, so three pass between
 * renewals.
 */
const INTERVALS_BETWEEN = 3;

/** Starts counting. */
export async function countScoreWrites({ hub, temporal }: TestbedStack): Promise<ScoreWrites> {
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
        const { spec } = await temporal.schedule.getHandle(scheduleId('score', cluster)).describe();
        const allowed =
          1 + Math.ceil((Date.now() - begun) / (INTERVALS_BETWEEN * (spec.intervals?.[0]?.every ?? 0)));
        if (count > allowed)
          over.push(`Score ${key} was written ${count} times; its renewal needs ${allowed}.`);
      }
      return over;
    },
    stop: () => watching.stop(),
  };
}
