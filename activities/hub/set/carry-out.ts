// Does what a look at a set has come to: removes Capps that may go, and writes those that the plan names.
import type { CappSet } from '../../../crds/set/cappset.ts';
import { contentOf, render, type Pattern } from '../../../crds/set/render.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { newest } from '../../../workflows/types/ring.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { patternOf } from './revisions.ts';
import type { Member } from './targets.ts';
import type { Look } from './planned.ts';
import { refusedBy, removeChild, nameTaken, writeChild, type Outcome } from './write-child.ts';

/** Calls to the API server under way at once. */
const AT_ONCE = 10;
/** Capps that could not be written, in the state: the oldest are forgotten, and tried again. */
const MOST_REFUSED = 100;

export interface Order extends Look {
  readonly kube: Kube;
  readonly set: CappSet;
  readonly now: number;
  readonly most: number;
}

export interface Done {
  /** Of all Capps of the set that could not be written. */
  readonly refused: Readonly<Record<string, Refused>>;
  /** The newest of what was written; empty if nothing was. */
  readonly resourceVersion: string;
  /** There is more to write or to remove than one turn does, or something could not be removed. */
  readonly isMore: boolean;
  /** Of the Capps that were released: so many are still there. */
  readonly missing: number;
}

/**
 * Throws ApiError when the API server does not answer a write, or refuses every removal: what was written is found by the
 * next try. What was removed is not found by it, and must be counted: so a removal that is refused beside others does not
 * throw. Nor does it hold up the other sites: it may be refused for good.
 */
export async function carryOut(order: Order): Promise<Done> {
  const missing = await removeReleased(order);
  const done = await write(order);
  return missing === 0 ? done : { ...done, isMore: true, missing };
}

async function write(order: Order): Promise<Done> {
  const { plan, members, memory, most, released } = order;
  const byCluster = new Map(members.map((member) => [member.site.cluster, member]));
  const few = fewAtOnce(AT_ONCE);
  const patternFor = patterns(order);
  const refused = new Map(Object.entries(memory.refused));
  const versions: string[] = [];
  const chosen = plan.advance.slice(0, most);
  await Promise.all(
    chosen.map(({ cluster, revision }) =>
      few(async () => {
        const member = byCluster.get(cluster);
        const outcome =
          member === undefined ? null : await advance(order, member, revision, await patternFor(revision));
        if (outcome === null || member === undefined) return;
        if (outcome.is === 'refused')
          refused.set(cluster, refusedBy(outcome, { child: member.child, revision }, order.now));
        else {
          refused.delete(cluster);
          versions.push(outcome.resourceVersion);
        }
      }),
    ),
  );
  const seen = versions.reduce<Readonly<Record<string, string>>>(
    (all, version) => newest(all, { Capp: version }),
    {},
  );
  return {
    refused: Object.fromEntries(
      [...refused].filter(([cluster]) => byCluster.has(cluster)).slice(-MOST_REFUSED),
    ),
    resourceVersion: seen['Capp'] ?? '',
    isMore: plan.advance.length > most || (released.held === 0 && released.clusters.length === most),
    missing: 0,
  };
}

/** Returns how many are still there. Throws ApiError when all are. */
async function removeReleased({ kube, released, left }: Order): Promise<number> {
  const few = fewAtOnce(AT_ONCE);
  const tried = await Promise.allSettled(
    released.clusters.map((cluster) =>
      few(async () => {
        const child = left.get(cluster);
        if (child !== undefined) await removeChild(kube, child);
      }),
    ),
  );
  const failures = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const there = failures.filter(isStillThere);
  if (failures.length > 0 && failures.length === tried.length) throw failures[0];
  return there.length;
}

/** Without an answer nobody knows, and it counts as removed. */
function isStillThere(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code !== 0;
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
  // It is written again when it is gone.
  if (child?.metadata.deletionTimestamp !== undefined) return null;
  if (pattern === null) return forgotten(revision);
  const rendered = render(pattern, site);
  if ('missingLabel' in rendered) return missing(site.cluster, rendered.missingLabel);
  const before = child === null ? null : writtenOf(child.metadata);
  if (before?.revision === revision && before.content === contentOf(rendered)) return null;
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
