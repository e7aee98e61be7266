// Which sources of events a Capp asks for, and what their objects are called. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import type { EventSource } from '../../crds/capp/spec/event-sources.ts';

/** Consumers of one source, when the CappConfig does not say. */
export const MOST_CONSUMERS = 5;

export function sourcesOf(capp: Capp): readonly EventSource[] {
  return capp.spec.eventSourcesSpec?.sources ?? [];
}

/** As upstream. Two Capps may come to the same name (a-b and c, a and b-c): the first one has it. */
export function sourceName(capp: Capp, source: EventSource): string {
  return `${capp.metadata.name}-${source.name}`;
}
