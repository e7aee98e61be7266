// Notices a Capp whose route nobody takes: Knative waits for an ingress of its class for ever, and says
// nothing.
import type { Capp } from '../../crds/capp/capp.ts';
import { CLASSES } from '../../crds/knative/capp-annotations.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { KnativeService } from '../../crds/kubernetes/knative.ts';
import { SITE_TIMES } from '../times.ts';
import { lasting, type Lasting, type Wake } from '../workload/lasting.ts';

/** A class of ingress, empty for that of the site, and the annotation of the Capp that names it. */
export interface IngressClass {
  readonly kind: string;
  readonly annotation: string;
}

export interface Unrouted {
  /** The class of ingress for which the route of the Service has waited for too long, or null. */
  of(key: string, service: KnativeService | null, conditions: CappConditions): IngressClass | null;
  forget: Lasting['forget'];
}

type CappConditions = NonNullable<Capp['status']>['conditions'];

export function unrouted(wake: Wake, now?: () => number): Unrouted {
  const first = lasting(SITE_TIMES.ingressSilent.ms, wake, now);
  const later = lasting(SITE_TIMES.ingressAway.ms, wake, now);
  return {
    of: (key, service, conditions) => {
      const found = isWaiting(service) ? classOf(service) : null;
      const what = found === null ? null : `${service?.metadata.generation ?? 0} ${found.kind}`;
      const hadRoute = mayHaveHadRoute(service, conditions);
      const isSilent = [first.of(key, hadRoute ? null : what), later.of(key, hadRoute ? what : null)];
      return isSilent.includes(true) ? found : null;
    },
    forget: (key) => {
      first.forget(key);
      later.forget(key);
    },
  };
}

/** Its former revision then goes on serving while the ingress of its class is away, such as for a restart. */
function mayHaveHadRoute(service: KnativeService | null, conditions: CappConditions): boolean {
  return service?.metadata.generation !== 1 || conditionOf(conditions, 'Serving')?.status === 'True';
}

/**
 * A Route has this reason while the Ingress that Knative has made for it has no condition Ready, and while
 * its controller has not looked at the newest generation: it gives both at first sight, but may be away. It
 * has it, too, where Knative comes to no Ingress, as when the site refuses the Services of the Route or their
 * certificates (knative.dev/serving, pkg/reconciler/route/route.go, ReconcileKind). Only the Route's events
 * tell those apart, and nobody reads Ingresses here.
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
function classOf(service: KnativeService | null): IngressClass {
  const { annotations = {} } = service?.metadata ?? {};
  const annotation = CLASSES.find((one) => one.includes('/ingress') && annotations[one] !== undefined) ?? '';
  return { kind: annotations[annotation] ?? '', annotation };
}

/** For the Capp's user. The class is of somebody's annotation, so it is cut. */
export function unroutedMessage({ kind, annotation }: IngressClass): string {
  const named = kind.length > 63 ? `${kind.slice(0, 63)}…` : kind;
  const nobody =
    kind === ''
      ? "nobody serves the class there that ingress-class of Knative's ConfigMap config-network names."
      : `nobody serves the class ${named} there: correct ${annotation}.`;
  return `No ingress has taken its route yet. If that lasts, the events of its Route on the site say why; otherwise ${nobody}`;
}
