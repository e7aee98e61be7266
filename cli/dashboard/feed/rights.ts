// What the person may do, as the API server answers it: asked once a minute, and taken for no until it has
// answered.
import type { Kube } from '../../../kube/client.ts';
import { REACH_GROUP } from '../../../reach/names.ts';
import { isAllowed, type AskedAccess } from '../../hub/write/allowed.ts';
import type { May, Plural, Verb } from '../view/facts.ts';

export interface Rights {
  readonly may: May;
  /** Calls back when an answer has changed. */
  onChange(listener: () => void): void;
  stop(): void;
}

const GROUP = 'rcs.dana.io';
const CLUSTER_GROUP = 'cluster.open-cluster-management.io';
const OF_OCM: ReadonlySet<Plural> = new Set(['managedclusters', 'placements', 'placementdecisions']);
/** What the hub's reader serves. */
const OF_READER: ReadonlySet<Plural> = new Set(['capps/log']);
const FRESH_MS = 60_000;
/** After a question without an answer. */
const AGAIN_MS = 5_000;
/** Answers that are kept; beyond that they are asked anew. */
const MOST = 5000;

interface Known {
  allowed: boolean;
  askAgainAt: number;
}

function groupOf(plural: Plural): string {
  if (OF_READER.has(plural)) return REACH_GROUP;
  return OF_OCM.has(plural) ? CLUSTER_GROUP : GROUP;
}

export function rightsOf(kube: Kube): Rights {
  const known = new Map<string, Known>();
  const listeners: (() => void)[] = [];
  let isStopped = false;

  function look(verb: Verb, plural: Plural, namespace: string | null): boolean {
    const key = `${verb}/${plural}/${namespace ?? ''}`;
    const found = known.get(key);
    if (found !== undefined && Date.now() < found.askAgainAt) return found.allowed;
    if (known.size > MOST) known.clear();
    const next = { allowed: found?.allowed ?? false, askAgainAt: Date.now() + FRESH_MS };
    known.set(key, next);
    void learn(next, {
      verb,
      group: groupOf(plural),
      resource: plural,
      namespace,
    });
    return next.allowed;
  }

  async function learn(at: Known, access: AskedAccess): Promise<void> {
    // A hub that does not answer takes nothing away that it has granted; the act itself is judged anew.
    const allowed = await isAllowed(kube, access).catch(() => null);
    if (allowed === null) at.askAgainAt = Date.now() + AGAIN_MS;
    if (isStopped || allowed === null || allowed === at.allowed) return;
    at.allowed = allowed;
    for (const listener of listeners) listener();
  }

  return {
    // Who may do it everywhere is asked once, and not for each namespace.
    may: (verb, plural, namespace) =>
      look(verb, plural, null) || (namespace !== null && look(verb, plural, namespace)),
    onChange: (listener) => void listeners.push(listener),
    stop: () => void (isStopped = true),
  };
}
