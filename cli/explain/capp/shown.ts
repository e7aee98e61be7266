// What a site itself shows of a Capp of which its agent says nothing: for people, and for no decision. Pure.
import type { ReachedPod } from '../../../reach/pods.ts';

/** Of one site. */
export interface ShownSite {
  readonly site: string;
  /** A sentence. */
  readonly says: string;
}

/** A site without Pods is in the list too, where it was asked. What is missing of no site is so of each. */
export function shownBy(
  sites: readonly string[],
  {
    pods,
    missing,
  }: {
    readonly pods: readonly ReachedPod[];
    readonly missing: readonly { readonly site: string; readonly why: string }[];
  },
): ShownSite[] {
  return sites.map((site) => {
    const why = missing.find((one) => one.site === site)?.why;
    if (why !== undefined) return { site, says: `${why}.` };
    const all = missing.find((one) => one.site === '')?.why;
    if (all !== undefined) return { site, says: `${site}: ${all}.` };
    const there = pods.filter((pod) => pod.site === site);
    return { site, says: there.length === 0 ? `${site} has no Pod of it now.` : countOf(site, there) };
  });
}

function countOf(site: string, pods: readonly ReachedPod[]): string {
  const ready = pods.filter((pod) => pod.ready && pod.phase !== 'Terminating').length;
  const revisions = [...new Set(pods.map(({ revision }) => revision ?? 'no revision'))].toSorted();
  const restarts = pods.reduce((sum, one) => sum + one.restarts, 0);
  const again = restarts === 0 ? '' : `, with ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`;
  return `${site} has ${pods.length} ${pods.length === 1 ? 'Pod' : 'Pods'} of it now, ${ready} ready (${revisions.join(', ')})${again}.`;
}
