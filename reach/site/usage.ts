// What the Pods of a Capp use on a site, as its metrics API says.
import { KNATIVE_SERVICE_LABEL } from '../../crds/kubernetes/knative.ts';
import { ApiError, isForbidden, isNotFound } from '../../kube/failure.ts';
import { withQuery } from '../../kube/http/request.ts';
import { MOST_PODS } from '../bounds.ts';
import type { ContainerUsage } from '../pods.ts';
import { READER_TIMES } from '../times.ts';
import { usageIn } from './answers.ts';
import { noUsage, type UsageMissing } from './sentences.ts';
import type { Way } from './way.ts';

export type FoundUsage =
  | { readonly is: 'usage'; readonly of: ReadonlyMap<string, readonly ContainerUsage[]> }
  /** A sentence why nothing is known. */
  | { readonly is: 'none'; readonly why: string };

interface UsageAsk {
  readonly site: string;
  readonly capp: { readonly namespace: string; readonly name: string };
}

/** Throws the signal's reason: nothing that a site answers is thrown. Takes the time of one call. */
export async function usageOn(
  { kube }: Pick<Way, 'kube'>,
  { site, capp: { namespace, name } }: UsageAsk,
  signal: AbortSignal,
): Promise<FoundUsage> {
  const bounded = kube.within({ until: Date.now() + READER_TIMES.site.ms, signal });
  const query = { labelSelector: `${KNATIVE_SERVICE_LABEL}=${name}`, limit: MOST_PODS };
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/pods`;
  try {
    return { is: 'usage', of: usageIn(await bounded.raw('GET', withQuery(path, query)), namespace) };
  } catch (error) {
    signal.throwIfAborted();
    return { is: 'none', why: noUsage(site, missingIn(error)) };
  }
}

function missingIn(error: unknown): UsageMissing {
  if (isNotFound(error)) return 'NoApi';
  if (isForbidden(error)) return 'MayNot';
  // As the API server answers for an API whose server is not there.
  return error instanceof ApiError && error.code === 503 ? 'Silent' : 'Unreadable';
}
