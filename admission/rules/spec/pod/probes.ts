// Probes: how each asks, where, and how often.
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { type FoundContainer, having, isThere, problem, quoted } from './found.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['httpGet', 'tcpSocket', 'exec', 'grpc'] as const;
/** Knative's name for a port without one. */
const UNNAMED = 'http';

/** By what name probes may ask for the port that takes requests. */
export function servingPortOf(all: readonly FoundContainer[]): string {
  const ports = all
    .filter(({ role }) => role !== 'init')
    .flatMap(({ value }) => listAt(value, 'ports').slice(0, 1));
  return textAt(ports.at(-1), 'name') || UNNAMED;
}

/** Init containers have none. `portName` is what `servingPortOf` says of all containers. */
export function probeProblems({ value, path, role }: FoundContainer, portName: string): Problem[] {
  if (role === 'init') return [];
  return PROBES.filter((kind) => isThere(value, kind)).flatMap((kind) => {
    const probe = at(value, kind);
    const field = `${path}.${kind}`;
    // How the serving container is asked whether it is ready Knative decides where nobody says it.
    const mayBeOpen = kind === 'readinessProbe' && role === 'serving';
    return [
      ...handlerProblems(probe, field, mayBeOpen),
      ...(['httpGet', 'tcpSocket'] as const)
        .filter((handler) => isThere(probe, handler))
        .flatMap((handler) => {
          const port = at(probe, handler, 'port');
          const where = `${field}.${handler}.port`;
          return role === 'serving' ? servingPort(port, where, portName) : otherPort(port, where);
        }),
      ...(kind === 'readinessProbe' ? timeProblems(probe, field) : []),
    ];
  });
}

function handlerProblems(probe: unknown, field: string, mayBeOpen: boolean): Problem[] {
  const found = having(probe, HANDLERS);
  if (found.length === 1 || (found.length === 0 && mayBeOpen)) return [];
  return found.length === 0
    ? [problem(field, `must say how it asks: write one of ${HANDLERS.join(', ')}`)]
    : [problem(field, `asks in several ways, ${found.join(' and ')}: keep one`)];
}

function servingPort(port: unknown, field: string, name: string): Problem[] {
  if (typeof port !== 'string' || port === '' || port === name) return [];
  const remedy = `write "${name}", a number without quotes, or leave it out`;
  return [problem(field, `${quoted(port)} is no name of the container's port: ${remedy}`)];
}

function otherPort(port: unknown, field: string): Problem[] {
  const isSaid = typeof port === 'string' ? port !== '' : typeof port === 'number' && port !== 0;
  return isSaid
    ? []
    : [
        problem(
          field,
          'is missing: write the number of the port that answers, since only the container that takes requests has one that goes without saying',
        ),
      ];
}

/** Without a period Knative asks as often as it likes. */
function timeProblems(probe: unknown, field: string): Problem[] {
  const numberOf = (name: string): number => {
    const value = at(probe, name);
    return typeof value === 'number' ? value : 0;
  };
  const below = ['periodSeconds', 'initialDelaySeconds', 'successThreshold']
    .filter((name) => numberOf(name) < 0)
    .map((name) => problem(`${field}.${name}`, 'must not be below 0: raise it, or leave it out'));
  const period = numberOf('periodSeconds');
  const rest = ['timeoutSeconds', 'failureThreshold'].flatMap((name) => {
    if (period === 0 && numberOf(name) !== 0)
      return [
        problem(`${field}.${name}`, 'Knative takes it only with periodSeconds: add that, or take this out'),
      ];
    return period > 0 && numberOf(name) < 0
      ? [problem(`${field}.${name}`, 'must not be below 0: raise it, or leave it out')]
      : [];
  });
  return [...below, ...rest];
}
