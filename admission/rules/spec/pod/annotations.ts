// Annotations of the template that Knative reads beside those for scaling.
import { isWholeSeconds, secondsOf } from '../../../../crds/knative/go-duration.ts';
import { floatOf } from '../../../../crds/knative/go-float.ts';
import { NETWORKING, VISIBILITY } from '../../../../crds/knative/visibility.ts';
import { isFields } from '../../../../kube/fields.ts';
import { amount, at } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { noDuration, problem, quoted } from './found.ts';

const TEMPLATE = ['spec', 'configurationSpec', 'template', 'metadata', 'annotations'] as const;

/** knative.dev/networking, pkg/apis/networking/metadata_validation.go. */
const OF_NETWORKING = new Set(
  [
    'certificate-class',
    'certificate.class',
    'disable-auto-tls',
    'disable-external-domain-tls',
    'disableAutoTLS',
    'http-protocol',
    'httpOption',
    'ingress-class',
    'ingress.class',
  ].map((name) => `${NETWORKING}/${name}`),
);
const SERVING = 'serving.knative.dev/';
const SIDECAR = `queue.sidecar.${SERVING}`;
const DEADLINE = `${SERVING}progress-deadline`;
const SHARES = new Set([`${SIDECAR}resource-percentage`, `${SIDECAR}resourcePercentage`]);
const AMOUNT = /^(cpu|memory|ephemeral-storage)-resource-(request|limit)$/;

export function annotationProblems(object: unknown): Problem[] {
  const found = at(object, ...TEMPLATE);
  return Object.entries(isFields(found) ? found : {}).flatMap(([key, text]) => {
    const message = typeof text === 'string' ? faultOf(key, text) : null;
    return message === null ? [] : [problem(`${TEMPLATE.join('.')}[${key}]`, message)];
  });
}

function faultOf(key: string, text: string): string | null {
  if (key.startsWith(NETWORKING))
    return OF_NETWORKING.has(key) || key === VISIBILITY
      ? null
      : 'Knative has no such annotation for a revision: take it out';
  if (key === DEADLINE) return text === '' || isWholeSeconds(text) ? null : noDuration(text);
  if (SHARES.has(key))
    return floatOf(text) >= 0.1 && floatOf(text) <= 100 ? null : 'must be a percentage from 0.1 to 100';
  const isAmount = key.startsWith(SIDECAR) && AMOUNT.test(key.slice(SIDECAR.length));
  return isAmount && Number.isNaN(amount(text))
    ? `${quoted(text)} is no quantity: write one such as 100m or 64Mi`
    : null;
}

/**
 * What Knative takes of these and no Deployment can be made of (pkg/reconciler/revision/resources, deploy.go
 * and queue.go).
 */
export function annotationsUnmakeable(object: unknown): Problem[] {
  const found = at(object, ...TEMPLATE);
  const texts = isFields(found) ? found : {};
  const messages = [
    [DEADLINE, deadlineFault(texts[DEADLINE])],
    ...RESOURCES.flatMap((resource) => amountFaults(texts, resource)),
  ] as const;
  return messages.flatMap(([key, message]) =>
    message === null ? [] : [problem(`${TEMPLATE.join('.')}[${key}]`, message)],
  );
}

/** Of a Deployment it is a number of 32 bits, and of an empty text Knative makes 0. */
const LONGEST_S = 2_147_483_647;

function deadlineFault(text: unknown): string | null {
  if (typeof text !== 'string' || (text !== '' && !isWholeSeconds(text))) return null;
  const seconds = text === '' ? 0 : secondsOf(text);
  if (seconds >= 1 && seconds <= LONGEST_S) return null;
  const wanted = seconds < 1 ? 'one of 1s or more' : 'a shorter one';
  return `${quoted(text)} is no deadline that Kubernetes takes: write ${wanted}, such as 10m, or leave it out`;
}

const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;

function amountFaults(
  texts: Readonly<Record<string, unknown>>,
  resource: (typeof RESOURCES)[number],
): (readonly [key: string, message: string | null])[] {
  const [request, limit] = ['request', 'limit'].map((kind) => `${SIDECAR}${resource}-resource-${kind}`) as [
    string,
    string,
  ];
  const [asked, most] = [amount(texts[request]), amount(texts[limit])];
  return [
    ...[request, limit].map(
      (key) =>
        [key, amount(texts[key]) < 0 ? 'must not be below 0: correct it, or take it out' : null] as const,
    ),
    [
      request,
      asked > most && most >= 0
        ? `${String(texts[request])} is above the limit of ${String(texts[limit])}, so no Pod can be created: lower it, or raise the limit`
        : null,
    ],
  ];
}

/** What the sidecar asks for where neither an annotation nor the site's config-deployment says it. */
const USUAL_CPU = '25m';

/** Of which a Deployment can be made on some sites: it rests on what the hub does not know of a site. */
export function annotationsDoubtful(object: unknown): Problem[] {
  const found = at(object, ...TEMPLATE);
  const texts = isFields(found) ? found : {};
  const [request, limit] = [`${SIDECAR}cpu-resource-request`, `${SIDECAR}cpu-resource-limit`] as const;
  const isSaid = [request, ...SHARES].some((key) => texts[key] !== undefined);
  const most = amount(texts[limit]);
  if (isSaid || !(most >= 0 && most < amount(USUAL_CPU))) return [];
  const message = `below the ${USUAL_CPU} that Knative's sidecar asks for on most sites, where no Pod could be made: raise it, or write cpu-resource-request, too`;
  return [problem(`${TEMPLATE.join('.')}[${limit}]`, message)];
}
