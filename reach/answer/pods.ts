// The answer to `pods`: the Capp's Pods on all its sites.
import { isNotThere, readCapp } from './capp.ts';
import type { Context } from './context.ts';
import type { Question } from '../asked.ts';
import { REACH_GROUP, REACH_VERSION } from '../names.ts';
import { reached, type ReachedPod } from '../pods.ts';
import { lookAt, type LookedAt } from '../site/look.ts';
import { usageOn, type FoundUsage } from '../site/usage.ts';

export interface CappPodList {
  readonly apiVersion: string;
  readonly kind: 'CappPodList';
  readonly metadata: object;
  readonly items: readonly ReachedPod[];
  /** A sentence for each site that could not be asked, or has more than are listed. */
  readonly missing: readonly { readonly site: string; readonly why: string }[];
}

/**
 * Throws Refused where there is no such Capp, ApiError where the hub does not answer, and the signal's
 * reason.
 */
export async function answerPods(
  { hub, ways }: Context,
  question: Question,
  signal: AbortSignal,
): Promise<CappPodList> {
  const { capp, sites } = await readCapp(hub, question, signal);
  if (sites.length === 0) throw isNotThere(question);
  const seen = await Promise.all(sites.map((site) => lookAt(ways, site, capp, signal)));
  const used = question.usage ? await Promise.all(seen.map((one) => usedOn(one, question.capp, signal))) : [];
  return {
    apiVersion: `${REACH_GROUP}/${REACH_VERSION}`,
    kind: 'CappPodList',
    metadata: {},
    items: seen.flatMap((one, at) => (one.is === 'pods' ? podsWith(one, used[at]) : [])),
    missing: seen.flatMap((one, at) => {
      const unused = used[at];
      const all = [one.is === 'none' ? one.why : one.more, unused?.is === 'none' ? unused.why : null];
      return all.flatMap((why) => (why === null ? [] : [{ site: one.site, why }]));
    }),
  };
}

/** Null where there are no Pods that could use anything. */
async function usedOn(
  seen: LookedAt,
  capp: Question['capp'],
  signal: AbortSignal,
): Promise<FoundUsage | null> {
  if (seen.is === 'none' || seen.pods.length === 0) return null;
  return usageOn(seen.way, { site: seen.site, capp }, signal);
}

/** A site may know nothing of a Pod that has just begun. */
function podsWith(
  { site, pods }: Extract<LookedAt, { is: 'pods' }>,
  used: FoundUsage | null | undefined,
): ReachedPod[] {
  const plain = pods.map((pod) => reached(site, pod));
  if (used === undefined) return plain;
  return plain.map((pod) => ({
    ...pod,
    usage: used?.is === 'usage' ? (used.of.get(pod.name) ?? null) : null,
  }));
}
