// Builds the record of a storm, one version of an object after the other.
import type { Fact, FactKind } from '../../soak/storm/record/fact.ts';

type Said = Partial<Omit<Fact, 'revision' | 'cluster' | 'kind' | 'key'>>;

export interface StormRecord {
  readonly facts: readonly Fact[];
  /** Adds a version: what is not said is as in the version before, or empty; its time is `said.at`. */
  add(cluster: string, kind: FactKind, key: string, said?: Said): void;
  /** The object is gone. */
  end(cluster: string, kind: FactKind, key: string): void;
}

const EMPTY = {
  isGone: false,
  isLeaving: false,
  edition: null,
  isReady: false,
  isServing: false,
  served: null,
  of: null,
  rollout: null,
  approved: null,
  verified: null,
  isMoving: false,
  movedFor: null,
  showsSecret: false,
} as const;

/** A second passes from one revision to the next, from 12:00:01 on, where nothing else is said. */
export function stormRecord(): StormRecord {
  const facts: Fact[] = [];
  const newest = new Map<string, Fact>();
  const put = (cluster: string, kind: FactKind, key: string, said: Said): void => {
    const name = `${cluster} ${kind} ${key}`;
    const revision = facts.length + 1;
    const at = Date.UTC(2026, 0, 1, 12) + revision * 1_000;
    const fact: Fact = { ...EMPTY, ...newest.get(name), at, ...said, revision, cluster, kind, key };
    facts.push(fact);
    if (fact.isGone) newest.delete(name);
    else newest.set(name, fact);
  };
  return {
    facts,
    add: (cluster, kind, key, said = {}) => put(cluster, kind, key, said),
    end: (cluster, kind, key) => {
      const of = newest.get(`${cluster} ${kind} ${key}`)?.of ?? null;
      newest.delete(`${cluster} ${kind} ${key}`);
      put(cluster, kind, key, { isGone: true, of });
    },
  };
}
