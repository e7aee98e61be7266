// The volumes of a Pod: each has one source, and somebody mounts it.
import { isFields } from '../../../../kube/fields.ts';
import { amount, at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { again, type FoundContainer, having, isThere, POD, problem, quoted } from './found.ts';

const SOURCES = [
  'configMap',
  'secret',
  'projected',
  'emptyDir',
  'persistentVolumeClaim',
  'csi',
  'ephemeral',
  'hostPath',
  'image',
] as const;
const PROJECTED = ['configMap', 'secret', 'serviceAccountToken', 'downwardAPI'] as const;
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export function volumeProblems(containers: readonly FoundContainer[], object: unknown): Problem[] {
  const mounts = containers.flatMap(({ value }) => listAt(value, 'volumeMounts'));
  const mounted = new Set(mounts.map((mount) => textAt(mount, 'name')));
  const volumes = listAt(object, ...POD, 'volumes');
  const all = `${POD.join('.')}.volumes`;
  const found = volumes.flatMap((volume, index) => {
    const path = `${all}[${index}]`;
    const name = textAt(volume, 'name');
    return [
      ...nameProblems(name, mounted, `${path}.name`),
      ...sourceProblems(volume, path),
      ...['configMap', 'secret'].flatMap((kind) => itemProblems(at(volume, kind), `${path}.${kind}`)),
      ...listAt(volume, 'projected', 'sources').flatMap((source, place) =>
        projectedProblems(source, `${path}.projected.sources[${place}]`),
      ),
      ...emptyDirProblems(at(volume, 'emptyDir'), `${path}.emptyDir`),
    ];
  });
  return [...found, ...again(volumes, all)];
}

function nameProblems(name: string, mounted: ReadonlySet<string>, field: string): Problem[] {
  if (!LABEL.test(name))
    return [problem(field, `${quoted(name)} must be at most 63 lower-case letters, digits and "-"`)];
  return mounted.has(name)
    ? []
    : [
        problem(
          field,
          `no container mounts ${quoted(name)}: add it to the volumeMounts of one, or take it out`,
        ),
      ];
}

/** A source that Knative has no field for is said by the shape of the template. */
function sourceProblems(volume: unknown, path: string): Problem[] {
  const found = having(volume, SOURCES);
  const isOther = isFields(volume) && Object.keys(volume).length > 1;
  if (found.length === 1 || (found.length === 0 && isOther)) return [];
  return found.length === 0
    ? [problem(path, `has nothing in it: write one of ${SOURCES.slice(0, 5).join(', ')}`)]
    : [problem(path, `has several sources, ${found.join(' and ')}: make a volume of each`)];
}

function projectedProblems(source: unknown, path: string): Problem[] {
  const found = having(source, PROJECTED);
  if (found.length !== 1)
    return [problem(path, `must be one of ${PROJECTED.join(', ')}: write an entry for each`)];
  const [kind = ''] = found;
  const named: Readonly<Record<string, string>> = {
    configMap: 'name',
    secret: 'name',
    serviceAccountToken: 'path',
  };
  const wanted = named[kind];
  return [
    ...(wanted !== undefined && textAt(source, kind, wanted) === ''
      ? [problem(`${path}.${kind}.${wanted}`, 'is missing: write it')]
      : []),
    ...itemProblems(at(source, kind), `${path}.${kind}`),
    ...(kind === 'downwardAPI' ? downwardProblems(source, path) : []),
  ];
}

function downwardProblems(source: unknown, path: string): Problem[] {
  return listAt(source, 'downwardAPI', 'items').flatMap((item, index) =>
    having(item, ['fieldRef', 'resourceFieldRef']).length === 1
      ? []
      : [
          problem(
            `${path}.downwardAPI.items[${index}]`,
            'has nothing to read, or two things: write either fieldRef or resourceFieldRef',
          ),
        ],
  );
}

function itemProblems(source: unknown, path: string): Problem[] {
  const isDownward = path.endsWith('.downwardAPI');
  return listAt(source, 'items').flatMap((item, index) =>
    (isDownward ? ['path'] : ['key', 'path'])
      .filter((name) => textAt(item, name) === '')
      .map((name) => problem(`${path}.items[${index}].${name}`, 'is missing: write it')),
  );
}

function emptyDirProblems(dir: unknown, path: string): Problem[] {
  const medium = textAt(dir, 'medium');
  return [
    ...(medium === '' || medium === 'Memory'
      ? []
      : [problem(`${path}.medium`, 'must be Memory, or be left out for the disk of the node')]),
    ...(isThere(dir, 'sizeLimit') && amount(at(dir, 'sizeLimit')) < 0
      ? [problem(`${path}.sizeLimit`, 'must not be below 0: raise it, or leave it out')]
      : []),
  ];
}
