// Lists of a Capp that a set leaves out when they have no items. Pure.
import { isFields, type Fields } from '../../kube/fields.ts';

/**
 * Lists whose items have keys (`x-kubernetes-list-type: map`). Whoever applies one without items does not own
 * it, so it would stay when it is taken out; an empty one says nothing.
 */
const KEYED = [
  ['spec', 'volumesSpec', 'nfsVolumes'],
  ['spec', 'eventSourcesSpec', 'sources'],
  ['spec', 'configurationSpec', 'template', 'spec', 'initContainers'],
  ['spec', 'configurationSpec', 'template', 'spec', 'volumes'],
] as const;

/** `template` is a set's template with its overrides. */
export function withoutEmptyLists(template: unknown): unknown {
  return without(template, KEYED);
}

function without(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (!isFields(value)) return value;
  const fields = Object.entries(value).flatMap(([name, item]) => {
    const further = paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
    const isEmpty = Array.isArray(item) && item.length === 0 && further.some((rest) => rest.length === 0);
    return isEmpty ? [] : [[name, further.length === 0 ? item : without(item, further)]];
  });
  return Object.fromEntries(fields) as Fields;
}
