// What Kubernetes refuses of the containers of a Pod although Knative takes it.
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { type FoundContainer, having, problem, quoted } from './found.ts';
import { isDnsLabel, isDnsName, isMapKey, isVariable } from './names.ts';
import { downwardProblems, OF_ENV } from './downward.ts';
import { probesUnmakeable } from './unmakeable-probes.ts';
import { stepsOut } from './unmakeable-volumes.ts';

const POLICIES = ['Always', 'IfNotPresent', 'Never'];
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;
const NO_VARIABLE = 'must be a name of characters that can be printed, without "="';

export function containersUnmakeable(containers: readonly FoundContainer[]): Problem[] {
  const before = new Set<string>();
  return containers.flatMap((container) => {
    const { value, path, role } = container;
    const name = textAt(value, 'name');
    // Of an init container and another Knative says it.
    const key = `${role === 'init' ? 'init' : 'app'}/${name}`;
    const isAgain = name !== '' && before.has(key);
    before.add(key);
    return [
      ...nameProblems(name, isAgain, `${path}.name`),
      ...policyProblems(textAt(value, 'imagePullPolicy'), `${path}.imagePullPolicy`),
      ...listAt(value, 'env').flatMap((one, index) => variableProblems(one, `${path}.env[${index}]`)),
      ...listAt(value, 'envFrom').flatMap((one, index) => prefixProblems(one, `${path}.envFrom[${index}]`)),
      ...listAt(value, 'volumeMounts').flatMap((one, index) =>
        subPathProblems(textAt(one, 'subPath'), `${path}.volumeMounts[${index}].subPath`),
      ),
      ...probesUnmakeable(container),
    ];
  });
}

/** Knative gives a name to a container that has none. */
function nameProblems(name: string, isAgain: boolean, field: string): Problem[] {
  if (name !== '' && !isDnsLabel(name))
    return [problem(field, `${quoted(name)} must be at most 63 lower-case letters, digits and "-"`)];
  return isAgain ? [problem(field, 'is the name of another container: give this one another name')] : [];
}

function policyProblems(policy: string, field: string): Problem[] {
  return policy === '' || POLICIES.includes(policy)
    ? []
    : [problem(field, `must be ${POLICIES.join(', ')}, or be left out`)];
}

function variableProblems(one: unknown, path: string): Problem[] {
  const name = textAt(one, 'name');
  const source = at(one, 'valueFrom') ?? null;
  const found = having(source, SOURCES);
  return [
    ...(isVariable(name) ? [] : [problem(`${path}.name`, `${quoted(name)} ${NO_VARIABLE}`)]),
    ...(source !== null && found.length !== 1
      ? [problem(`${path}.valueFrom`, `must name one source: write one of ${SOURCES.slice(0, 4).join(', ')}`)]
      : []),
    ...(found.length === 1 && textAt(one, 'value') !== ''
      ? [problem(`${path}.valueFrom`, 'stands beside value: write only one of them')]
      : []),
    ...['configMapKeyRef', 'secretKeyRef']
      .filter((kind) => found.includes(kind))
      .flatMap((kind) => keyProblems(at(source, kind), `${path}.valueFrom.${kind}`)),
    ...downwardProblems(source, `${path}.valueFrom`, OF_ENV),
  ];
}

function keyProblems(source: unknown, path: string): Problem[] {
  const [name, key] = [textAt(source, 'name'), textAt(source, 'key')];
  return [
    ...(isDnsName(name)
      ? []
      : [
          problem(
            `${path}.name`,
            `${quoted(name)} is no name: write lower-case letters, digits, "-" and "."`,
          ),
        ]),
    ...(isMapKey(key)
      ? []
      : [problem(`${path}.key`, `${quoted(key)} is no key: write letters, digits, "-", "_" and "."`)]),
  ];
}

function prefixProblems(one: unknown, path: string): Problem[] {
  const prefix = textAt(one, 'prefix');
  return prefix === '' || isVariable(prefix)
    ? []
    : [problem(`${path}.prefix`, `${quoted(prefix)} ${NO_VARIABLE}`)];
}

function subPathProblems(path: string, field: string): Problem[] {
  return path.startsWith('/') || stepsOut(path)
    ? [
        problem(
          field,
          `${quoted(path)} must be a path within the volume, without "/" before it and without ".."`,
        ),
      ]
    : [];
}
