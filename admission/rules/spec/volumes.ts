// Volumes that a Capp asks for are mounted by one of its containers, and are not changed once they are there.
import { at, byName, listAt, textAt } from '../../fields.ts';
import type { Common } from '../../known.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';

const VOLUMES = ['spec', 'volumesSpec', 'nfsVolumes'] as const;
const POD = ['spec', 'configurationSpec', 'template', 'spec'] as const;

export const volumes: AdmissionRule<Common> = ({ object, oldObject }) => {
  const former = byName(listAt(oldObject, ...VOLUMES));
  const unmountedBefore = unmounted(oldObject);
  const idle = unmounted(object);
  return {
    problems: listAt(object, ...VOLUMES).flatMap((volume, index) => {
      const name = textAt(volume, 'name');
      const path = `${VOLUMES.join('.')}[${index}]`;
      const before = former.get(name);
      const isIdle = idle.has(name) && !unmountedBefore.has(name);
      return [
        ...(isIdle ? [unused(path, name)] : []),
        ...(before === undefined ? [] : moved(path, volume, before)),
      ];
    }),
  };
};

/** The names of NFS volumes that no container mounts, neither by their name nor by their claim. */
function unmounted(object: unknown): ReadonlySet<string> {
  const containers = ['containers', 'initContainers'].flatMap((list) => listAt(object, ...POD, list));
  const mounts = containers.flatMap((one) => listAt(one, 'volumeMounts'));
  const mounted = new Set(mounts.map((mount) => textAt(mount, 'name')));
  const claims = listAt(object, ...POD, 'volumes')
    .filter((volume) => mounted.has(textAt(volume, 'name')))
    .map((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName'));
  const used = new Set([...mounted, ...claims]);
  const names = listAt(object, ...VOLUMES).map((volume) => textAt(volume, 'name'));
  return new Set(names.filter((name) => name !== '' && !used.has(name)));
}

function unused(path: string, name: string): Problem {
  const message = `volume "${name}" must be mounted by at least one container: add it to the volumeMounts of one, or remove the volume`;
  return { field: `${path}.name`, reason: 'FieldValueInvalid', message, fromCache: false };
}

/** The kind NfsPvc refuses such an edit later, for ever, when nobody waits for the answer. */
function moved(path: string, volume: unknown, before: unknown): Problem[] {
  return ['server', 'path'].flatMap((field) => {
    const [wanted, was] = [at(volume, field), at(before, field)];
    if (wanted === was) return [];
    const message = `the volume is there with ${String(was)}, and that cannot be changed: give the new volume another name`;
    return [{ field: `${path}.${field}`, reason: 'FieldValueInvalid' as const, message, fromCache: false }];
  });
}
