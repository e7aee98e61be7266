// Does what a look at a set has come to: removes Capps that may go, and writes those that the plan names.
import type { CappSet } from '../../../crds/set/cappset.ts';
import { contentOf, render, type Pattern } from '../../../crds/set/render.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { newest } from '../../../workflows/types/ring.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { unremovedOf, type RefusedRemoval } from '../rollout/unremoved.ts';
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
  /** There is more to write or to remove than one turn does. */
  readonly isMore: boolean;
  /** Capps that were released, and are still there. */
  readonly unremoved: readonly RefusedRemoval[];
}

/** Throws ApiError when the API server does not answer: what was written or removed is found by the next try. */
export async function carryOut(order: Order): Promise<Done> {
  const unremoved = await removeReleased(order);
  return { ...(await write(order)), unremoved };
}

async function write(order: Order): Promise<Omit<Done, 'unremoved'>> {
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
  };
}

async function removeReleased({ kube, released: { clusters }, left }: Order): Promise<RefusedRemoval[]> {
  const few = fewAtOnce(AT_ONCE);
  const tried = await Promise.allSettled(
    clusters.map((cluster) =>
      few(async () => {
        const child = left.get(cluster);
        if (child !== undefined) await removeChild(kube, child);
      }),
    ),
  );
  return unremovedOf(clusters, tried);
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
