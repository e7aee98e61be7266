// Server-side apply of an object itself, without force, as far as the hub uses it: whoever has changed a
// field of the spec that the applier owns makes it a Conflict.
import type { Stored } from './objects.ts';
import { isSame, type Json } from './merge.ts';

/** What a field manager has applied last. */
export interface Applied {
  readonly spec: Json;
  readonly labels: Json;
  readonly annotations: Json;
}

export const NOTHING: Applied = { spec: {}, labels: {}, annotations: {} };

export function appliedIn(body: Json): Applied {
  const { labels = {}, annotations = {} } = body['metadata'] as { labels?: Json; annotations?: Json };
  return { spec: (body['spec'] ?? {}) as Json, labels, annotations };
}

/** The fields that somebody else has changed to something else. */
export function conflictsIn(before: Stored, mine: Applied, wanted: Applied): string[] {
  const live = before.spec ?? {};
  return Object.keys(wanted.spec)
    .filter((name) => isOther(live[name], mine.spec[name]) && isOther(live[name], wanted.spec[name]))
    .map((name) => `spec.${name}`);
}

export function appliedOver(before: Stored, mine: Applied, wanted: Applied): Stored {
  const { labels, annotations } = before.metadata;
  return {
    ...before,
    metadata: {
      ...before.metadata,
      labels: over(labels ?? {}, mine.labels, wanted.labels) as Record<string, string>,
      annotations: over(annotations ?? {}, mine.annotations, wanted.annotations) as Record<string, string>,
    },
    spec: over(before.spec ?? {}, mine.spec, wanted.spec),
  };
}

function over(live: Json, mine: Json, wanted: Json): Json {
  const others = Object.entries(live).filter(([name]) => !(name in mine) || name in wanted);
  return { ...Object.fromEntries(others), ...wanted };
}

function isOther(a: unknown, b: unknown): boolean {
  return !isSame(a, b);
}
