// Many Capps on simulated clusters, followed by one watch: when each had its work, and whether it is Ready.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { watch } from '../../../kube/watch/watch.ts';
import { conditionOf } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { Testbed } from '../testbed.ts';

export interface Population {
  /** Creates Capps at once. Resolves to the seconds after which each had its work. */
  add(names: readonly string[]): Promise<number[]>;
  /** Resolves when all of them are Ready. Throws after twenty minutes. */
  allReady(names: readonly string[]): Promise<void>;
  /** Resolves when none of them is Ready. Throws after twenty minutes. */
  noneReady(names: readonly string[]): Promise<void>;
  /** Deletes Capps at once. Resolves when all of them are gone. Throws after twenty minutes. */
  remove(names: readonly string[]): Promise<void>;
  /** How many are Ready now. */
  ready(): number;
  /** All that are there. */
  names(): string[];
}

const PATIENCE = { withinMs: 1_200_000, everyMs: 50 };

/** The end of the benchmark deletes all of them. */
export async function population(testbed: Testbed): Promise<Population> {
  const { hub, namespace, afterwards } = testbed;
  const isReadyBy = new Map<string, boolean>();
  const capps = watch<Capp>(hub, { resource: CAPP, namespace }, ({ type, object }) => {
    const { name, generation } = object.metadata;
    const ready = conditionOf(object, 'Ready');
    if (type === 'Deleted') isReadyBy.delete(name);
    else isReadyBy.set(name, ready?.status === 'True' && ready.observedGeneration === generation);
  });
  await capps.synced;
  afterwards(() => capps.stop());
  const until = async (isSo: (name: string) => boolean, names: readonly string[]): Promise<void> => {
    let left = [...names];
    await eventually(() => {
      left = left.filter((name) => !isSo(name));
      if (left.length === 0) return true;
      throw new Error(`${left.length} of ${names.length} Capps are not there yet, such as ${left[0]}.`);
    }, PATIENCE);
  };
  const remove = async (names: readonly string[]): Promise<void> => {
    await Promise.all(names.map((name) => hub.remove(CAPP, { namespace, name })));
    await until((name) => !isReadyBy.has(name), names);
  };
  afterwards(() => remove([...isReadyBy.keys()]));
  return {
    remove,
    ready: () => [...isReadyBy.values()].filter(Boolean).length,
    names: () => [...isReadyBy.keys()],
    noneReady: (names) => until((name) => isReadyBy.get(name) !== true, names),
    allReady: (names) => until((name) => isReadyBy.get(name) === true, names),
    add: async (names) => {
      const begun = performance.now();
      const [, seen] = await Promise.all([
        Promise.all(names.map((name) => testbed.create(name))),
        testbed.worksOf(names),
      ]);
      return seen.map((at) => (at - begun) / 1000).toSorted((a, b) => a - b);
    },
  };
}
