// What the rules for a Pod share: its containers with their paths, and how a problem is said.
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';

export const POD = ['spec', 'configurationSpec', 'template', 'spec'] as const;

export interface FoundContainer {
  readonly value: unknown;
  /** As a user would write it. */
  readonly path: string;
  /** The one that takes requests, one beside it, or one that runs before them. */
  readonly role: 'serving' | 'beside' | 'init';
}

/** knative.dev/serving, pkg/apis/serving/k8s_validation.go: of several, the one with a port serves. */
export function containersOf(object: unknown): FoundContainer[] {
  const containers = listAt(object, ...POD, 'containers');
  const isServing = (value: unknown): boolean => containers.length === 1 || listAt(value, 'ports').length > 0;
  return [
    ...containers.map((value, index) => ({
      value,
      path: `${POD.join('.')}.containers[${index}]`,
      role: isServing(value) ? ('serving' as const) : ('beside' as const),
    })),
    ...listAt(object, ...POD, 'initContainers').map((value, index) => ({
      value,
      path: `${POD.join('.')}.initContainers[${index}]`,
      role: 'init' as const,
    })),
  ];
}

export function problem(field: string, message: string): Problem {
  return { field, reason: 'FieldValueInvalid', message, fromCache: false };
}

const LONGEST = 63;

/** A value in a message. */
export function quoted(text: string): string {
  return `"${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}"`;
}

export function noDuration(text: string): string {
  return `${quoted(text)} is no time of whole seconds: write one such as 30s or 1m30s`;
}

/** Neither missing nor null, which the API server drops. */
export function isThere(value: unknown, ...path: readonly string[]): boolean {
  return (at(value, ...path) ?? null) !== null;
}

/** Which of these fields a value has. */
export function having(value: unknown, names: readonly string[]): string[] {
  return names.filter((name) => isThere(value, name));
}

/**
 * Entries whose name an earlier one has. Kubernetes takes that of a Pod; in a Knative Service each name
 * stands once, and a server-side apply cannot read it otherwise.
 */
export function again(entries: readonly unknown[], path: string): Problem[] {
  const before = new Set<string>();
  return entries.flatMap((one, index) => {
    const name = textAt(one, 'name');
    const isAgain = name !== '' && before.has(name);
    before.add(name);
    return isAgain
      ? [problem(`${path}[${index}].name`, `${quoted(name)} stands there already: take one of them out`)]
      : [];
  });
}
