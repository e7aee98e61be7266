// Does what a look at a set has come to: removes Capps that may go, and writes those that the plan names.
import type { CappSet } from '../../../crds/set/cappset.ts';
import { contentOf, render, type Pattern } from '../../../crds/set/render.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import type { SetSiteReason } from '../../../crds/set/status.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { newest } from '../../../workflows/types/ring.ts';
import { markersOf, unwritten, whyUnwritten } from '../rollout/refusals.ts';
import type { RefusedRemoval } from '../rollout/unremoved.ts';
import { removeEach, writeEach } from '../rollout/writes.ts';
import { patternOf } from './revisions.ts';
import type { Member } from './targets.ts';
import type { Look } from './planned.ts';
import { removeChild, nameTaken, writeChild, type Outcome } from './write-child.ts';

/** Why a Capp was not written that may be written at the next try. */
const UNWRITTEN: SetSiteReason = 'WriteFailed';

export interface Order extends Look {
  readonly kube: Kube;
  readonly set: CappSet;
  readonly now: number;
  readonly most: number;
}

export interface Done {
  /** A marker for each Capp of the set that could not be written. */
  readonly refused: Readonly<Record<string, Refused>>;
  /** The newest of what was written; empty if nothing was. */
  readonly resourceVersion: string;
  /** Sites to which something was to be written, with whatever outcome. */
  readonly tried: ReadonlySet<string>;
  /** There is more to write or to remove than one turn does. */
  readonly isMore: boolean;
  /** Capps that were released, and are still there. */
  readonly unremoved: readonly RefusedRemoval[];
}

/**
 * Throws ApiError when the API server does not answer to a removal: whether it was carried out is found by
 * the next try.
 */
export async function carryOut(order: Order): Promise<Done> {
  const unremoved = await removeReleased(order);
  return { ...(await write(order)), unremoved };
}

async function write(order: Order): Promise<Omit<Done, 'unremoved'>> {
  const { plan, members, memory, most, released, now } = order;
  const byCluster = new Map(members.map((member) => [member.site.cluster, member]));
  const refused = new Map(Object.entries(memory.refused));
  const tried = await writeAll(order, byCluster);
  for (const [cluster, { outcome, revision, child, name }] of tried) {
    const copy = { revision, generation: child?.metadata.generation ?? null };
    if (outcome instanceof ApiError) {
      const why = { reason: UNWRITTEN, message: whyUnwritten(`Capp ${name}`, outcome) };
      refused.set(cluster, unwritten(why, copy, memory.refused[cluster], now));
    } else if (outcome?.is === 'refused') {
      const { reason, message } = outcome;
      refused.set(cluster, { ...copy, reason, message, at: now });
    } else if (outcome !== null) refused.delete(cluster);
  }
  return {
    refused: markersOf(refused, (cluster) => byCluster.has(cluster)),
    resourceVersion: newestOf(tried),
    isMore: plan.advance.length > tried.size || (released.held === 0 && released.clusters.length === most),
    tried: new Set(tried.keys()),
  };
}

interface Tried extends Pick<Member, 'child' | 'name'> {
  readonly revision: string;
  /** Null if there was nothing to write. */
  readonly outcome: Outcome | ApiError | null;
}

async function writeAll(
  order: Order,
  members: ReadonlyMap<string, Member>,
): Promise<ReadonlyMap<string, Tried>> {
  const patternFor = patterns(order);
  const next = order.plan.advance.slice(0, order.most).flatMap(({ cluster, revision }) => {
    const member = members.get(cluster);
    return member === undefined ? [] : [{ member, revision }];
  });
  const tried = await writeEach(next, async ({ member, revision }) =>
    advance(order, member, revision, await patternFor(revision)),
  );
  return new Map(
    [...tried].map(([{ member, revision }, outcome]) => [
      member.site.cluster,
      { ...member, revision, outcome },
    ]),
  );
}

/** The newest of what was written; empty if nothing was. */
function newestOf(tried: ReadonlyMap<string, Tried>): string {
  const versions = [...tried.values()].flatMap(({ outcome }) =>
    outcome !== null && !(outcome instanceof ApiError) && outcome.is === 'written'
      ? [outcome.resourceVersion]
      : [],
  );
  const seen = versions.reduce<Readonly<Record<string, string>>>(
    (all, version) => newest(all, { Capp: version }),
    {},
  );
  return seen['Capp'] ?? '';
}

async function removeReleased({ kube, released: { clusters }, left }: Order): Promise<Done['unremoved']> {
  const { unremoved } = await removeEach(clusters, String, async (cluster) => {
    const child = left.get(cluster);
    if (child !== undefined) await removeChild(kube, child);
  });
  return unremoved;
}

/** Each pattern is read once. */
function patterns({ kube, set, memory }: Order): (revision: string) => Promise<Pattern | null> {
  const known = new Map<string, Promise<Pattern | null>>();
  return (revision) => {
    if (revision === memory.rollout.revision) return Promise.resolve(set.spec);
    const reading = known.get(revision) ?? patternOf(kube, set, revision);
    known.set(revision, reading);
    return reading;
  };
}

/** Null if there is nothing to write. */
async function advance(
  { kube, set, now }: Order,
  { site, name, child, isTaken }: Member,
  revision: string,
  pattern: Pattern | null,
): Promise<Outcome | null> {
  if (isTaken) return nameTaken(name);
  if (child?.metadata.deletionTimestamp !== undefined) return null;
  if (pattern === null) return forgotten(revision);
  const rendered = render(pattern, site);
  if ('missingLabel' in rendered) return missing(site.cluster, rendered.missingLabel);
  const before = child === null ? null : writtenOf(child.metadata);
  const isSame = before !== null && isSameRevision(before.revision, revision);
  if (isSame && before.content === contentOf(rendered)) return null;
  return writeChild(kube, { set, cluster: site.cluster, name, child, revision, rendered }, now);
}

function missing(cluster: string, label: string): Outcome {
  const message = `ManagedCluster ${cluster} has no label ${label}, which the template names. Label it, or leave it out.`;
  return { is: 'refused', reason: 'MissingLabel', message };
}

function forgotten(revision: string): Outcome {
  const message = `The SetRevision of ${revision} is no longer kept, so the site cannot get it. Edit the template.`;
  return { is: 'refused', reason: 'RevisionGone', message };
}
