// Where volumes are mounted: at paths of their own, and as their kind allows.
import { posix } from 'node:path';
import { at, byName, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { type FoundContainer, having, POD, problem, quoted } from './found.ts';

const RESERVED = new Set(['/', '/dev', '/dev/log']);
const PROPAGATION = ['None', 'HostToContainer'];
/** A container may write to them; Knative mounts all others to be read, except for init containers. */
const WRITABLE = ['emptyDir', 'persistentVolumeClaim', 'ephemeral'] as const;

/** The volumes that a Capp has, by their names. */
export interface Volumes {
  /** Of the template. */
  readonly given: ReadonlyMap<string, unknown>;
  /** That Cappstan makes. */
  readonly promised: ReadonlyMap<string, unknown>;
}

export function volumesOf(object: unknown): Volumes {
  return {
    given: byName(listAt(object, ...POD, 'volumes')),
    promised: byName(listAt(object, 'spec', 'volumesSpec', 'nfsVolumes')),
  };
}

export function mountProblems({ value, path, role }: FoundContainer, volumes: Volumes): Problem[] {
  const paths = new Set<string>();
  return listAt(value, 'volumeMounts').flatMap((mount, index) => {
    const field = `${path}.volumeMounts[${index}]`;
    const where = cleaned(textAt(mount, 'mountPath'));
    const isAgain = paths.has(where);
    paths.add(where);
    return [
      ...pathProblems(textAt(mount, 'mountPath'), isAgain, `${field}.mountPath`),
      ...volumeProblems(mount, volumes, field, role),
      ...propagationProblems(textAt(mount, 'mountPropagation'), `${field}.mountPropagation`),
    ];
  });
}

/** As Go's path.Clean does it. */
function cleaned(path: string): string {
  const clean = posix.normalize(path);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

function pathProblems(path: string, isAgain: boolean, field: string): Problem[] {
  if (path === '') return [problem(field, 'is missing: write where to mount it, such as /data')];
  if (RESERVED.has(cleaned(path)))
    return [problem(field, `nothing may be mounted at ${cleaned(path)}: choose another path, such as /data`)];
  if (!path.startsWith('/'))
    return [problem(field, 'must begin with "/": write the whole path, such as /data')];
  return isAgain
    ? [problem(field, `${quoted(path)} is the path of another mount of this container: choose another one`)]
    : [];
}

function volumeProblems(
  mount: unknown,
  volumes: Volumes,
  field: string,
  role: FoundContainer['role'],
): Problem[] {
  const name = textAt(mount, 'name');
  const volume = volumes.given.get(name);
  const isReadOnly = at(mount, 'readOnly') === true;
  if (volume === undefined) {
    const remedy = 'add it to volumes of the template or to spec.volumesSpec.nfsVolumes, or correct the name';
    return volumes.promised.has(name) || name === ''
      ? []
      : [problem(`${field}.name`, `there is no volume ${quoted(name)}: ${remedy}`)];
  }
  if (role === 'init' && !isReadOnly && having(volume, WRITABLE).length === 0)
    return [
      problem(`${field}.readOnly`, 'must be true: an init container may only read this kind of volume'),
    ];
  return at(volume, 'persistentVolumeClaim', 'readOnly') === true && !isReadOnly
    ? [problem(`${field}.readOnly`, 'must be true, as the volume is only to be read')]
    : [];
}

function propagationProblems(propagation: string, field: string): Problem[] {
  return propagation === '' || PROPAGATION.includes(propagation)
    ? []
    : [problem(field, `must be ${PROPAGATION.join(' or ')}, or be left out`)];
}
