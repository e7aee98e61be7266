// When a Capp is at rest, told by nothing but the hub's objects: so it can be asked of any operator.
import { CAPP } from '../../crds/capp/capp.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { Testbed } from './testbed.ts';
import { watch } from '../../kube/watch/watch.ts';

/** Neither Capp nor work has changed for so long, in milliseconds. */
const QUIET_MS = 250;
const PATIENCE = { withinMs: 600_000, everyMs: 20 };

export interface Rest {
  /** Resolves when the sites have applied the work of each, and nothing of them changes any more. */
  shipped(names: readonly string[]): Promise<void>;
  /** Resolves when nothing of the Capp changes any more. */
  quiet(name: string): Promise<void>;
  /** Resolves when all are gone from the hub, with the time at which each went, of `performance.now()`. */
  gone(names: readonly string[]): Promise<number[]>;
}

/** Watches the testbed's Capps and their works until its end. */
export async function restOf({ hub, namespace, afterwards }: Testbed): Promise<Rest> {
  const changedAt = new Map<string, number>();
  const goneAt = new Map<string, number>();
  const applied = new Set<string>();
  const prefix = `mw-create-${namespace}-`;
  const capps = watch<KubeObject>(hub, { resource: CAPP, namespace, metadataOnly: true }, (change) => {
    const { name } = change.object.metadata;
    changedAt.set(name, performance.now());
    if (change.type === 'Deleted') goneAt.set(name, performance.now());
  });
  const works = watch<ManifestWork>(hub, { resource: MANIFEST_WORK }, ({ object }) => {
    if (!object.metadata.name.startsWith(prefix)) return;
    const name = object.metadata.name.slice(prefix.length);
    changedAt.set(name, performance.now());
    if (isApplied(object)) applied.add(name);
  });
  for (const { synced } of [capps, works]) await synced;
  afterwards(() => Promise.all([capps.stop(), works.stop()]));
  const isQuiet = (name: string): boolean =>
    performance.now() - (changedAt.get(name) ?? Number.POSITIVE_INFINITY) > QUIET_MS;
  const all = (names: readonly string[], isSo: (name: string) => boolean, what: string): Promise<true> =>
    eventually(() => {
      const left = names.filter((name) => !isSo(name));
      if (left.length === 0) return true;
      throw new Error(`${left.length} of ${names.length} Capps are not ${what}, such as ${left[0]}.`);
    }, PATIENCE);
  return {
    shipped: async (names) =>
      void (await all(names, (name) => applied.has(name) && isQuiet(name), 'applied and at rest')),
    quiet: async (name) => void (await all([name], isQuiet, 'at rest')),
    gone: async (names) => {
      await all(names, (name) => goneAt.has(name), 'gone');
      return names.map((name) => goneAt.get(name) ?? Number.NaN);
    },
  };
}

export interface WorksAtRest {
  /** Resolves when OCM's agents have applied all of them. */
  applied(): Promise<void>;
  /** Resolves when all of them are gone from the hub. */
  gone(): Promise<void>;
}

/** Watches works by their names until the testbed's end. */
export async function worksAtRest(
  { hub, afterwards }: Testbed,
  names: readonly string[],
): Promise<WorksAtRest> {
  const left = new Set(names);
  const waiting = new Set(names);
  const works = watch<ManifestWork>(hub, { resource: MANIFEST_WORK }, ({ type, object }) => {
    if (isApplied(object)) waiting.delete(object.metadata.name);
    if (type === 'Deleted') left.delete(object.metadata.name);
  });
  await works.synced;
  afterwards(() => works.stop());
  const empty = async (those: ReadonlySet<string>, what: string): Promise<void> =>
    void (await eventually(() => {
      if (those.size === 0) return true;
      throw new Error(`${those.size} of ${names.length} works are not ${what}.`);
    }, PATIENCE));
  return { applied: () => empty(waiting, 'applied'), gone: () => empty(left, 'gone') };
}

function isApplied({ metadata, status }: ManifestWork): boolean {
  const found = status?.conditions?.find(({ type }) => type === 'Applied');
  return found?.status === 'True' && found.observedGeneration === metadata.generation;
}
