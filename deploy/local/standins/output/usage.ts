// What the Pods of a site use, as metrics-server says it: figures that follow from names and time alone,
// since nothing runs. Pure.
import type { StandInPod } from '../pods/pod.ts';

const ROOT = '/apis/metrics.k8s.io/v1beta1';
const PODS = new RegExp(`^${ROOT}(?:/namespaces/([^/]+))?/pods$`);

export interface UsageAsked {
  /** Null: of all. */
  readonly namespace: string | null;
  /** `key=value`; all Pods where it is empty. */
  readonly selector: string;
}

/** What is served, for the API server. */
export const DISCOVERY: ReadonlyMap<string, object> = new Map([
  [
    ROOT,
    {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'metrics.k8s.io/v1beta1',
      resources: [{ name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['list'] }],
    },
  ],
]);

/** Null for anything but a list. */
export function usageAsked(url: string): UsageAsked | null {
  const { pathname, searchParams } = new URL(url, 'https://metrics');
  const found = PODS.exec(pathname);
  return found === null
    ? null
    : { namespace: found[1] ?? null, selector: searchParams.get('labelSelector') ?? '' };
}

/** Of the Pods that run. `now` is in milliseconds since the epoch. */
export function usageList(pods: readonly StandInPod[], { selector }: UsageAsked, now: number): object {
  const [key = '', value = ''] = selector.split('=');
  const chosen = pods.filter(
    ({ metadata, status }) =>
      status?.phase === 'Running' && (selector === '' || metadata.labels?.[key] === value),
  );
  return {
    kind: 'PodMetricsList',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: {},
    items: chosen.map(({ metadata: { namespace, name, labels = {} }, spec }) => ({
      metadata: { namespace, name, labels },
      timestamp: new Date(now).toISOString(),
      window: '15s',
      containers: spec.containers.map((container) => ({
        name: container.name,
        usage: { cpu: `${1 + (name.length % 5)}m`, memory: `${16 + container.name.length}Mi` },
      })),
    })),
  };
}
