// What Kubernetes refuses of a probe although Knative takes it. The readiness probe of what serves Knative
// asks itself, and gives no Pod; init containers have no probes here (kubernetes: pkg/apis/core/validation).
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { type FoundContainer, having, isThere, problem, quoted } from './found.ts';

const SCHEMES = new Set(['HTTP', 'HTTPS']);
const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

export function probesUnmakeable({ value, path, role }: FoundContainer): Problem[] {
  if (role === 'init') return [];
  const kinds = ['livenessProbe', 'startupProbe', ...(role === 'serving' ? [] : ['readinessProbe'])];
  return having(value, kinds).flatMap((kind) => [
    ...ofProbe(at(value, kind), `${path}.${kind}`),
    ...(kind === 'readinessProbe' ? [] : onceProblems(at(value, kind), `${path}.${kind}`)),
  ]);
}

function ofProbe(probe: unknown, path: string): Problem[] {
  const scheme = textAt(probe, 'httpGet', 'scheme');
  return [
    ...(scheme === '' || SCHEMES.has(scheme)
      ? []
      : [problem(`${path}.httpGet.scheme`, `${quoted(scheme)} must be HTTP or HTTPS, or be left out`)]),
    ...(isThere(probe, 'exec') && listAt(probe, 'exec', 'command').length === 0
      ? [problem(`${path}.exec.command`, 'is missing: write the program and its arguments, one in a line')]
      : []),
    ...COUNTS.filter((name) => {
      const count = at(probe, name);
      return typeof count === 'number' && count < 0;
    }).map((name) => problem(`${path}.${name}`, 'must not be below 0: raise it, or leave it out')),
  ];
}

/** 0 is as good as nothing. */
function onceProblems(probe: unknown, path: string): Problem[] {
  const count = at(probe, 'successThreshold');
  return typeof count === 'number' && count > 1
    ? [problem(`${path}.successThreshold`, 'must be 1 there, or be left out')]
    : [];
}
