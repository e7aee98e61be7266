// What is to be asked of each site where Capps would go, a hundred Capps at a time. Pure.
import { MOST_INSPECTED, type InspectQuestion, type SiteKind } from '../../types/inspection.ts';
import type { DrillCapp } from '../port.ts';

/** Capps in one question: each has a namespace. */
const AT_ONCE = MOST_INSPECTED.namespaces;

export interface SiteQuestion {
  readonly site: string;
  readonly question: InspectQuestion;
}

/** Site → its Capps, in their order. */
export function bySite(capps: readonly DrillCapp[]): Map<string, DrillCapp[]> {
  const found = new Map<string, DrillCapp[]>();
  for (const one of capps) {
    if (one.to === null) continue;
    const own = found.get(one.to);
    if (own === undefined) found.set(one.to, [one]);
    else own.push(one);
  }
  return found;
}

/** The first question to a site asks for its nodes as well. Images beyond two hundred are not asked about. */
export function questionsFor(capps: readonly DrillCapp[]): InspectQuestion[] {
  const parts = Array.from({ length: Math.ceil(capps.length / AT_ONCE) }, (_, index) =>
    capps.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  return parts.map((part, index) => {
    const needs = part.flatMap((one) => one.needs ?? []);
    return {
      namespaces: unique(part.map(({ namespace }) => namespace)),
      images: unique(needs.flatMap(({ images }) => images)).slice(0, MOST_INSPECTED.images),
      kinds: unique<SiteKind>(needs.flatMap(({ kinds }) => kinds)),
      wantsNodes: index === 0,
    };
  });
}

function unique<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)].toSorted();
}
