// What would be written on sites, with sites together for which it is the same, as much of it as an
// annotation may hold. Pure.
import { digestOf } from '../../../../crds/digest.ts';
import { LARGEST_PLAN, MOST_GROUPS, MOST_LINES, type RolloutPlan } from '../../../../crds/rollout/plan.ts';

/** Two that differ never have one digest. */
const WHOLE_DIGEST = 64;

type Change = RolloutPlan['changes'][number];

export interface FoundChange {
  readonly what: Change['what'];
  /** A field each. */
  readonly lines: readonly string[];
}

/** Puts sites together one after the other. Of what was found it keeps as much as is shown. */
export interface Grouping {
  add(cluster: string, change: FoundChange): void;
  result(): Pick<RolloutPlan, 'changes' | 'moreChanges'>;
}

export function grouping(): Grouping {
  const groups = new Map<string, Change>();
  // Sites share what was found for them, which may be long: it is written out once and not for each of them.
  const keys = new WeakMap<FoundChange, string>();
  return {
    add: (cluster, change) => {
      const { what, lines } = change;
      const key = keys.get(change) ?? digestOf(JSON.stringify([what, lines]), WHOLE_DIGEST);
      keys.set(change, key);
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { sites: [cluster], what, ...bounded(lines) });
      else known.sites.push(cluster);
    },
    result: () => fitting([...groups.values()]),
  };
}

export function groupedChanges(
  found: Iterable<readonly [cluster: string, change: FoundChange]>,
): Pick<RolloutPlan, 'changes' | 'moreChanges'> {
  const { add, result } = grouping();
  for (const [cluster, change] of found) add(cluster, change);
  return result();
}

function bounded(lines: readonly string[]): Pick<Change, 'lines' | 'more'> {
  return { lines: lines.slice(0, MOST_LINES), more: Math.max(0, lines.length - MOST_LINES) };
}

/** The largest groups first; the sites of the others are counted. */
function fitting(groups: Change[]): Pick<RolloutPlan, 'changes' | 'moreChanges'> {
  const ordered = groups.toSorted((a, b) => b.sites.length - a.sites.length);
  const changes: Change[] = [];
  let size = 0;
  for (const group of ordered.slice(0, MOST_GROUPS)) {
    size += JSON.stringify(group.lines).length;
    if (size > LARGEST_PLAN / 4) break;
    changes.push(group);
  }
  const shown = changes.reduce((sum, { sites }) => sum + sites.length, 0);
  return { changes, moreChanges: ordered.reduce((sum, { sites }) => sum + sites.length, 0) - shown };
}
