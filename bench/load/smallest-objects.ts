// Objects that are written and seen: what the API server takes for the least that a rollout consists of.
import { CONFIG_MAP } from '../../crds/kubernetes/core.ts';
import { eventually } from '../../testbed/eventually.ts';
import { firstSeen, type Testbed } from './testbed.ts';

const SEEN = { withinMs: 60_000, everyMs: 1 };

/** Milliseconds from the create request of a ConfigMap of that name to its watch event. */
export type SmallestObject = (name: string) => Promise<number>;

export async function smallestObjects({ hub, namespace, afterwards }: Testbed): Promise<SmallestObject> {
  const maps = await firstSeen(hub, CONFIG_MAP);
  afterwards(() => maps.stop());
  return async (label) => {
    const name = `${namespace}-${label}`;
    const begun = performance.now();
    await hub.create(CONFIG_MAP, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });
    return (await eventually(() => maps.at.get(name), SEEN)) - begun;
  };
}
