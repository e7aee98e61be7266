// Which Pod answers a request. Pure: it follows from the request, the rules of the Ingresses, the Pods and
// the numbers that are drawn.
import type { AnsweringPod } from './answering-pod.ts';
import {
  pathsOf,
  weighted,
  type KnativeIngress,
  type Path,
  type IngressRule,
  type IngressTls,
} from './ingress-object.ts';

export interface AppRequest {
  /** As in the header Host: with or without a port. */
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly isSecure: boolean;
}

/** What the site has. */
export interface Routes {
  /** The Ingresses with a rule for this host. */
  ingressesFor(host: string): readonly KnativeIngress[];
  /** All Pods of a revision, also those that take no requests. */
  podsOf(namespace: string, revision: string): readonly AnsweringPod[];
}

export type Destination =
  | { readonly kind: 'pod'; readonly pod: AnsweringPod }
  | { readonly kind: 'with-tls'; readonly host: string; readonly path: string }
  | { readonly kind: 'unknown-host'; readonly host: string }
  | { readonly kind: 'no-path'; readonly host: string; readonly path: string }
  | { readonly kind: 'no-ready-pod'; readonly namespace: string; readonly revision: string };

/** A DomainMapping leads to a Service, so one rewrite is enough; more would be a loop. */
const MOST_REWRITES = 1;

/**
 * `draw` returns numbers from 0 up to, and without, 1. As in Knative, the first path that matches counts, and
 * a share of the requests goes to a split even while its revision has no Pod that takes them.
 */
export function destinationOf(request: AppRequest, routes: Routes, draw: () => number): Destination {
  return destination({ ...request, host: hostOf(request.host) }, { routes, draw, rewrites: 0 });
}

interface Routing {
  readonly routes: Routes;
  readonly draw: () => number;
  readonly rewrites: number;
}

function destination(request: AppRequest, routing: Routing): Destination {
  const { host, path } = request;
  const found = ruleFor(host, routing);
  if (found === undefined) return { kind: 'unknown-host', host };
  const { rule, ingress } = found;
  if (ingress.spec?.httpOption === 'Redirected' && !request.isSecure && routing.rewrites === 0)
    return { kind: 'with-tls', host, path };
  const match = pathsOf(rule).find((one) => matches(one, request));
  if (match === undefined) return { kind: 'no-path', host, path };
  if (match.rewriteHost !== undefined) {
    if (routing.rewrites >= MOST_REWRITES) return { kind: 'no-path', host, path };
    const next = { ...routing, rewrites: routing.rewrites + 1 };
    return destination({ ...request, host: hostOf(match.rewriteHost) }, next);
  }
  return podFor(match, request, routing);
}

function podFor(path: Path, request: AppRequest, { routes, draw }: Routing): Destination {
  const split = drawn(weighted(path), draw());
  if (split === undefined) return { kind: 'no-path', host: request.host, path: request.path };
  const { serviceNamespace: namespace, serviceName: revision } = split;
  const pods = routes.podsOf(namespace, revision).filter(({ takesRequests }) => takesRequests);
  const pod = pods[Math.floor(draw() * pods.length)];
  return pod === undefined ? { kind: 'no-ready-pod', namespace, revision } : { kind: 'pod', pod };
}

/** Of several Ingresses with the same host the oldest has it. A rewritten host may be one inside the site. */
function ruleFor(
  host: string,
  { routes, rewrites }: Routing,
): { readonly rule: IngressRule; readonly ingress: KnativeIngress } | undefined {
  const rules = oldestFirst(routes.ingressesFor(host)).flatMap((ingress) =>
    (ingress.spec?.rules ?? []).map((rule) => ({ rule, ingress })),
  );
  return rules.find(
    ({ rule: { hosts = [], visibility } }) =>
      hosts.includes(host) && (rewrites > 0 || visibility !== 'ClusterLocal'),
  );
}

function oldestFirst(ingresses: readonly KnativeIngress[]): readonly KnativeIngress[] {
  return ingresses.toSorted((a, b) => compare(age(a), age(b)));
}

/** The certificate for this host, or null. */
export function tlsFor(host: string, routes: Pick<Routes, 'ingressesFor'>): IngressTls | null {
  const name = hostOf(host);
  const all = oldestFirst(routes.ingressesFor(name)).flatMap(({ spec }) => spec?.tls ?? []);
  return all.find(({ hosts = [] }) => hosts.includes(name)) ?? null;
}

function age({ metadata: { creationTimestamp = '', namespace = '', name } }: KnativeIngress): string {
  return `${creationTimestamp} ${namespace}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function matches({ path = '/', headers = {} }: Path, request: AppRequest): boolean {
  return (
    request.path.startsWith(path) &&
    Object.entries(headers).every(([name, { exact }]) => request.headers[name.toLowerCase()] === exact)
  );
}

function drawn<T extends { readonly percent: number }>(splits: readonly T[], number: number): T | undefined {
  let left = number * splits.reduce((sum, { percent }) => sum + percent, 0);
  return splits.find(({ percent }) => {
    left -= percent;
    return left < 0;
  });
}

/** Without the port and a final dot, in lower case. */
function hostOf(text: string): string {
  return text.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}

/**
 * What the Ingress waits for before a request to any of its hosts is answered, as a sentence; null when it
 * waits for nothing.
 */
export function missingFor({ spec }: KnativeIngress, routes: Routes): string | null {
  for (const path of (spec?.rules ?? []).flatMap(pathsOf)) {
    if (path.rewriteHost !== undefined) {
      if (routes.ingressesFor(hostOf(path.rewriteHost)).length === 0)
        return `No Ingress has the host ${path.rewriteHost}.`;
      continue;
    }
    for (const { serviceNamespace, serviceName } of weighted(path)) {
      const pods = routes.podsOf(serviceNamespace, serviceName);
      if (!pods.some(({ takesRequests }) => takesRequests))
        return `The revision ${serviceNamespace}/${serviceName} has no ready Pod.`;
    }
  }
  return null;
}
