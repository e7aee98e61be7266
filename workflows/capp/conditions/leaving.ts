// The condition Ready of a Capp that is being deleted: the sites that it waits for and, for lost ones, the
// two ways out.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import type { State } from '../state.ts';
import type { ConditionPart } from './condition.ts';

/** Lost clusters that still have a work being deleted. */
export function lostIn({ leaving }: State): string[] {
  return named(leaving, ({ lost }) => lost !== undefined);
}

/** The condition Ready of a Capp that is being deleted. */
export function leavingOf(state: State): ConditionPart {
  const { leaving, capp } = state;
  const lost = lostIn(state);
  if (lost.length > 0) {
    const word = `kubectl -n ${capp.namespace} annotate capp ${capp.name} --overwrite rcs.dana.io/abandon=${lost.join(',')}`;
    const ways = `Wait until it returns. If it never will, abandon the copy that may still run there: ${word}`;
    return part(
      'SiteUnreachable',
      `Being deleted: ${lossesOf(leaving, lost)} and has not removed its copy. ${ways}.`,
    );
  }
  const kept = named(leaving, (one) => one.givenUp === true);
  if (kept.length > 0) {
    const names = kept.join(', ');
    return part(
      'AbandonRefused',
      `Being deleted: ${names} can be reached and removes its copy itself, so annotation rcs.dana.io/abandon has no effect there.`,
    );
  }
  const clusters = Object.keys(leaving).toSorted();
  return part(
    'Leaving',
    clusters.length === 0
      ? 'Being deleted.'
      : `Being deleted: ${clusters.join(', ')} still has to remove its copy.`,
  );
}

function part(reason: HubReason, message: string): ConditionPart {
  return { status: 'False', reason, message };
}

function named(leaving: State['leaving'], is: (one: State['leaving'][string]) => boolean): string[] {
  const found = Object.entries(leaving).filter(([, one]) => is(one));
  return found.map(([cluster]) => cluster).toSorted();
}

function lossesOf(leaving: State['leaving'], lost: readonly string[]): string {
  const saying = { Gone: 'is no managed cluster any more', Unreachable: 'cannot be reached' };
  return lost.map((cluster) => `${cluster} ${saying[leaving[cluster]?.lost ?? 'Unreachable']}`).join(', ');
}
