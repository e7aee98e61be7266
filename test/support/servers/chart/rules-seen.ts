// The rules of all roles of the chart, one text each.
import { forHub } from './chart.ts';

interface RoleSeen {
  readonly metadata: { readonly namespace?: string; readonly name: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
}

/** Namespace (`*` for a ClusterRole), role, groups, resources, verbs and names of each. */
export async function rulesIn(values: Readonly<Record<string, string>>): Promise<Set<string>> {
  return new Set(
    ((await forHub(values)) as unknown as readonly RoleSeen[]).flatMap(
      ({ metadata: { namespace = '*', name }, rules = [] }) =>
        rules.map(({ apiGroups, resources, verbs, resourceNames = [] }) =>
          [namespace, name, apiGroups.join(), resources.join(), verbs.join(), resourceNames.join()]
            .join(' ')
            .trimEnd(),
        ),
    ),
  );
}
