// How often the containers of a Capp's Pods have restarted, by a live read of the site.
import { POD, type Pod } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE_LABEL, QUEUE_PROXY } from '../../../crds/kubernetes/knative.ts';
import type { Kube } from '../../../kube/client.ts';
import { AGENT_TIMES } from '../times.ts';

/** Null where nobody knows, which counts for nothing. Never throws. */
export type CountRestarts = (capp: {
  readonly namespace: string;
  readonly name: string;
}) => Promise<number | null>;

/** Of a Capp with more Pods the restarts are not known: the report itself must come in time. */
const MOST_PODS = 2_000;

export function restartsOn(kube: Pick<Kube, 'within'>): CountRestarts {
  return async ({ namespace, name }) => {
    const labelSelector = `${KNATIVE_SERVICE_LABEL}=${name}`;
    // One deadline for all pages.
    const until = Date.now() + AGENT_TIMES.read.ms;
    const bounded = kube.within({ until, signal: new AbortController().signal });
    try {
      return sumOf((await bounded.list<Pod>(POD, { namespace, labelSelector, keep: counted() })).items);
    } catch {
      return null;
    }
  };
}

/** Keeps of each Pod what is counted. Throws at one Pod too many, so that no further page is read. */
function counted(): (pod: Pod) => Pod {
  let pods = 0;
  return ({ metadata: { name }, status }) => {
    pods += 1;
    if (pods > MOST_PODS) throw new Error(`The Capp has more than ${MOST_PODS} Pods`);
    const containerStatuses = (status?.containerStatuses ?? []).map(countOf);
    return { metadata: { name }, status: { containerStatuses } };
  };
}

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

function countOf({ name, restartCount = 0 }: ContainerStatus): ContainerStatus {
  return { name, restartCount };
}

function sumOf(pods: readonly Pod[]): number {
  const all = pods.flatMap(({ status }) => status?.containerStatuses ?? []);
  return all
    .filter(({ name }) => name !== QUEUE_PROXY)
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}
