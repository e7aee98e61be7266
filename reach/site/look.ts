// One look at a site: the Capp's Pods there.
import { KNATIVE_SERVICE_LABEL } from '../../crds/kubernetes/knative.ts';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { POD, type Pod } from '../../crds/kubernetes/core.ts';
import { ApiError, isNotFound } from '../../kube/failure.ts';
import { METADATA, withQuery } from '../../kube/http/request.ts';
import { pathOf } from '../../kube/resource.ts';
import { MOST_PODS } from '../bounds.ts';
import { isCopyOf, podsOf } from '../pods.ts';
import { READER_TIMES } from '../times.ts';
import { copyIn, podsIn } from './answers.ts';
import { noWay } from './sentences.ts';
import { whyNot, type Way, type Ways } from './way.ts';

export type LookedAt =
  | {
      readonly is: 'pods';
      readonly site: string;
      readonly way: Way;
      readonly pods: readonly Pod[];
      /** A sentence where there are more Pods than are looked at. */
      readonly more: string | null;
    }
  /** `isForeign`: what is there is another's, and nothing of it is told from now on. */
  | { readonly is: 'none'; readonly site: string; readonly why: string; readonly isForeign: boolean };

/**
 * Throws ApiError where the hub does not answer, and the signal's reason: nothing that a site answers is
 * thrown. Takes the time of one call, however many there are.
 */
export async function lookAt(ways: Ways, site: string, capp: Capp, signal: AbortSignal): Promise<LookedAt> {
  const found = await ways.to(site, signal);
  if (found.is === 'none') return { ...found, site, isForeign: false };
  try {
    return await podsThere(found.way, site, capp, signal);
  } catch (error) {
    signal.throwIfAborted();
    // Whatever else a site answers, that of the others is told.
    return { is: 'none', site, why: whyNot(site, error) ?? noWay(site, 'NoAnswer'), isForeign: false };
  }
}

async function podsThere({ kube, ...way }: Way, site: string, capp: Capp, signal: AbortSignal) {
  const { namespace = '', name } = capp.metadata;
  const bounded = kube.within({ until: Date.now() + READER_TIMES.site.ms, signal });
  const ask = (path: string, accept?: string): Promise<unknown> =>
    bounded.raw('GET', path, accept === undefined ? {} : { accept });
  const copy = await ask(pathOf(CAPP, { namespace, name }), METADATA).then(copyIn).catch(nullIfNotFound);
  const here = { is: 'pods', site, way: { kube, ...way } } as const;
  if (copy === null) return { ...here, pods: [], more: null };
  if (!isCopyOf(copy, capp))
    return { is: 'none', site, why: noWay(site, 'NotOurs'), isForeign: true } as const;
  const query = { labelSelector: `${KNATIVE_SERVICE_LABEL}=${name}`, limit: MOST_PODS };
  const { pods, hasMore } = podsIn(await ask(withQuery(pathOf(POD, { namespace, name: null }), query)));
  const more = hasMore
    ? `${site} has more than ${MOST_PODS} Pods of ${name}: only the first are shown`
    : null;
  return { ...here, pods: podsOf({ namespace, name }, pods), more };
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && isNotFound(error)) return null;
  throw error;
}
