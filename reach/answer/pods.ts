// The answer to `pods`: the Capp's Pods on all its sites.
import { isNotThere, readCapp } from './capp.ts';
import type { Context } from './context.ts';
import type { Question } from '../asked.ts';
import { REACH_GROUP, REACH_VERSION } from '../names.ts';
import { reached, type ReachedPod } from '../pods.ts';
import { lookAt } from '../site/look.ts';

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
  return {
    apiVersion: `${REACH_GROUP}/${REACH_VERSION}`,
    kind: 'CappPodList',
    metadata: {},
    items: seen.flatMap((one) => (one.is === 'pods' ? one.pods.map((pod) => reached(one.site, pod)) : [])),
    missing: seen.flatMap((one) => {
      const why = one.is === 'none' ? one.why : one.more;
      return why === null ? [] : [{ site: one.site, why }];
    }),
  };
}
