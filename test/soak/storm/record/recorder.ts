// Records every version of what the rules are about, on all clusters of the stack.
import type { Layout } from '../../../../deploy/local/layout.ts';
import { desiredProcesses } from '../../../../deploy/local/supervise/desired.ts';
import { watchEtcd } from './etcd-watch.ts';
import { factOf, placeOf, type Fact, type Stored } from './fact.ts';
import { nameOf } from './history.ts';

export interface Recorder {
  /** In the order in which it happened. */
  readonly facts: readonly Fact[];
  /** Why the record is not whole, if it is not. */
  readonly problems: readonly string[];
  /** The newest version of a hub's Capp, or undefined. */
  capp(key: string): Fact | undefined;
  stop(): Promise<void>;
}

/**
 * Objects of other namespaces, and works of their objects, are left out. Resolves when it hears something.
 */
export async function record(layout: Layout, namespace: string): Promise<Recorder> {
  const endpoint = await etcdOf(layout);
  const facts: Fact[] = [];
  const newest = new Map<string, Fact>();
  const watching = watchEtcd(endpoint, ({ revision, key, value }) => {
    const place = placeOf(key);
    if (place === null || !isAbout(key, namespace)) return;
    const bytes = value();
    const stored = bytes === null ? null : (JSON.parse(bytes.toString()) as Stored);
    const before = newest.get(nameOf(place));
    const fact = factOf(place, stored, { revision, at: Date.now() });
    // What is gone no longer says whose it was.
    const told = stored === null ? { ...fact, of: before?.of ?? null } : fact;
    facts.push(told);
    newest.set(nameOf(place), told);
  });
  return {
    facts,
    problems: watching.problems,
    capp: (key) => newest.get(nameOf({ cluster: 'hub', kind: 'Capp', key })),
    stop: () => watching.stop(),
  };
}

/** URL of the stack's etcd. Throws when it has none of its own. */
export async function etcdOf(layout: Layout): Promise<string> {
  const port = (await desiredProcesses(layout)).find(({ name }) => name === 'etcd')?.ports[0];
  if (port === undefined) throw new Error(`The stack in ${layout.dir} has no process etcd. Run "make up".`);
  return `http://127.0.0.1:${port}`;
}

/** Its namespace, or that in the name of a work, is the storm's. */
const isAbout = (key: string, namespace: string): boolean => key.includes(namespace);
