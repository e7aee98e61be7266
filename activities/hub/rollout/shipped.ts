// What became of the copies that a turn was to write: what the rollout remembers of them, and what its next
// turn must see. Pure.
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import { newest } from '../../../workflows/types/ring.ts';
import type { Shipped } from './kind.ts';
import type { Look, RolloutMember } from './look.ts';
import { markersOf, unwritten } from './refusals.ts';

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

/** A marker for each copy that could not be written, by cluster. */
export function refusedAfter<C, M extends RolloutMember, B>(
  { members, memory, plan: { advance } }: Look<C, M, B>,
  shipped: ReadonlyMap<string, Shipped>,
  generationOf: (member: M) => number | null,
  now: number,
): Readonly<Record<string, RefusedCopy>> {
  const byCluster = new Map(members.map((member) => [member.site.cluster, member]));
  const refused = new Map(Object.entries(memory.refused));
  for (const { cluster, revision } of advance) {
    const one = shipped.get(cluster);
    if (one === undefined) continue;
    const member = byCluster.get(cluster);
    const copy = { revision, generation: member === undefined ? null : generationOf(member) };
    if (one.is === 'unwritten')
      refused.set(cluster, unwritten(one.refusal, copy, memory.refused[cluster], now));
    else if (one.is === 'refused') refused.set(cluster, { ...copy, ...one.refusal, at: now });
    else refused.delete(cluster);
  }
  return markersOf(refused, (cluster) => byCluster.has(cluster));
}
