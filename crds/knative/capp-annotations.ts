// What Knative makes of the annotations of a Capp itself, which are on its Knative Service, in each spelling
// that it reads (knative.dev/serving v0.50, pkg/apis/serving/register.go and pkg/networking/util.go;
// knative.dev/networking, pkg/apis/networking/register.go).
import { SCALING, spellingsOf } from './autoscaling.ts';
import { NETWORKING, VISIBILITY } from './visibility.ts';

const SERVING = 'serving.knative.dev';
const AMOUNTS = ['cpu', 'memory', 'ephemeral-storage'].flatMap((resource) =>
  ['request', 'limit'].map((kind) => `${resource}-resource-${kind}`),
);

/**
 * Who made a Service, and who changed it last: Knative lets nobody change either (knative.dev/pkg,
 * apis/metadata_validation.go). Whoever makes a Capp of a Service that runs has them in hand.
 */
export const KNATIVE_WRITES: readonly string[] = [`${SERVING}/creator`, `${SERVING}/lastModifier`];

export const ROLLOUT_DURATIONS: readonly string[] = [
  `${SERVING}/rollout-duration`,
  `${SERVING}/rolloutDuration`,
];

/** In the order in which Knative looks for them. */
export const HTTP_PROTOCOLS: readonly string[] = ['httpOption', 'http-protocol'].map(
  (name) => `${NETWORKING}/${name}`,
);

export const NO_TLS: readonly string[] = [
  'disableAutoTLS',
  'disable-auto-tls',
  'disable-external-domain-tls',
].map((name) => `${NETWORKING}/${name}`);

/** Which class of ingress leads requests to a Service. */
export const INGRESS_CLASSES = ['ingress.class', 'ingress-class'].map((name) => `${NETWORKING}/${name}`);
/** Which class of issuer makes its certificates. */
const CERTIFICATE_CLASSES = ['certificate.class', 'certificate-class'].map((name) => `${NETWORKING}/${name}`);
export const CLASSES: readonly string[] = [...INGRESS_CLASSES, ...CERTIFICATE_CLASSES];

/**
 * What a Capp says of whether its plain HTTP leads to HTTPS, under the spelling that Knative looks for first:
 * it reads that of a DomainMapping as of a Service, where it reads any
 * (pkg/reconciler/domainmapping/reconciler.go). Null if it says nothing.
 */
export function httpProtocolOf(annotations: Readonly<Record<string, string>> = {}): string | null {
  return HTTP_PROTOCOLS.map((name) => annotations[name]).find((text) => text !== undefined) ?? null;
}

/** What a revision may switch on for itself (pkg/apis/config/features.go). */
export const FEATURES: readonly string[] = ['http-full-duplex', 'queueproxy-podinfo'].map(
  (name) => `features.knative.dev/${name}`,
);

/** Knative reads these of revisions, which are made of the template, and not of a Service. */
export const OF_REVISIONS: readonly string[] = [
  ...SCALING.flatMap((name) => spellingsOf(name)),
  `${SERVING}/progress-deadline`,
  ...['resource-percentage', 'resourcePercentage', ...AMOUNTS].map(
    (name) => `queue.sidecar.${SERVING}/${name}`,
  ),
];

/**
 * All of which a change concerns the webhook. The chart's match conditions have them too
 * (deploy/helm/templates/_webhook.tpl).
 */
export const KNATIVE_ANNOTATIONS: readonly string[] = [
  ...KNATIVE_WRITES,
  ...ROLLOUT_DURATIONS,
  ...HTTP_PROTOCOLS,
  ...INGRESS_CLASSES,
  ...NO_TLS,
  VISIBILITY,
  ...OF_REVISIONS,
].toSorted();
