// No container requests more than its limit: no API server would create such a Pod.
import type { Common } from '../../known.ts';
import { isDeepStrictEqual } from 'node:util';
import { amount, at, byName, isFields, listAt, textAt } from '../../fields.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';

const POD = ['spec', 'configurationSpec', 'template', 'spec'] as const;
const LISTS = ['containers', 'initContainers'] as const;

/** Containers as they were are not looked at. */
export const resources: AdmissionRule<Common> = (request) =>
  hasChanged(request, ...POD) ? { problems: newContradictions(request) } : {};

function newContradictions({ object, oldObject }: AdmissionRequest): Problem[] {
  return LISTS.flatMap((list) => {
    const before = byName(listAt(oldObject, ...POD, list));
    return listAt(object, ...POD, list).flatMap((container, index) => {
      const former = before.get(textAt(container, 'name'));
      if (isDeepStrictEqual(at(container, 'resources'), at(former, 'resources'))) return [];
      return contradictions(container, `${POD.join('.')}.${list}[${index}].resources.requests`);
    });
  });
}

function contradictions(container: unknown, path: string): Problem[] {
  const requests = at(container, 'resources', 'requests');
  return Object.keys(isFields(requests) ? requests : {}).flatMap((name) => {
    const request = at(requests, name);
    const limit = at(container, 'resources', 'limits', name);
    if (!(amount(request) > amount(limit))) return [];
    const message = `${String(request)} is above the limit of ${String(limit)}, so no Pod can be created: lower it, leave it out, or raise the limit`;
    return [{ field: `${path}.${name}`, reason: 'FieldValueInvalid' as const, message, fromCache: false }];
  });
}
