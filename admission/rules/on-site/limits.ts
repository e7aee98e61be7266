// A Capp asks for no more replicas, and for no longer delay, than the site's CappConfig allows. What is there
// already may be more: the site operator lowers it.
import { keyIn } from '../../../crds/knative/autoscaling.ts';
import { isFields } from '../../../kube/fields.ts';
import { at } from '../../fields.ts';
import type { SiteKnown, SiteRules } from '../../known.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';

const FIELDS = [
  ['scaleSpec.minReplicas', 'minReplicas', 'minReplicasLimit'],
  ['minReplicas', 'minReplicas', 'minReplicasLimit'],
  ['scaleSpec.maxReplicas', 'maxReplicas', 'maxReplicasLimit'],
  ['scaleSpec.scaleDelaySeconds', 'scaleDelaySeconds', 'maxScaleDelay'],
] as const;
const ANNOTATIONS = ['spec', 'configurationSpec', 'template', 'metadata', 'annotations'] as const;
const LIMITED = [
  'min-scale',
  'max-scale',
  'initial-scale',
  'activation-scale',
  'scale-down-delay',
  'scale-to-zero-pod-retention-period',
  'window',
] as const;

export const limits: AdmissionRule<SiteKnown> = (request, { config }) => ({
  problems: [...ofFields(request, config), ...ofAnnotations(request, config)],
});

function ofFields(request: AdmissionRequest, { limits: most }: SiteRules): Problem[] {
  return FIELDS.flatMap(([place, field, name]) => {
    const path = ['spec', ...place.split('.')];
    const wanted = at(request.object, ...path);
    const limit = most[field];
    const isAbove = typeof wanted === 'number' && limit !== null && wanted > limit;
    if (!isAbove || !hasChanged(request, ...path)) return [];
    const message = `${wanted} is above ${limit}, the most that the site's CappConfig allows (${name}): lower it, or ask whoever runs the site`;
    return [problem(path.join('.'), message)];
  });
}

function ofAnnotations(request: AdmissionRequest, config: SiteRules): Problem[] {
  const found = at(request.object, ...ANNOTATIONS);
  const given = Object.fromEntries(
    Object.entries(isFields(found) ? found : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
  const after = config.limited(given);
  return LIMITED.flatMap((name) => {
    const key = keyIn(given, name) ?? '';
    const [wanted, allowed] = [given[key], after[key]];
    if (wanted === undefined || wanted === allowed || !hasChanged(request, ...ANNOTATIONS, key)) return [];
    const message = `${wanted} is more than the site's CappConfig allows, which is ${allowed ?? 'less'}: lower it, or leave it out and use spec.scaleSpec`;
    return [problem(`${ANNOTATIONS.join('.')}[${key}]`, message)];
  });
}

function problem(field: string, message: string): Problem {
  return { field, reason: 'FieldValueInvalid', message, fromCache: true };
}
