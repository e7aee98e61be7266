// What the planner is told of each site of a Bundle: which revision its work carries, and what is known about exactly
// that. Pure.
import type { Refused } from '../../../workflows/stages/memory.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { HUB_TIMES } from '../times.ts';
import type { Rendered } from './manifests/render.ts';
import type { BundleWork } from './status/seen.ts';
import type { Site } from './sites.ts';

/** A site that may have the Bundle, with its work. */
export interface Member {
  readonly site: Site;
  readonly work: BundleWork | undefined;
  readonly target: Target;
  /** Why the work could not be written, as long as that counts. */
  readonly refused: Refused | null;
  /** When something counts as failed that does not yet, in milliseconds since the epoch; null if nothing does. */
  readonly failsAt: number | null;
}

export interface Known {
  readonly rendered: Pick<Rendered, 'revision' | 'content'>;
  readonly refused: Readonly<Record<string, Refused>>;
  readonly now: number;
}

export function memberOn(known: Known, site: Site, work: BundleWork | undefined): Member {
  const refused = known.refused[site.cluster] ?? null;
  const base = { cluster: site.cluster, labels: site.labels, reachable: site.isReachable };
  if (refused !== null) {
    const { revision, at: since } = refused;
    return { site, work, refused, failsAt: null, target: { ...base, revision, verdict: 'Failed', since } };
  }
  const revision = revisionOn(known, work);
  if (work === undefined || revision === null)
    return { site, work, refused, failsAt: null, target: none(base) };
  const { seen } = work;
  const since = Math.max(seen.at, Math.min(seen.since, known.now));
  const settlesAt = since + HUB_TIMES.bundleSettles.ms;
  const isEarly = seen.state === 'Failed' && known.now < settlesAt && seen.problems.every(mayPass);
  const verdict = isEarly ? 'Progressing' : seen.state;
  const target: Target = { ...base, revision, verdict, since };
  return { site, work, refused, failsAt: isEarly ? settlesAt : null, target };
}

/** What a site refuses at first may be what it takes a moment later, when its kind or its namespace is there. */
function mayPass({ reason }: BundleWork['seen']['problems'][number]): boolean {
  return reason === 'Rejected';
}

/** Null where there is no work, and where it does not carry what it says: it is written as if there were none. */
function revisionOn({ rendered }: Known, work: BundleWork | undefined): string | null {
  if (work === undefined || work.metadata.deletionTimestamp !== undefined) return null;
  const { revision, content } = work.seen;
  return revision === rendered.revision && content !== rendered.content ? null : revision;
}

function none(base: Pick<Target, 'cluster' | 'labels' | 'reachable'>): Target {
  return { ...base, revision: null, verdict: 'Progressing', since: 0 };
}
