// How often the containers of a Capp's Pods have restarted, by a live read of the site.
import { POD, type Pod } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE_LABEL } from '../../../crds/kubernetes/knative.ts';
import type { Kube } from '../../../kube/client.ts';
import { AGENT_TIMES } from '../times.ts';

/** Null where nobody knows, which counts for nothing. Never throws. */
export type CountRestarts = (capp: {
  readonly namespace: string;
  readonly name: string;
}) => Promise<number | null>;

/** Knative's own container: its restarts say nothing of the app. */
const QUEUE_PROXY = 'queue-proxy';

export function restartsOn(kube: Pick<Kube, 'list'>): CountRestarts {
  return async ({ namespace, name }) => {
    const labelSelector = `${KNATIVE_SERVICE_LABEL}=${name}`;
    const deadlineMs = AGENT_TIMES.read.ms;
    try {
      return sumOf((await kube.list<Pod>(POD, { namespace, labelSelector, deadlineMs })).items);
    } catch {
      return null;
    }
  };
}

function sumOf(pods: readonly Pod[]): number {
  const all = pods.flatMap(({ status }) => status?.containerStatuses ?? []);
  return all
    .filter(({ name }) => name !== QUEUE_PROXY)
    .reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}
