// The invariants that must hold during a storm, checked on the hub and the sites all the time.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import type { TestbedStack } from '../../testbed/stack.ts';

/** A Capp that has been Ready and that nobody deletes must always serve somewhere. */
export interface Kept {
  readonly namespace: string;
  /** Names of the Capps that must serve now. */
  names(): readonly string[];
}

/** Starts the checks. `end` returns every violation once, and the number of checks. */
export function watchRules(
  stack: TestbedStack,
  kept: Kept,
): { end(): Promise<{ breaches: readonly string[]; looks: number }> } {
  const over = new AbortController();
  const breaches = new Set<string>();
  let looks = 0;
  const looking = (async () => {
    while (!over.signal.aborted) {
      const found = await Promise.all([down(stack, kept), crowded(stack.hub, kept.namespace)]);
      for (const breach of found.flat()) breaches.add(breach);
      looks += 1;
    }
  })();
  return {
    end: async () => {
      over.abort();
      await looking;
      return { breaches: [...breaches], looks };
    },
  };
}

/**
 * The Capps that serve nowhere. The first site is read again after the others, for Capps that moved to it
 * meanwhile: an old copy is removed only when the new one serves.
 */
async function down(stack: TestbedStack, { namespace, names }: Kept): Promise<string[]> {
  const before = names();
  const [first = '', ...others] = stack.sites;
  const serving = new Set<string>();
  for (const site of [first, ...others, first])
    for (const name of await servingOn(stack.site(site), namespace)) serving.add(name);
  const still = new Set(names());
  return before
    .filter((name) => still.has(name) && !serving.has(name))
    .map((name) => `invariant 1: ${name} served nowhere`);
}

async function servingOn(site: Kube, namespace: string): Promise<string[]> {
  const { items } = await site.list<Capp>(CAPP, { namespace });
  const serves = ({ status }: Capp): boolean =>
    status?.conditions?.some((one) => one.type === 'Serving' && one.status === 'True') === true;
  return items.filter(serves).map(({ metadata }) => metadata.name);
}

/** The Capps with more than two works that are not being deleted. */
async function crowded(hub: Kube, namespace: string): Promise<string[]> {
  const { items } = await hub.list(MANIFEST_WORK);
  const counts = new Map<string, number>();
  for (const { metadata } of items)
    if (metadata.name.startsWith(`mw-create-${namespace}-`) && metadata.deletionTimestamp === undefined)
      counts.set(metadata.name, (counts.get(metadata.name) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 2)
    .map(([name, count]) => `invariant 2: ${name} has ${count} works`);
}
