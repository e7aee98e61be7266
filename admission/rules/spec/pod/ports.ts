// Ports: Knative leads requests to one port of one container, and listens on some itself.
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { type FoundContainer, POD, problem, quoted } from './found.ts';

/** knative.dev/serving, pkg/networking/constants.go; 8008 is where it is profiled. */
const TAKEN = new Set([8008, 8012, 8013, 8022, 9090, 9091]);
const NAMES = new Set(['h2c', 'http1']);
const HIGHEST = 65_535;

export function portProblems(containers: readonly FoundContainer[]): Problem[] {
  const running = containers.filter(({ role }) => role !== 'init');
  const [first, ...others] = running.flatMap(portsOf);
  return [
    ...(first === undefined && running.length > 1 ? [nobodyServes()] : []),
    ...others.map(({ path }) =>
      problem(
        path,
        'a Capp has one port over all its containers, the one that takes requests: take this one out',
      ),
    ),
    ...running.flatMap((container) => portsOf(container).slice(0, 1).flatMap(ofServing)),
    ...containers.filter(({ role }) => role === 'init').flatMap((one) => portsOf(one).flatMap(ofAny)),
  ];
}

interface Port {
  readonly value: unknown;
  readonly path: string;
}

function portsOf({ value, path }: FoundContainer): Port[] {
  return listAt(value, 'ports').map((port, index) => ({ value: port, path: `${path}.ports[${index}]` }));
}

function nobodyServes(): Problem {
  const remedy = 'write ports: [{containerPort: 8080}] in the one whose program listens there';
  return problem(
    `${POD.join('.')}.containers`,
    `of several containers one must have a port, and takes the requests: ${remedy}`,
  );
}

function ofServing(port: Port): Problem[] {
  const [name, protocol] = [textAt(port.value, 'name'), textAt(port.value, 'protocol')];
  return [
    ...ofAny(port),
    ...(protocol === '' || protocol === 'TCP'
      ? []
      : [problem(`${port.path}.protocol`, 'Knative knows only TCP: write that, or leave it out')]),
    ...(name === '' || NAMES.has(name)
      ? []
      : [
          problem(
            `${port.path}.name`,
            `${quoted(name)} says nothing to Knative, which knows h2c (HTTP/2 without TLS) and http1: write one of them, or leave it out`,
          ),
        ]),
  ];
}

function ofAny({ value, path }: Port): Problem[] {
  const number = at(value, 'containerPort');
  if (typeof number !== 'number') return [];
  if (TAKEN.has(number))
    return [
      problem(
        `${path}.containerPort`,
        `Knative itself listens on ${number} in each Pod: let the program listen on another one, such as 8080; it finds the number in the variable PORT`,
      ),
    ];
  return number < 0 || number > HIGHEST
    ? [problem(`${path}.containerPort`, `must be from 1 to ${HIGHEST}`)]
    : [];
}
