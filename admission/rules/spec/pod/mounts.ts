// Where volumes are mounted: at paths of their own, and as their kind allows.
import { posix } from 'node:path';
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { type Container, having, POD, problem, quoted } from './found.ts';

const RESERVED = new Set(['/', '/dev', '/dev/log']);
const PROPAGATION = ['None', 'HostToContainer'];
/** A container may write to them; Knative mounts all others to be read, except for init containers. */
const WRITABLE = ['emptyDir', 'persistentVolumeClaim', 'ephemeral'] as const;

export function mountProblems({ value, path, role }: Container, object: unknown): Problem[] {
  const mounts = listAt(value, 'volumeMounts');
  const paths = mounts.map((mount) => cleaned(textAt(mount, 'mountPath')));
  return mounts.flatMap((mount, index) => {
    const field = `${path}.volumeMounts[${index}]`;
    const isAgain = paths.indexOf(paths[index] ?? '') < index;
    return [
      ...pathProblems(textAt(mount, 'mountPath'), isAgain, `${field}.mountPath`),
      ...volumeProblems(mount, object, field, role),
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
  if (path === '') return [];
  if (RESERVED.has(cleaned(path)))
    return [problem(field, `nothing may be mounted at ${cleaned(path)}: choose another path, such as /data`)];
  if (!path.startsWith('/'))
    return [problem(field, 'must begin with "/": write the whole path, such as /data')];
  return isAgain
    ? [problem(field, `${quoted(path)} is the path of another mount of this container: choose another one`)]
    : [];
}

function volumeProblems(mount: unknown, object: unknown, field: string, role: Container['role']): Problem[] {
  const name = textAt(mount, 'name');
  const volume = listAt(object, ...POD, 'volumes').find((one) => textAt(one, 'name') === name);
  const isReadOnly = at(mount, 'readOnly') === true;
  if (volume === undefined) {
    const isPromised = listAt(object, 'spec', 'volumesSpec', 'nfsVolumes').some(
      (one) => textAt(one, 'name') === name,
    );
    const remedy = 'add it to volumes of the template or to spec.volumesSpec.nfsVolumes, or correct the name';
    return isPromised || name === ''
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
