// Does what a look at a set has come to: writes the Capps that the plan names, and removes those that may go.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { contentOf, render, type RevisionContent } from '../../../crds/set/render.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { removeAsSeen } from '../retire/as-seen.ts';
import { isAhead } from '../rollout/ahead.ts';
import type { RemovedCopies, Shipped } from '../rollout/kind.ts';
import type { Look } from '../rollout/look.ts';
import { tellable, whyUnwritten } from '../rollout/refusals.ts';
import { removeEach, writeEach } from '../rollout/writes.ts';
import { isReady } from './observed.ts';
import { patternOf } from './revisions.ts';
import type { ExcludedSite } from './selected.ts';
import type { SetMember } from './targets.ts';
import { orderChecks } from './verification.ts';
import { nameTaken, writeChild, type SetRefusal } from './write-child.ts';

export type SetLook = Look<Capp, SetMember, ExcludedSite>;

export interface SetOrder {
  readonly kube: Kube;
  readonly set: CappSet;
  readonly look: SetLook;
  readonly most: number;
  readonly now: number;
}

/** What became of each Capp that was to be written, by cluster. */
export async function shipAll(order: SetOrder): Promise<ReadonlyMap<string, Shipped<SetRefusal>>> {
  const { look, most } = order;
  const members = new Map(look.members.map((member) => [member.site.cluster, member]));
  const patternFor = patterns(order);
  const next = look.plan.advance.slice(0, most).flatMap(({ cluster, revision }) => {
    const member = members.get(cluster);
    return member === undefined ? [] : [{ member, revision }];
  });
  const tried = await writeEach(next, async ({ member, revision }) =>
    advance(order, member, revision, await patternFor(revision)),
  );
  return new Map([
    ...[...tried].map(
      ([{ member }, one]) =>
        [member.site.cluster, one instanceof ApiError ? unwritten(`Capp ${member.name}`, one) : one] as const,
    ),
    ...(await ordered(order, members)),
  ]);
}

/**
 * Has those checked that the plan names. What the API server cannot write now is tried again, as a Capp is.
 */
async function ordered(
  { kube, look, most, now }: SetOrder,
  members: ReadonlyMap<string, SetMember>,
): Promise<(readonly [string, Shipped<SetRefusal>])[]> {
  const asks = tellable(look.plan.verify ?? [], { refused: look.memory.refused, most });
  const next = asks.flatMap((ask) => {
    const child = members.get(ask.cluster)?.child ?? null;
    return child === null ? [] : [{ ask, child }];
  });
  const tried = await writeEach(next, async ({ ask, child }): Promise<Shipped<SetRefusal>> => ({
    is: 'there',
    version: await orderChecks(kube, child, ask, now),
  }));
  return [...tried].map(([{ ask, child }, one]) => [
    ask.cluster,
    one instanceof ApiError ? unwritten(`the checks of Capp ${child.metadata.name}`, one) : one,
  ]);
}

function unwritten(what: string, error: ApiError): Shipped<SetRefusal> {
  return { is: 'unwritten', refusal: { reason: 'WriteFailed', message: whyUnwritten(what, error) } };
}

/**
 * Throws ApiError when the API server does not answer to a removal: whether it was carried out is found by
 * the next try. A Capp that has become Ready since the look stays.
 */
export async function removeReleased(
  kube: Kube,
  { released: { clusters }, left }: Pick<SetLook, 'released' | 'left'>,
): Promise<RemovedCopies> {
  // As many Capps of a site as it was released for: somebody may have written the same site into two Capps.
  const free = [...clusters];
  const siteOf = ({ spec, metadata }: Capp): string => spec.site ?? metadata.name;
  const going = left.filter((child) => {
    const at = child.metadata.deletionTimestamp === undefined ? free.indexOf(siteOf(child)) : -1;
    if (at !== -1) free.splice(at, 1);
    return at !== -1;
  });
  return removeEach(going, siteOf, (child) =>
    removeAsSeen(kube, CAPP, child, (live) => isReady(live as Capp) === isReady(child)),
  );
}

/** Each pattern is read once. */
function patterns({ kube, set, look }: SetOrder): (revision: string) => Promise<RevisionContent | null> {
  const known = new Map<string, Promise<RevisionContent | null>>();
  return (revision) => {
    if (revision === look.memory.rollout.revision) return Promise.resolve(set.spec);
    const reading = known.get(revision) ?? patternOf(kube, set, revision);
    known.set(revision, reading);
    return reading;
  };
}

async function advance(
  { kube, set, now }: SetOrder,
  { site, name, child, isTaken }: SetMember,
  revision: string,
  pattern: RevisionContent | null,
): Promise<Shipped<SetRefusal>> {
  if (isTaken) return nameTaken(name);
  if (child?.metadata.deletionTimestamp !== undefined) return { is: 'waits', refusal: null };
  if (pattern === null) return forgotten(revision);
  const rendered = render(pattern, site);
  if ('missingLabel' in rendered) return missing(site.cluster, rendered.missingLabel);
  const before = child === null ? null : writtenOf(child.metadata);
  const isSame = before !== null && isSameRevision(before.revision, revision);
  const isDone = isSame && before.content === contentOf(rendered) && !isAhead(before.at, now);
  if (isDone) return { is: 'there', version: null };
  return writeChild(kube, { set, cluster: site.cluster, name, child, revision, rendered }, now);
}

function missing(cluster: string, label: string): Shipped<SetRefusal> {
  const message = `ManagedCluster ${cluster} has no label ${label}, which the template names. Label it, or leave it out.`;
  return { is: 'refused', refusal: { reason: 'MissingLabel', message } };
}

function forgotten(revision: string): Shipped<SetRefusal> {
  const message = `The SetRevision of ${revision} is no longer kept, so the site cannot get it. Edit the template.`;
  return { is: 'refused', refusal: { reason: 'RevisionGone', message } };
}
