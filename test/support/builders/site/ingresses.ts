// Ingresses and Pods of a site, and where its stand-in sends requests.
import type { AnsweringPod } from '../../../../deploy/local/standins/ingress/answering-pod.ts';
import type { AppRequest, Routes } from '../../../../deploy/local/standins/ingress/destination.ts';
import type {
  KnativeIngress,
  Path,
  IngressRule,
  Split,
} from '../../../../deploy/local/standins/ingress/ingress-object.ts';

export const HOST = 'hello.ns.site-1.localhost';
export const INSIDE = 'hello.ns.svc.cluster.local';

/** A revision with its share of the requests. */
export const to = (revision: string, percent?: number): Split => ({
  serviceNamespace: 'ns',
  serviceName: revision,
  ...(percent === undefined ? {} : { percent }),
});

/** One rule of an Ingress. */
export const rule = (hosts: readonly string[], paths: readonly Path[], visibility?: string): IngressRule => ({
  hosts,
  http: { paths },
  ...(visibility === undefined ? {} : { visibility }),
});

/** An Ingress with these rules. */
export const made = (
  name: string,
  rules: readonly IngressRule[],
  creationTimestamp = '2026-01-01T00:00:00Z',
): KnativeIngress => ({
  metadata: { name, namespace: 'ns', generation: 2, creationTimestamp },
  spec: { rules },
});

/** The Ingress of Service hello: by its name inside, and by its hostname outside. */
export const service = (...splits: readonly Split[]): KnativeIngress =>
  made('hello', [rule([INSIDE], [{ splits }], 'ClusterLocal'), rule([HOST], [{ splits }], 'ExternalIP')]);

/** A Pod of a revision. */
export const pod = (revision: string, name = `${revision}-a`, takesRequests = true): AnsweringPod => ({
  namespace: 'team',
  name,
  container: 'app',
  revision,
  image: 'i',
  takesRequests,
});

/** What of a site decides where a request goes. */
export function routes(ingresses: readonly KnativeIngress[], pods: readonly AnsweringPod[]): Routes {
  return {
    ingressesFor: (host) =>
      ingresses.filter(({ spec }) => spec?.rules?.some(({ hosts = [] }) => hosts.includes(host))),
    podsOf: (namespace, revision) =>
      namespace === 'ns' ? pods.filter((one) => one.revision === revision) : [],
  };
}

/** Draws these numbers, one after the other. */
export const draws =
  (...numbers: number[]) =>
  () =>
    numbers.shift() ?? 0;

/** A request as a browser sends it. */
export const asked = (more: Partial<AppRequest> = {}): AppRequest => ({
  host: HOST,
  path: '/',
  headers: {},
  isSecure: false,
  ...more,
});
