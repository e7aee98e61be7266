// Stand-in for the ingress of a site: answers HTTP requests, with and without TLS, by the site's Ingresses
// and Pods, and marks an Ingress as ready once they can be answered.
//
// It asks for no Pod's address: the answer of a Pod is made here (answering-pod.ts).
import { isDeepStrictEqual } from 'node:util';
import { POD } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION_LABEL } from '../../../../crds/kubernetes/knative.ts';
import { cache, type Cache } from '../../../../kube/watch/cache.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf, keyText, type Key } from '../../../../kube/resource.ts';
import { answeringPod, leanPod } from './answering-pod.ts';
import { certificates } from './certificates.ts';
import { destinationOf, missingFor, tlsFor, type Routes } from './destination.ts';
import { openGateway } from './gateway.ts';
import { INGRESS, isOurs, pathsOf, weighted, type KnativeIngress } from './ingress-object.ts';
import { ingressStatus } from './status.ts';
import { partQueue, type OnPartProblem, type StandIn } from '../stand-in.ts';
import type { PodLogs } from '../output/pod-logs.ts';
import type { StandInPod } from '../pods/pod.ts';

export interface IngressOptions {
  /** The site's name, for answers. */
  readonly site: string;
  /** Where it listens. */
  readonly host: string;
  readonly port: number;
  /** Gets a line for each request that a Pod answers. */
  readonly written: PodLogs;
}

export function ingress(kube: Kube, onProblem: OnPartProblem, options: IngressOptions): StandIn {
  const { ingresses, pods, routes } = routesOf(kube, onProblem);
  const contextOf = certificates(kube);
  const caches = Promise.all([ingresses.synced, pods.synced]);
  const gateway = caches.then(() =>
    openGateway({
      ...options,
      route: (request) => destinationOf(request, routes, Math.random),
      onAnswer: ({ name: pod, ...at }, text) => options.written.write({ ...at, pod }, text),
      secure: async (host) => {
        const tls = tlsFor(host, routes);
        return tls === null ? null : contextOf(tls);
      },
    }),
  );
  const queue = partQueue({ name: 'ingress', onProblem, after: [gateway], work: reconcile });
  const add = (known: KnativeIngress): void => queue.add(keyText(keyOf(known)));
  ingresses.subscribe(({ object }) => {
    add(object);
    for (const host of hostsOf(object)) ingresses.by('rewrite', host).forEach(add);
  });
  pods.subscribe(({ object }) => ingresses.by('backend', backendOf(object)).forEach(add));

  async function reconcile(key: Key): Promise<void> {
    const known = ingresses.get(key);
    if (known === undefined || known.metadata.deletionTimestamp !== undefined || !isOurs(known)) return;
    const status = ingressStatus(known, missingFor(known, routes), Date.now());
    if (Object.entries(status).every(([field, value]) => isDeepStrictEqual(known.status?.[field], value)))
      return;
    await kube.patch(
      INGRESS,
      key,
      { metadata: { uid: known.metadata.uid }, status },
      { subresource: 'status' },
    );
  }

  return {
    synced: gateway.then(() => undefined),
    stop: async () => {
      await queue.stop();
      await Promise.all([ingresses.stop(), pods.stop()]);
      await gateway.then(
        (one) => one.close(),
        () => undefined,
      );
    },
  };
}

/** Everything that routing needs, from watches. */
function routesOf(
  kube: Kube,
  onProblem: OnPartProblem,
): { ingresses: Cache<KnativeIngress>; pods: Cache<StandInPod>; routes: Routes } {
  const watched = { onProblem: (error: unknown) => onProblem('ingress', error) };
  const ingresses = cache<KnativeIngress>(kube, {
    resource: INGRESS,
    indexes: { host: hostsOf, rewrite: rewritesOf, backend: backendsOf },
    ...watched,
  });
  const pods = cache<StandInPod>(kube, {
    resource: POD,
    labelSelector: KNATIVE_REVISION_LABEL,
    transform: leanPod,
    indexes: { backend: (pod) => [backendOf(pod)] },
    ...watched,
  });
  const routes: Routes = {
    ingressesFor: (host) => ingresses.by('host', host).filter(isOurs),
    podsOf: (namespace, revision) => pods.by('backend', `${namespace}/${revision}`).map(answeringPod),
  };
  return { ingresses, pods, routes };
}

function backendOf({ metadata: { namespace = '', labels = {} } }: StandInPod): string {
  return `${namespace}/${labels[KNATIVE_REVISION_LABEL] ?? ''}`;
}

function hostsOf({ spec }: KnativeIngress): readonly string[] {
  return (spec?.rules ?? []).flatMap(({ hosts = [] }) => hosts);
}

function rewritesOf({ spec }: KnativeIngress): readonly string[] {
  return (spec?.rules ?? []).flatMap(pathsOf).flatMap(({ rewriteHost }) => rewriteHost ?? []);
}

function backendsOf({ spec }: KnativeIngress): readonly string[] {
  return (spec?.rules ?? [])
    .flatMap(pathsOf)
    .flatMap(weighted)
    .map(({ serviceNamespace, serviceName }) => `${serviceNamespace}/${serviceName}`);
}
