// Where every measure plays: the running stack, a namespace of its own, the moment at which each work was seen, and tidying up whatever happens.
import { existsSync } from 'node:fs';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { NAMESPACE } from '../../crds/kubernetes/core.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { layoutOf } from '../../deploy/local/layout.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { capp, conditionOf, newNamespace, type Wish } from '../../testbed/apps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { untilWell } from '../../testbed/sites.ts';
import { openStack, type Stack } from '../../testbed/stack.ts';
import { firstSeen } from './first-seen.ts';

export interface Stage {
  readonly stack: Stack;
  /** The hub, for many calls at once: they wait for one another. */
  readonly hub: Kube;
  readonly namespace: string;
  /** Creates a Capp of this name. Returns when that was asked for, in milliseconds of `performance.now()`. */
  create(name: string, wish?: Omit<Wish, 'namespace' | 'name'>): Promise<number>;
  /** When the first work of each of these Capps was seen, on the same clock. Throws when one is not there after ten minutes. */
  worksOf(names: readonly string[]): Promise<number[]>;
  /** Waits until all of them are Ready for their present generation. Throws, naming one that is not, after twenty minutes. */
  allReady(names: readonly string[]): Promise<void>;
  /** Is done when the measure ends or is interrupted, the last first, and before its Capps are deleted. */
  afterwards(undo: () => Promise<unknown>): void;
  /** Undoes, and deletes what was made. A second call waits for the first. Throws when something cannot be undone. */
  close(): Promise<void>;
}

const CALL_MS = 600_000;
const QUIET = { withinMs: 120_000, everyMs: 1_000 };
const WORKS = { withinMs: 600_000, everyMs: 5 };
const READY = { withinMs: 1_200_000, everyMs: 2_000 };
const GONE = { withinMs: 1_200_000, everyMs: 500 };

/** A Capp that runs no Pod: what the hub does for it is the same. */
export const DISABLED = { spec: { state: 'disabled' } } as const;

export const numbered = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** On the stack in CAPPSTAN_STACK, else that of `make up`. Throws when none is there, or it does not come to rest. */
export async function openStage(purpose: string): Promise<Stage> {
  const folder = (process.env['CAPPSTAN_STACK'] ??= '.local');
  if (!existsSync(layoutOf(folder).env)) throw new Error(`There is no stack in ${folder}: start it with "make up".`);
  const stack = await openStack();
  const hub = connect({ kubeconfig: stack.layout.kubeconfig('hub'), deadlineMs: CALL_MS });
  await untilQuiet(stack);
  const namespace = await newNamespace(hub, `bench-${purpose}`);
  const works = await firstSeen(hub, MANIFEST_WORK);
  const undos: (() => Promise<unknown>)[] = [];
  const end = async (): Promise<void> => {
    for (const undo of undos.toReversed()) await undo();
    await works.stop();
    await forget(hub, namespace);
    await hub.close();
    await stack.close();
  };
  let ended: Promise<void> | undefined;
  return {
    stack,
    hub,
    namespace,
    create: async (name, wish = {}) => {
      const begun = performance.now();
      await hub.create<Capp>(CAPP, capp({ ...wish, namespace, name }));
      return begun;
    },
    worksOf: (names) => eventually(() => timesOf(works.at, namespace, names), WORKS),
    allReady: (names) => eventually(() => allAreReady(hub, namespace, names), READY).then(() => undefined),
    afterwards: (undo) => void undos.push(undo),
    close: () => (ended ??= end()),
  };
}

/** What another has left unfinished would be measured with it. */
async function untilQuiet(stack: Stack): Promise<void> {
  for (const site of stack.sites) {
    await untilWell(stack, site).catch((cause: unknown) => {
      throw new Error(`${site} is not available, or tainted.`, { cause });
    });
  }
  await eventually(async () => {
    const leaving = (await stack.hub.list<Capp>(CAPP)).items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    if (leaving.length > 0) throw new Error(`${leaving.length} Capps of somebody else are being deleted.`);
    return true;
  }, QUIET);
}

function timesOf(seen: ReadonlyMap<string, number>, namespace: string, names: readonly string[]): number[] {
  return names.map((name) => {
    const at = seen.get(`mw-create-${namespace}-${name}`);
    if (at === undefined) throw new Error(`No ManifestWork of Capp ${namespace}/${name} came`);
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
    if (!isReady) throw new Error(`Capp ${namespace}/${name} is not Ready: ${JSON.stringify(item?.status?.conditions)}`);
  }
  return true;
}

async function forget(hub: Kube, namespace: string): Promise<void> {
  const { items } = await hub.list<Capp>(CAPP, { namespace });
  await Promise.all(items.map(({ metadata }) => hub.remove(CAPP, { namespace, name: metadata.name })));
  await eventually(async () => {
    const { length } = (await hub.list(CAPP, { namespace })).items;
    if (length > 0) throw new Error(`${length} Capps in ${namespace} are not gone`);
    return true;
  }, GONE);
  await hub.remove(NAMESPACE, { namespace: null, name: namespace });
}
