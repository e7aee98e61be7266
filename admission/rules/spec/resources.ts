// What a container asks of cpu and memory can be read, and is no more than its limit: no API server would
// create such a Pod.
import type { Common } from '../../known.ts';
import { isDeepStrictEqual } from 'node:util';
import { isQuantity } from '../../../crds/kubernetes/quantity.ts';
import { isFields } from '../../../kube/fields.ts';
import { amount, at, byName, listAt, textAt } from '../../fields.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';

const POD = ['spec', 'configurationSpec', 'template', 'spec'] as const;
const LISTS = ['containers', 'initContainers'] as const;

/** Containers as they were are not looked at. */
export const resources: AdmissionRule<Common> = (request) =>
  hasChanged(request, ...POD) ? { problems: newContradictions(request) } : {};

function newContradictions({ object, oldObject }: AdmissionRequest): Problem[] {
  return LISTS.flatMap((list) => {
    const formerOf = formerIn(listAt(object, ...POD, list), listAt(oldObject, ...POD, list));
    return listAt(object, ...POD, list).flatMap((container, index) => {
      const former = formerOf(container, index);
      if (isDeepStrictEqual(at(container, 'resources'), at(former, 'resources'))) return [];
      const path = `${POD.join('.')}.${list}[${index}].resources`;
      return [...unread(container, former, path), ...contradictions(container, `${path}.requests`)];
    });
  });
}

/** What a container was before: the one of its name, or else the one in its place that is no longer there. */
function formerIn(now: readonly unknown[], before: readonly unknown[]) {
  const [named, kept] = [byName(before), byName(now)];
  return (container: unknown, index: number): unknown => {
    const same = named.get(textAt(container, 'name'));
    return same ?? (kept.has(textAt(before[index], 'name')) ? undefined : before[index]);
  };
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

const PLAIN = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Of Kubernetes itself, or of a domain such as nvidia.com/gpu. */
function isResource(name: string): boolean {
  return PLAIN.has(name) || name.startsWith('hugepages-') || name.includes('/');
}

/** An amount as it was is not looked at. */
function unread(container: unknown, former: unknown, path: string): Problem[] {
  return ['requests', 'limits'].flatMap((kind) => {
    const given = at(container, 'resources', kind);
    return Object.entries(isFields(given) ? given : {}).flatMap(([name, value]) => {
      if (value === at(former, 'resources', kind, name)) return [];
      const message = isResource(name) ? faultOf(value) : NO_RESOURCE;
      if (message === null) return [];
      const field = `${path}.${kind}.${name.slice(0, 63)}`;
      return [{ field, reason: 'FieldValueInvalid' as const, message, fromCache: false }];
    });
  });
}

const NO_RESOURCE =
  'Kubernetes has no such resource: write cpu, memory or ephemeral-storage, or the name of a device with its domain, such as nvidia.com/gpu';

function faultOf(value: unknown): string | null {
  if (typeof value === 'string' && !isQuantity(value))
    return `"${value.slice(0, 63)}" is no quantity: write one such as 100m or 64Mi`;
  return amount(value) < 0 ? 'must not be below 0: raise it, or leave it out' : null;
}
