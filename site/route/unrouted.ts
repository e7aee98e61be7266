// Notices a Capp whose route nobody takes: Knative waits for an ingress of its class for ever, and says
// nothing.
import { CLASSES } from '../../crds/knative/capp-annotations.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { KnativeService } from '../../crds/kubernetes/knative.ts';
import { SITE_TIMES } from '../times.ts';
import { lasting, type Lasting, type Wake } from '../workload/lasting.ts';

export interface Unrouted {
  /**
   * The class of ingress for which the route of the Service has waited for too long, empty for that of the
   * site; or null.
   */
  of(key: string, service: KnativeService | null): string | null;
  forget: Lasting['forget'];
}

export function unrouted(wake: Wake, now?: () => number): Unrouted {
  const found = lasting(SITE_TIMES.ingressSilent.ms, wake, now);
  return {
    of: (key, service) => {
      const kind = isWaiting(service) ? classOf(service) : null;
      return found.of(key, kind === null ? null : `${service?.metadata.generation ?? 0} ${kind}`)
        ? kind
        : null;
    },
    forget: found.forget,
  };
}

/**
 * A Route has this reason as long as the Ingress that Knative has made for it has no condition Ready, which
 * the controller of its class gives it at first sight (knative.dev/serving,
 * pkg/apis/serving/v1/route_lifecycle.go, PropagateIngressStatus). So nobody has to read Ingresses.
 */
function isWaiting(service: KnativeService | null): boolean {
  const { metadata, status } = service ?? {};
  if (status?.observedGeneration !== metadata?.generation) return false;
  const [configurations, routes] = ['ConfigurationsReady', 'RoutesReady'].map((type) =>
    conditionOf(status?.conditions, type),
  );
  return (
    configurations?.status === 'True' &&
    routes?.status === 'Unknown' &&
    routes.reason === 'IngressNotConfigured'
  );
}

/** Knative reads the spellings in this order. */
function classOf(service: KnativeService | null): string {
  const { annotations = {} } = service?.metadata ?? {};
  const key = CLASSES.find((one) => one.includes('/ingress') && annotations[one] !== undefined);
  return key === undefined ? '' : (annotations[key] ?? '');
}

/** For the Capp's user. The class is of somebody's annotation, so it is cut. */
export function unroutedMessage(kind: string): string {
  const named = kind.length > 63 ? `${kind.slice(0, 63)}…` : kind;
  return kind === ''
    ? "No ingress of the site leads requests to it. Whoever runs the site installs one for Knative, such as Kourier, and names its class in ingress-class of Knative's ConfigMap config-network."
    : `Nobody on the site serves the ingress class ${named}. Correct the annotation networking.knative.dev/ingress-class of the Capp, or leave it out.`;
}
