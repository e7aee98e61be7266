// Which fields of a set's Capp somebody has changed since the set wrote it. Pure.
import { CappSpec } from '../../../crds/capp/capp.ts';
import { containsAll } from '../../../kube/resource.ts';

/** Fields that are named at most. */
const MOST_NAMED = 3;

/**
 * The first levels are named, such as `spec.configurationSpec.template`. What the API server or a webhook has
 * added is no change, and neither is a field that the schema of Capps does not know and the API server has
 * dropped.
 */
export function overriddenFields(live: unknown, rendered: unknown): readonly string[] {
  if (containsAll(live, rendered)) return [];
  const known = CappSpec.safeParse(rendered);
  return differing(live, known.success ? known.data : rendered, ['spec']).slice(0, MOST_NAMED);
}

function differing(live: unknown, wanted: unknown, path: readonly string[]): string[] {
  if (containsAll(live, wanted)) return [];
  const isDeep = path.length < 3 && isFields(live) && isFields(wanted);
  if (!isDeep) return [path.join('.')];
  return Object.entries(wanted).flatMap(([name, value]) => differing(live[name], value, [...path, name]));
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
