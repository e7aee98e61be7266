// One look at a site: the Capp's Pods there, and the log of one container.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { POD, type Pod } from '../../crds/kubernetes/core.ts';
import { ApiError, isNotFound } from '../../kube/failure.ts';
import { withQuery } from '../../kube/http/request.ts';
import { pathOf, type KubeObject } from '../../kube/resource.ts';
import type { Lines } from '../asked.ts';
import { MOST_BYTES_OF_ONE, MOST_PODS } from '../bounds.ts';
import { boundedLines } from '../lines.ts';
import { isCopyOf, podsOf, SERVICE_LABEL, type Source } from '../pods.ts';
import { READER_TIMES } from '../times.ts';
import { noWay } from './sentences.ts';
import { whyNot, type Way, type Ways } from './way.ts';

export type Seen =
  | { readonly is: 'pods'; readonly site: string; readonly way: Way; readonly pods: readonly Pod[] }
  | { readonly is: 'none'; readonly site: string; readonly why: string };

/** Throws ApiError where the hub does not answer: nothing that a site answers is thrown. */
export async function lookAt(ways: Ways, site: string, capp: Capp): Promise<Seen> {
  const found = await ways.to(site);
  if (found.is === 'none') return { ...found, site };
  try {
    return { site, ...(await podsThere(found.way, site, capp)) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Whatever else a site answers, that of the others is told.
    return { is: 'none', site, why: whyNot(site, error) ?? noWay(site, 'NoAnswer') };
  }
}

async function podsThere(way: Way, site: string, capp: Capp) {
  const { namespace = '', name } = capp.metadata;
  const copy = await way.kube.get<KubeObject>(CAPP, { namespace, name });
  if (copy === null) return { is: 'pods', way, pods: [] } as const;
  if (!isCopyOf(copy, capp)) return { is: 'none', why: noWay(site, 'NotOurs') } as const;
  const { items } = await way.kube.list<Pod & KubeObject>(POD, {
    namespace,
    labelSelector: `${SERVICE_LABEL}=${name}`,
  });
  return { is: 'pods', way, pods: podsOf({ namespace, name }, items).slice(0, MOST_PODS) } as const;
}

export interface LogWanted extends Omit<Lines, 'tail' | 'sinceSeconds'> {
  readonly namespace: string;
  readonly tail?: number | null;
  readonly sinceSeconds?: number | null;
}

/**
 * The lines of one container, each with its time. Ends when the container does, or when the site ends it.
 * Throws ApiError.
 */
export async function* logOf(
  { transport }: Way,
  { pod, container }: Source,
  { namespace, ...wanted }: LogWanted,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const path = withQuery(pathOf(POD, { namespace, name: pod }, 'log'), {
    container,
    timestamps: true,
    ...(wanted.follow ? { follow: true } : { limitBytes: MOST_BYTES_OF_ONE }),
    tailLines: wanted.tail ?? undefined,
    ...(wanted.sinceTime === null
      ? { sinceSeconds: wanted.sinceSeconds || undefined }
      : { sinceTime: wholeSecond(wanted.sinceTime) }),
  });
  try {
    const idleMs = READER_TIMES.silence.ms;
    // A log is text; a refusal is a Status, which `*/*` lets the server choose.
    yield* boundedLines(await transport.open({ method: 'GET', path, accept: '*/*' }, { signal, idleMs }));
  } catch (error) {
    // The Pod has gone between the look and the question.
    if (!isNotFound(error)) throw error;
  }
}

/** The API server takes no fractions here. */
function wholeSecond(time: string): string {
  return time.replace(/\.\d+/, '');
}
