// What became of the copies that a turn was to write: what the rollout remembers of them, and what its next
// turn must see. Pure.
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { newest } from '../../../workflows/types/ring.ts';
import type { Shipped } from './kind.ts';
import type { Look, RolloutMember } from './look.ts';
import { markersOf, unwritten } from './refusals.ts';
import { askedIn } from './unordered.ts';

/** The newest resourceVersion that was written, by the kind of the copies; empty if nothing was. */
export function newestShipped(
  shipped: ReadonlyMap<string, Shipped>,
  kind: string,
): Readonly<Record<string, string>> {
  return [...shipped.values()].reduce<Readonly<Record<string, string>>>(
    (all, one) => (one.is === 'there' && one.version !== null ? newest(all, { [kind]: one.version }) : all),
    {},
  );
}

/** The revisions that copies have got just now, by cluster. */
export function writtenBy(
  { plan: { advance } }: Pick<Look<unknown, RolloutMember, unknown>, 'plan'>,
  shipped: ReadonlyMap<string, Shipped>,
): ReadonlyMap<string, string> {
  const isThere = ({ cluster }: { readonly cluster: string }): boolean =>
    shipped.get(cluster)?.is === 'there';
  return new Map(advance.filter(isThere).map(({ cluster, revision }) => [cluster, revision]));
}

/**
 * A marker for each copy that could not be written, by cluster, and for each copy that could not be checked
 * because of that. Where neither is to be done any more, none stays; of checks, where no open stage waits for
 * them.
 */
export function refusedAfter<C, M extends RolloutMember, B>(
  { members, memory, plan: { advance, verify = [], checking = [] } }: Look<C, M, B>,
  shipped: ReadonlyMap<string, Shipped>,
  generationOf: (member: M) => number | null,
  now: number,
): Readonly<Record<string, RefusedCopy>> {
  const byCluster = new Map(members.map((member) => [member.site.cluster, member]));
  const refused = new Map(Object.entries(memory.refused));
  const due: readonly Due[] = [...advance, ...verify.map((ask) => ({ ...ask, asked: askedIn(ask) }))];
  const isDue = new Set(due.map(({ cluster }) => cluster));
  const isOpen = new Set(checking);
  for (const { target, unordered } of members) {
    const marker = refused.get(target.cluster);
    const isStanding = unordered !== undefined && isOpen.has(target.cluster);
    const isOver = marker?.asked === undefined ? isReadyAs(target, marker) : !isStanding;
    if (isOver && !isDue.has(target.cluster)) refused.delete(target.cluster);
  }
  for (const { cluster, revision, asked } of due) {
    const one = shipped.get(cluster);
    if (one === undefined) continue;
    const member = byCluster.get(cluster);
    const generation = member === undefined ? null : generationOf(member);
    const copy = { revision, generation, ...(asked === undefined ? {} : { asked }) };
    if (one.is === 'unwritten')
      refused.set(cluster, unwritten(one.refusal, copy, memory.refused[cluster], now));
    else if (one.is === 'refused') refused.set(cluster, { ...copy, ...one.refusal, at: now });
    else refused.delete(cluster);
  }
  return markersOf(refused, (cluster) => byCluster.has(cluster));
}

type Due = Pick<RefusedCopy, 'revision' | 'asked'> & { readonly cluster: string };

/** While a marker stands, its copy is not said to be Ready. */
function isReadyAs({ verdict, revision, isStale = false }: Target, marker: RefusedCopy | undefined): boolean {
  return verdict === 'Ready' && !isStale && revision === marker?.revision;
}
