// Labels and annotations that look like one of Knative's and are none: Knative reads past them without a
// word, and an app that is meant to be private is public.
import { AUTOSCALING, SCALING, SCALING_BY_KEDA, spellingsOf } from '../../../crds/knative/autoscaling.ts';
import {
  CLASSES,
  FEATURES,
  HTTP_PROTOCOLS,
  KNATIVE_ANNOTATIONS,
  KNATIVE_WRITES,
  NO_TLS,
  OF_REVISIONS,
  ROLLOUT_DURATIONS,
} from '../../../crds/knative/capp-annotations.ts';
import { CLUSTER_LOCAL, NETWORKING, VISIBILITY } from '../../../crds/knative/visibility.ts';
import { isFields } from '../../../kube/fields.ts';
import { at } from '../../fields.ts';
import type { Common } from '../../known.ts';
import { hasChanged } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';
import { likeliest } from '../spec/likeliest.ts';

const OF_CAPP = 'metadata.annotations';
const OF_TEMPLATE = 'spec.configurationSpec.template.metadata.annotations';
const PLACES = [OF_CAPP, OF_TEMPLATE].flatMap((place) => [
  place.replace('annotations', 'labels').split('.'),
  place.split('.'),
]);
/** Enough to see what is wrong. */
const MOST = 10;
/** Where older versions of Knative looked for it. */
const FORMER_VISIBILITY = 'serving.knative.dev/visibility';
const OF_SCALING: ReadonlySet<string> = new Set(
  [...SCALING, ...SCALING_BY_KEDA].flatMap((name) => spellingsOf(name)),
);
const OF_SERVICES: ReadonlySet<string> = new Set([
  ...ROLLOUT_DURATIONS,
  ...HTTP_PROTOCOLS,
  ...NO_TLS,
  ...CLASSES,
]);
const OF_A_REVISION: ReadonlySet<string> = new Set([...OF_REVISIONS, ...OF_SCALING, ...FEATURES]);
const NOT_READ = 'Knative does not read it.';

export const knativeSlips: AdmissionRule<Common> = (request) => ({
  warnings: PLACES.flatMap((path) => {
    const found = at(request.object, ...path);
    const place = path.join('.');
    return Object.entries(isFields(found) ? found : {})
      .filter(([key]) => hasChanged(request, ...path, key))
      .flatMap(([key, value]) => {
        const meant = meantBy(key, value) ?? misplaced(key, place) ?? switchedBy(key, value);
        return meant === null ? [] : [`${place}[${key.slice(0, 100)}] has no effect: ${meant}`];
      });
  }).slice(0, MOST),
});

function meantBy(key: string, value: unknown): string | null {
  if (key === VISIBILITY) return null;
  if (key === FORMER_VISIBILITY || isAlmost(key) || (value === CLUSTER_LOCAL && key.includes('knative.dev/')))
    return `${NOT_READ} For a private Capp write ${VISIBILITY}: ${CLUSTER_LOCAL}.`;
  if (!key.startsWith(AUTOSCALING)) return slipOf(key);
  if (OF_SCALING.has(key)) return null;
  const like = likeliest(key.slice(AUTOSCALING.length), [...SCALING, ...SCALING_BY_KEDA]);
  return `${NOT_READ} ${like === null ? 'Take it out.' : `Did you mean ${AUTOSCALING}${like}?`}`;
}

const KNOWN = [...new Set([...KNATIVE_ANNOTATIONS, ...CLASSES, ...FEATURES])].filter(
  (one) => !KNATIVE_WRITES.includes(one),
);
const DOMAIN = /^((?:(?:queue\.sidecar\.)?serving|networking|features)\.knative\.dev\/)/;

/** Of a domain of Knative's; many others are not Knative's, or are Knative's own. */
function slipOf(key: string): string | null {
  const [, domain = ''] = DOMAIN.exec(key) ?? [];
  if (domain === '' || KNOWN.includes(key) || KNATIVE_WRITES.includes(key)) return null;
  const names = KNOWN.filter((one) => one.startsWith(domain)).map((one) => one.slice(domain.length));
  const like = likeliest(key.slice(domain.length), names);
  return like === null ? null : `${NOT_READ} Did you mean ${domain}${like}?`;
}

/** Knative reads it elsewhere. */
function misplaced(key: string, place: string): string | null {
  const where = readIn(key);
  if (where === null || where === place) return null;
  const hasField = key.startsWith(AUTOSCALING) && OF_REVISIONS.includes(key);
  return `Knative does not read it there. ${hasField ? 'Use spec.scaleSpec, or write' : 'Write'} it into ${where}.`;
}

/** Where Knative reads it; null for what it reads nowhere, or in either place. */
function readIn(key: string): string | null {
  if (OF_SERVICES.has(key)) return OF_CAPP;
  return OF_A_REVISION.has(key) ? OF_TEMPLATE : null;
}

/** Everything but Enabled is as good as nothing to Knative. */
function switchedBy(key: string, value: unknown): string | null {
  const isSwitch = FEATURES.includes(key) && typeof value === 'string';
  return !isSwitch || /^(?:enabled|disabled)$/i.test(value)
    ? null
    : 'Knative knows only Enabled for it. Write that, or take it out.';
}

/** A slip of the pen, on either side of the slash. */
function isAlmost(key: string): boolean {
  const [domain = '', name = '', ...more] = key.split('/');
  if (more.length > 0 || !domain.endsWith('.dev')) return false;
  return likeliest(name, ['visibility']) !== null && likeliest(domain, [NETWORKING]) !== null;
}
