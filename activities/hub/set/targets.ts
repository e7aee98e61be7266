// What the planner is told of each site: with which revision its Capp was written, and what is known about
// exactly that. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { isHeldBack, isPaused } from '../../../crds/capp/requests.ts';
import { childName, setOf, writtenOf } from '../../../crds/set/child.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import type { SetSiteReason } from '../../../crds/set/status.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import type { Judging, RolloutMember } from '../rollout/look.ts';
import { knownSince } from '../rollout/lost.ts';
import { verdictOn } from '../rollout/refusals.ts';
import { withUnordered, type Unordered } from '../rollout/unordered.ts';
import { nameIn, observed, readyOf, settlingAt, writtenAt, type About } from './observed.ts';
import type { SelectedSite } from './selected.ts';
import { unverified } from './verification.ts';
import type { WantedContent, wantedBy } from './wanted.ts';

/** A site of the set, with its Capp. */
export interface SetMember extends RolloutMember {
  readonly site: SelectedSite;
  readonly name: string;
  /** Null if there is none of the set. */
  readonly child: Capp | null;
  /** Another object has the name. */
  readonly isTaken: boolean;
  /** Why it is not Ready, for people; null if it is. */
  readonly problem: { readonly reason: string; readonly message: string } | null;
}

export interface SeenSet extends Judging {
  readonly set: Pick<CappSet, 'metadata'>;
  /** By the set's own spec. */
  readonly wanted: ReturnType<typeof wantedBy>;
  capp(name: string): Capp | undefined;
}

/** The Capp of the set for a cluster, or whether another object has its name. */
export function childOn(
  { set, capp }: Pick<SeenSet, 'set' | 'capp'>,
  cluster: string,
): Pick<SetMember, 'name' | 'child' | 'isTaken'> {
  const name = childName(set.metadata.name, cluster);
  const found = capp(name);
  const isOwn = found !== undefined && setOf(found) === setKey(set);
  return { name, child: isOwn ? found : null, isTaken: found !== undefined && !isOwn };
}

export function memberOn(seen: SeenSet, site: SelectedSite): SetMember {
  const { name, child, isTaken } = childOn(seen, site.cluster);
  const wanted = seen.wanted(site, child);
  const base = {
    cluster: site.cluster,
    labels: site.labels,
    reachable: site.reachable,
    ...(site.lostSince === null ? {} : { lostSince: site.lostSince }),
    ...(site.draining ? { isDrained: true } : {}),
    ...(wanted.isDisabled ? { isToBeDisabled: true } : {}),
  };
  const member = { site, name, child, isTaken };
  const refusal = standing(seen, { ...member, wanted });
  if (refusal !== null)
    return { ...member, target: { ...base, ...refusedOf(refusal, seen) }, settlesAt: null, problem: refusal };
  const about = { ...seen, site };
  const overridden = child === null ? null : overriddenOf(child, wanted, about);
  if (overridden !== null) {
    const target = { ...base, revision: seen.revision, verdict: 'Failed', since: overridden.since } as const;
    return { ...member, target, settlesAt: null, problem: overridden.problem };
  }
  const found = observed(child, wanted, about);
  const target = { ...base, ...found, since: knownSince(found, site, seen.now) };
  const settlesAt = child === null || target.verdict !== 'Ready' ? null : settlingAt(child, seen.now);
  const unshipped: Target = { ...target, verdict: 'Progressing' };
  if (settlesAt !== null && child !== null && isHeldBack(child))
    return { ...member, target: unshipped, settlesAt: null, problem: heldBack(child) };
  if (settlesAt === null || settlesAt <= seen.now) {
    const asked = withUnordered(target, ...unorderedOf(seen, site.cluster, child));
    const unasked = target.verdict === 'Ready' ? asked.unordered : undefined;
    return { ...member, ...asked, settlesAt: null, problem: unasked ?? problemOf(child) };
  }
  const early = problem(
    'Progressing',
    'The Capp was written a moment ago, and its status may be from before.',
  );
  return { ...member, target: unshipped, settlesAt, problem: early };
}

/** As long as the Capp is what could not be asked. */
function unorderedOf(
  seen: SeenSet,
  cluster: string,
  child: Capp | null,
): [one: Unordered | undefined, revision: string] {
  const one = seen.unordered?.[cluster];
  const isSame = one !== undefined && child?.metadata.generation === one.marker.generation;
  return isSame ? [one, nameIn(seen, one.marker.revision)] : [undefined, ''];
}

/** How `setOf` names the set of a Capp. */
export function setKey({ metadata: { namespace = '', uid = '' } }: Pick<CappSet, 'metadata'>): string {
  return `${namespace}/${uid}`;
}

/** Why the Capp could not be written, as long as that reason holds. */
function standing(
  { refused }: SeenSet,
  {
    site,
    child,
    isTaken,
    wanted,
  }: Pick<SetMember, 'site' | 'child' | 'isTaken'> & { readonly wanted: WantedContent },
): RefusedCopy | null {
  const one = refused[site.cluster];
  if (one === undefined) return null;
  if (one.reason === 'NameTaken') return isTaken ? one : null;
  if (one.reason === 'MissingLabel') return wanted.missingLabel === null ? null : one;
  return (child?.metadata.generation ?? null) === one.generation ? one : null;
}

function refusedOf(refused: RefusedCopy, seen: SeenSet): Pick<Target, 'revision' | 'verdict' | 'since'> {
  return { revision: nameIn(seen, refused.revision), verdict: verdictOn(refused), since: refused.at };
}

/**
 * What somebody has changed of a Capp that the set wrote as it is rendered; null if nothing: such a Capp
 * proves nothing, and stays.
 */
function overriddenOf(
  child: Capp,
  wanted: WantedContent,
  about: About,
): { readonly since: number; readonly problem: NonNullable<SetMember['problem']> } | null {
  const written = writtenOf(child.metadata);
  const isSame =
    written !== null &&
    nameIn(about, written.revision) === about.revision &&
    written.content === wanted.content;
  if (!isSame || child.metadata.deletionTimestamp !== undefined) return null;
  const fields = wanted.overridden;
  if (fields.length === 0) return null;
  const message = `Somebody has changed ${fields.join(', ')} of Capp ${child.metadata.name}, which the set writes. Undo that, or delete the Capp, and it is written again.`;
  return { since: writtenAt(written.at, about), problem: problem('Overridden', message) };
}

function heldBack(child: Capp): NonNullable<SetMember['problem']> {
  const { namespace = '', name } = child.metadata;
  const message = isPaused(child)
    ? `The Capp is paused, so what the set has written since is not shipped. Let it go on: kubectl capp resume ${name} -n ${namespace}.`
    : 'The Capp is paused no more, and what the set has written since is shipped as soon as its workflow goes on.';
  return problem('Progressing', message);
}

function problemOf(child: Capp | null): SetMember['problem'] {
  if (child === null) return problem('NotWritten', 'There is no Capp for this site yet.');
  if (child.metadata.deletionTimestamp !== undefined)
    return problem('Deleting', 'The Capp is being deleted. It is written again when it is gone.');
  const ready = readyOf(child);
  if (ready === null) return problem('NotObserved', 'Nothing is known of the Capp yet.');
  const { status, reason, message, observedGeneration } = ready;
  if (observedGeneration !== child.metadata.generation)
    return problem('Progressing', 'The status is about an earlier generation of the Capp.');
  return status === 'True' ? unverified(child) : { reason, message };
}

function problem(reason: SetSiteReason, message: string): NonNullable<SetMember['problem']> {
  return { reason, message };
}
