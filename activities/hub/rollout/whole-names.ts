// The names of revisions that a rollout remembers from an earlier version, which were short. Pure.
import { isShort, knownAs } from '../../../crds/rollout/revision.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';

/** Those of its revisions that have a short name. */
export function shortIn(rollout: Rollout | null): string[] {
  return rollout === null ? [] : namesIn(rollout).filter(isShort);
}

/** All revisions that it names. */
export function namesIn({ revision, settled, before, halfway }: Rollout): string[] {
  return [revision, settled, before, ...halfway].filter((one) => one !== null);
}

/** The same rollout with whole names, where they are known; the same object if nothing has another name. */
export function withWholeNames(rollout: Rollout | null, known: readonly string[]): Rollout | null {
  if (rollout === null || shortIn(rollout).every((one) => knownAs(one, known) === one)) return rollout;
  const { revision, settled, before, halfway } = rollout;
  const whole = (one: string): string => knownAs(one, known);
  return {
    ...rollout,
    revision: whole(revision),
    settled: settled === null ? null : whole(settled),
    before: before === null ? null : whole(before),
    halfway: halfway.map(whole),
  };
}
