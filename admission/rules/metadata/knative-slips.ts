// Labels and annotations that look like one of Knative's and are none: Knative reads past them without a
// word, and an app that is meant to be private is public.
import { AUTOSCALING, SCALING, SCALING_BY_KEDA, spellingsOf } from '../../../crds/knative/autoscaling.ts';
import { KNATIVE_ANNOTATIONS, KNATIVE_WRITES } from '../../../crds/knative/capp-annotations.ts';
import { CLUSTER_LOCAL, NETWORKING, VISIBILITY } from '../../../crds/knative/visibility.ts';
import { isFields } from '../../../kube/fields.ts';
import { at } from '../../fields.ts';
import type { Common } from '../../known.ts';
import { hasChanged } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';
import { likeliest } from '../spec/likeliest.ts';

const PLACES = [['metadata'], ['spec', 'configurationSpec', 'template', 'metadata']].flatMap((path) =>
  ['labels', 'annotations'].map((kind) => [...path, kind]),
);
/** Enough to see what is wrong. */
const MOST = 10;
/** Where older versions of Knative looked for it. */
const FORMER_VISIBILITY = 'serving.knative.dev/visibility';
const OF_SCALING: ReadonlySet<string> = new Set(
  [...SCALING, ...SCALING_BY_KEDA].flatMap((name) => spellingsOf(name)),
);

export const knativeSlips: AdmissionRule<Common> = (request) => ({
  warnings: PLACES.flatMap((path) => {
    const found = at(request.object, ...path);
    return Object.entries(isFields(found) ? found : {})
      .filter(([key]) => hasChanged(request, ...path, key))
      .flatMap(([key, value]) => {
        const meant = meantBy(key, value);
        const place = `${path.join('.')}[${key.slice(0, 100)}]`;
        return meant === null ? [] : [`${place} has no effect: Knative does not read it. ${meant}`];
      });
  }).slice(0, MOST),
});

function meantBy(key: string, value: unknown): string | null {
  if (key === VISIBILITY) return null;
  if (key === FORMER_VISIBILITY || isAlmost(key) || (value === CLUSTER_LOCAL && key.includes('knative.dev/')))
    return `For a private Capp write ${VISIBILITY}: ${CLUSTER_LOCAL}.`;
  if (!key.startsWith(AUTOSCALING)) return servingSlip(key);
  if (OF_SCALING.has(key)) return null;
  const like = likeliest(key.slice(AUTOSCALING.length), [...SCALING, ...SCALING_BY_KEDA]);
  return like === null ? 'Take it out.' : `Did you mean ${AUTOSCALING}${like}?`;
}

/** Of those of serving and its sidecar; many others are not Knative's, or are Knative's own. */
function servingSlip(key: string): string | null {
  const [, domain = ''] = /^((?:queue\.sidecar\.)?serving\.knative\.dev\/)/.exec(key) ?? [];
  if (domain === '' || KNATIVE_ANNOTATIONS.includes(key)) return null;
  const known = KNATIVE_ANNOTATIONS.filter((one) => one.startsWith(domain) && !KNATIVE_WRITES.includes(one));
  const like = likeliest(
    key.slice(domain.length),
    known.map((one) => one.slice(domain.length)),
  );
  return like === null ? null : `Did you mean ${domain}${like}?`;
}

/** A slip of the pen, on either side of the slash. */
function isAlmost(key: string): boolean {
  const [domain = '', name = '', ...more] = key.split('/');
  if (more.length > 0 || !domain.endsWith('.dev')) return false;
  return likeliest(name, ['visibility']) !== null && likeliest(domain, [NETWORKING]) !== null;
}
