// Annotations of the template that Knative reads beside those for scaling.
import { isWholeSeconds } from '../../../../crds/knative/go-duration.ts';
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
  if (key === `${SERVING}progress-deadline`)
    return text === '' || isWholeSeconds(text) ? null : noDuration(text);
  if (SHARES.has(key))
    return floatOf(text) >= 0.1 && floatOf(text) <= 100 ? null : 'must be a percentage from 0.1 to 100';
  const isAmount = key.startsWith(SIDECAR) && AMOUNT.test(key.slice(SIDECAR.length));
  return isAmount && Number.isNaN(amount(text))
    ? `${quoted(text)} is no quantity: write one such as 100m or 64Mi`
    : null;
}
