// Which fields of a set's Capp somebody has changed since the set wrote it. Pure.
import { CappSpec, type Capp } from '../../../crds/capp/capp.ts';
import { containsAll } from '../../../kube/resource.ts';
import { addedByOthers } from './hand-edits.ts';

/** Fields that are named at most. */
const MOST_NAMED = 3;
/** Levels of a field's path that are named. */
const MOST_LEVELS = 3;

/**
 * The first levels are named, such as `spec.configurationSpec.template`. What the API server or a webhook has
 * added is no change, and neither is a field that the schema of Capps does not know and the API server has
 * dropped. What somebody else has added is one: it may be why the Capp is Ready.
 */
export function overriddenFields(live: Capp, rendered: unknown): readonly string[] {
  const added = addedByOthers(live, rendered).map((path) => path.slice(0, MOST_LEVELS).join('.'));
  return [...new Set([...changedFields(live.spec, rendered), ...added])].slice(0, MOST_NAMED);
}

function changedFields(live: unknown, rendered: unknown): readonly string[] {
  if (containsAll(live, rendered)) return [];
  const known = CappSpec.safeParse(rendered);
  return differing(live, known.success ? known.data : rendered, ['spec']);
}

function differing(live: unknown, wanted: unknown, path: readonly string[]): string[] {
  if (containsAll(live, wanted)) return [];
  const isDeep = path.length < MOST_LEVELS && isFields(live) && isFields(wanted);
  if (!isDeep) return [path.join('.')];
  return Object.entries(wanted).flatMap(([name, value]) => differing(live[name], value, [...path, name]));
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
