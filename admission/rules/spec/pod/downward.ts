// What of itself a Pod may be told, by variables and by files (k8s.io/kubernetes, pkg/apis/core/validation).
import { at, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { problem, quoted } from './found.ts';

const NAMED = /^metadata\.(?:labels|annotations)\['[^']{1,317}'\]$/;
const OF_ALL = ['metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Fields that there are, and a sentence on which. */
export interface Downward {
  readonly fields: ReadonlySet<string>;
  readonly such: string;
}

export const OF_ENV: Downward = {
  fields: new Set([
    ...OF_ALL,
    'spec.nodeName',
    // As it was called before; the API server still reads it (pkg/apis/core/pods/helpers.go).
    'spec.host',
    'spec.serviceAccountName',
    ...['hostIP', 'hostIPs', 'podIP', 'podIPs'].map((name) => `status.${name}`),
  ]),
  such: "metadata.name, metadata.namespace, metadata.labels['app'] or status.podIP",
};

export const OF_FILES: Downward = {
  fields: new Set([...OF_ALL, 'metadata.labels', 'metadata.annotations']),
  such: 'metadata.name, metadata.namespace, metadata.labels or metadata.annotations',
};

const RESOURCE = /^(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-\w{1,63})$/;

export function downwardProblems(source: unknown, path: string, { fields, such }: Downward): Problem[] {
  const [field, resource] = [
    textAt(source, 'fieldRef', 'fieldPath'),
    textAt(source, 'resourceFieldRef', 'resource'),
  ];
  const isAsked = (kind: string): boolean => (at(source, kind) ?? null) !== null;
  return [
    ...(!isAsked('fieldRef') || fields.has(field) || NAMED.test(field)
      ? []
      : [
          problem(
            `${path}.fieldRef.fieldPath`,
            `${quoted(field)} is nothing that a Pod is told: write ${such}`,
          ),
        ]),
    ...(!isAsked('resourceFieldRef') || RESOURCE.test(resource)
      ? []
      : [
          problem(
            `${path}.resourceFieldRef.resource`,
            `${quoted(resource)} is nothing that a Pod is told: write such as limits.cpu or requests.memory`,
          ),
        ]),
  ];
}
