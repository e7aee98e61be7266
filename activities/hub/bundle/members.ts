// What the planner is told of each site of a Bundle: which revision its work carries, and what is known about
// exactly that. Pure.
import { BUNDLE_REVISION } from '../../../crds/labels.ts';
import { knownAs } from '../../../crds/rollout/revision.ts';
import { readWritten } from '../../../crds/written.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { againFor, givenAt, isAhead } from '../rollout/ahead.ts';
import type { Judging, RolloutMember } from '../rollout/look.ts';
import { knownSince } from '../rollout/lost.ts';
import { verdictOn } from '../rollout/refusals.ts';
import { withUnordered } from '../rollout/unordered.ts';
import { HUB_TIMES } from '../times.ts';
import type { JobVerdict } from '../../../crds/verification/asked-of-jobs.ts';
import { checksOn, type CheckGround } from './checks/seen.ts';
import type { Rendered } from './manifests/render.ts';
import { NONE_FREED, type Freed } from './owners/heirs.ts';
import type { BundleWork } from './status/seen.ts';
import type { BundleSite } from './sites.ts';

/** A site that may have the Bundle, with its work. */
export interface BundleMember extends RolloutMember {
  readonly site: BundleSite;
  readonly work: BundleWork | undefined;
  /** Why the work could not be written, as long as that counts. */
  readonly refused: RefusedCopy | null;
  /** A verdict of its checks that its work does not say yet; null if there is none. */
  readonly unnoted?: JobVerdict | null;
}

export interface BundleFacts extends Omit<Judging, 'revision'> {
  /** `content` is null where nobody knows what is to be shipped: then each work has what it is to have. */
  readonly rendered: Pick<Rendered, 'revision'> &
    Partial<Pick<Rendered, 'formerContents'>> & { readonly content: string | null };
  /** What is to be applied by force (`freedFor`); if absent, nothing. */
  readonly freed?: Freed;
  /** Where stages have checks; if absent, none has. */
  readonly checking?: CheckGround;
}

export function memberOn(known: BundleFacts, site: BundleSite, work: BundleWork | undefined): BundleMember {
  const refused = known.refused[site.cluster] ?? null;
  const base = {
    cluster: site.cluster,
    labels: site.labels,
    reachable: site.isReachable,
    ...(site.lostSince === null ? {} : { lostSince: site.lostSince }),
  };
  if (refused !== null) {
    const { at: since } = refused;
    const revision = nameIn(known, refused.revision);
    const target: Target = { ...base, revision, verdict: verdictOn(refused), since };
    return { site, work, refused, settlesAt: null, target };
  }
  const nothing = { ...base, revision: null, verdict: 'Progressing', since: 0 } as const;
  if (work === undefined) return { site, work, refused, settlesAt: null, target: nothing };
  const { deletionTimestamp } = work.metadata;
  if (deletionTimestamp !== undefined) {
    const target = { ...nothing, leavingSince: Date.parse(deletionTimestamp) };
    return { site, work, refused, settlesAt: null, target };
  }
  const { seen } = work;
  const at = givenAt(seen.at, known.now, site);
  const since = knownSince({ verdict: seen.state, since: saidSince(known, at, seen) }, site, known.now);
  const settlesAt = since + HUB_TIMES.bundleSettles.ms;
  const isEarly = seen.state === 'Failed' && known.now < settlesAt && seen.problems.every(mayPass);
  const freed = known.freed?.get(site.cluster) ?? NONE_FREED;
  const verdict = isEarly || freed.size > 0 ? 'Progressing' : seen.state;
  const has = carriedBy(known, site, work, freed);
  const { unnoted = null, ...checked } = checksOf(known, site, work, has);
  const target: Target = { ...base, ...has, ...checked, verdict, since, writtenAt: at };
  const one = known.unordered?.[site.cluster];
  const asked = withUnordered(target, one, one === undefined ? '' : nameIn(known, one.marker.revision));
  return { site, work, refused, settlesAt: isEarly ? settlesAt : null, ...asked, unnoted };
}

/** As `givenAt`; a clock that is a little ahead counts as now. */
function saidSince({ now }: BundleFacts, at: number, { since }: BundleWork['seen']): number {
  return Math.max(at, isAhead(since, now) ? at : Math.min(since, now));
}

/** Nothing of what was said of another revision than the work has. */
function checksOf(
  known: BundleFacts,
  site: BundleSite,
  work: BundleWork,
  has: Pick<Target, 'revision'>,
): Pick<Target, 'verification'> & Pick<BundleMember, 'unnoted'> {
  const { checking, now } = known;
  const found = checking === undefined ? undefined : checksOn(checking, { site, work }, now);
  if (found === undefined) return {};
  const verification = { ...found.seen, revision: nameIn(known, found.seen.revision) };
  if (verification.revision !== has.revision) return {};
  return { verification, unnoted: found.unnoted };
}

/**
 * What a site refuses at first may be what it takes a moment later, when its kind or its namespace is there.
 */
function mayPass({ reason }: BundleWork['seen']['problems'][number]): boolean {
  return reason === 'Rejected';
}

function nameIn({ rendered, others = [] }: BundleFacts, written: string): string {
  return knownAs(written, [rendered.revision, ...others]);
}

/** A work that does not carry what it says runs on, and is to be written again. */
function carriedBy(
  known: BundleFacts,
  site: BundleSite,
  work: BundleWork,
  freed: ReadonlySet<string>,
): Pick<Target, 'revision' | 'isStale' | 'isMisdated'> {
  const { rendered, now } = known;
  const { seen } = work;
  if (seen.revision === null)
    return { revision: lastGiven(known, site, work), ...againFor(true, seen.at, now) };
  const revision = nameIn(known, seen.revision);
  if (rendered.content === null) return { revision, ...againFor(false, seen.at, now) };
  const isSame = [rendered.content, ...(rendered.formerContents ?? [])].includes(seen.content);
  const isOther = !isSame || !isForcedAs(seen, freed);
  return { revision, ...againFor(revision === rendered.revision && isOther, seen.at, now) };
}

/**
 * With what a work that somebody has changed counts. Where nothing can be sent, it is not to be written again
 * now: only the revision that it was given can be why its site is lost.
 */
function lastGiven(known: BundleFacts, { isReachable }: BundleSite, { metadata }: BundleWork): string {
  const written = isReachable ? null : readWritten(metadata.annotations?.[BUNDLE_REVISION]);
  return written === null ? known.rendered.revision : nameIn(known, written.revision);
}

/**
 * An object is applied by force only for as long as that is needed, so that nobody else loses a field by it.
 */
function isForcedAs({ held: { forced = {} } }: BundleWork['seen'], freed: ReadonlySet<string>): boolean {
  const hashes = Object.keys(forced);
  return hashes.length === freed.size && hashes.every((hash) => freed.has(hash));
}
