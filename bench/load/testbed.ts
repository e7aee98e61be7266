// The testbed of a benchmark: the running stack, a namespace, the time at which a watch saw each work, and
// the cleanup.
import { existsSync } from 'node:fs';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { NAMESPACE } from '../../crds/kubernetes/core.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { layoutOf } from '../../deploy/local/layout.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { capp, conditionOf, newNamespace, type CappOptions } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { untilAvailable } from '../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../testbed/stack.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { watch } from '../../kube/watch/watch.ts';

export interface Testbed {
  readonly stack: TestbedStack;
  /** A client for the hub with a long deadline, because many concurrent calls wait for each other. */
  readonly hub: Kube;
  readonly namespace: string;
  /** Creates a Capp. Returns the time of the request, in milliseconds of `performance.now()`. */
  create(name: string, options?: Omit<CappOptions, 'namespace' | 'name'>): Promise<number>;
  /**
   * The times at which a watch saw the first work of each Capp, on the same clock. Throws after ten minutes.
   */
  worksOf(names: readonly string[]): Promise<number[]>;
  /**
   * Waits until all are Ready for their current generation. Throws after twenty minutes and names one that is
   * not.
   */
  allReady(names: readonly string[]): Promise<void>;
  /**
   * Registers a cleanup for the end or the interruption of the benchmark. The last one runs first; all run
   * before its Capps are deleted.
   */
  afterwards(undo: () => Promise<unknown>): void;
  /**
   * Runs the cleanups and deletes the Capps. A second call waits for the first. Throws when a cleanup fails.
   */
  close(): Promise<void>;
}

const CALL_MS = 600_000;
const QUIET = { withinMs: 120_000, everyMs: 1_000 };
const WORKS = { withinMs: 600_000, everyMs: 5 };
const READY = { withinMs: 1_200_000, everyMs: 2_000 };
const GONE = { withinMs: 1_200_000, everyMs: 500 };

/** A Capp that runs no Pod. The hub's work for it is the same. */
export const DISABLED = { spec: { state: 'disabled' } } as const;

export const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/**
 * Uses the stack in CAPPSTAN_STACK, else that of `make up`. Throws when there is none, or when it is not idle
 * after two minutes.
 */
export async function openTestbed(purpose: string): Promise<Testbed> {
  const folder = (process.env['CAPPSTAN_STACK'] ??= '.local');
  if (!existsSync(layoutOf(folder).env))
    throw new Error(`There is no stack in ${folder}. Start it with "make up".`);
  const stack = await openStack();
  const hub = connect({ kubeconfig: stack.layout.kubeconfig('hub'), deadlineMs: CALL_MS });
  await untilIdle(stack);
  const namespace = await newNamespace(hub, `bench-${purpose}`);
  const works = await firstSeen(hub, MANIFEST_WORK);
  const undos: (() => Promise<unknown>)[] = [];
  const end = async (): Promise<void> => {
    for (const undo of undos.toReversed()) await undo();
    await works.stop();
    await deleteCapps(hub, namespace);
    await hub.close();
    await stack.close();
  };
  let ended: Promise<void> | undefined;
  return {
    stack,
    hub,
    namespace,
    create: async (name, options = {}) => {
      const begun = performance.now();
      await hub.create<Capp>(CAPP, capp({ ...options, namespace, name }));
      return begun;
    },
    worksOf: (names) => eventually(() => timesOf(works.at, namespace, names), WORKS),
    allReady: (names) => eventually(() => allAreReady(hub, namespace, names), READY).then(() => undefined),
    afterwards: (undo) => void undos.push(undo),
    close: () => (ended ??= end()),
  };
}

/** Waits until sites are available and no Capp is being deleted, because that work would be measured too. */
async function untilIdle(stack: TestbedStack): Promise<void> {
  for (const site of stack.sites) {
    await untilAvailable(stack, site).catch((cause: unknown) => {
      throw new Error(
        `${site} is not available or has taints. Repair the stack with "make up", and remove the taints.`,
        { cause },
      );
    });
  }
  await eventually(async () => {
    const leaving = (await stack.hub.list<Capp>(CAPP)).items.filter(
      ({ metadata }) => metadata.deletionTimestamp !== undefined,
    );
    if (leaving.length > 0)
      throw new Error(`${leaving.length} other Capps are being deleted. Wait until they are gone.`);
    return true;
  }, QUIET);
}

function timesOf(seen: ReadonlyMap<string, number>, namespace: string, names: readonly string[]): number[] {
  return names.map((name) => {
    const at = seen.get(`mw-create-${namespace}-${name}`);
    if (at === undefined) throw new Error(`Capp ${namespace}/${name} has no ManifestWork.`);
    return at;
  });
}

async function allAreReady(hub: Kube, namespace: string, names: readonly string[]): Promise<true> {
  const { items } = await hub.list<Capp>(CAPP, { namespace });
  const found = new Map(items.map((item) => [item.metadata.name, item]));
  for (const name of names) {
    const item = found.get(name);
    const ready = item === undefined ? undefined : conditionOf(item, 'Ready');
    const isReady = ready?.status === 'True' && ready.observedGeneration === item?.metadata.generation;
    if (!isReady)
      throw new Error(`Capp ${namespace}/${name} is not Ready: ${JSON.stringify(item?.status?.conditions)}`);
  }
  return true;
}

async function deleteCapps(hub: Kube, namespace: string): Promise<void> {
  const { items } = await hub.list<Capp>(CAPP, { namespace });
  await Promise.all(items.map(({ metadata }) => hub.remove(CAPP, { namespace, name: metadata.name })));
  await eventually(async () => {
    const { length } = (await hub.list(CAPP, { namespace })).items;
    if (length > 0) throw new Error(`${length} Capps in ${namespace} still exist.`);
    return true;
  }, GONE);
  await hub.remove(NAMESPACE, { namespace: null, name: namespace });
}

export interface FirstSeen {
  /** The time of each object's first Added event by name, in milliseconds of `performance.now()`. */
  readonly at: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Resolves when the watch has synced. */
export async function firstSeen(hub: Kube, resource: Resource): Promise<FirstSeen> {
  const at = new Map<string, number>();
  const source = watch<KubeObject>(
    hub,
    { resource, metadataOnly: true },
    ({ type, object: { metadata } }) => {
      if (type === 'Added' && !at.has(metadata.name)) at.set(metadata.name, performance.now());
    },
  );
  await source.synced;
  return { at, stop: () => source.stop() };
}
