// The Jobs that check a stage of a Bundle travel together, in one ManifestWork for each site.
import type { Manifest } from '../../crds/ocm/ocm.ts';
import { carriedBytes, MANIFEST_LIMIT } from '../../crds/ocm/work-size.ts';
import { isFields } from '../../kube/fields.ts';
import { at, listAt } from '../fields.ts';
import type { Problem } from '../rule.ts';
import type { AdmissionRequest } from '../request.ts';

/** What the hub writes around a template: kind, names, labels and the time. */
const AROUND_EACH = 512;

/** Stages whose Jobs OCM would refuse, once the rollout had come to them. */
export function checksTooLarge({ object }: AdmissionRequest): Problem[] {
  return listAt(object, 'spec', 'strategy', 'stages').flatMap((stage, index) => {
    const templates = listAt(stage, 'verify').map((check) => at(check, 'job', 'template'));
    const jobs = templates.filter(isFields) as readonly object[] as readonly Manifest[];
    const bytes = carriedBytes(jobs) + jobs.length * AROUND_EACH;
    if (bytes <= MANIFEST_LIMIT) return [];
    const kib = (of: number): string => `${Math.ceil(of / 1024)} KiB`;
    const message = `has Jobs of ${kib(bytes)}, more than the ${kib(MANIFEST_LIMIT)} that a ManifestWork may carry: keep what they read in ConfigMaps of the Bundle, or divide the checks among several stages`;
    const field = `spec.strategy.stages[${index}].verify`;
    return [{ field, reason: 'FieldValueInvalid' as const, message, fromCache: false }];
  });
}
