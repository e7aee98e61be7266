// Copies that could not be asked for the checks of their stage: nobody has measured, so that is no failure of
// the app. It is tried again until the deadline of the strategy, and then comes to no verdict. Pure.
import type { Strategy } from '../../../crds/rollout/stages.ts';
import { listDigest } from '../../../crds/verification/asked-of-jobs.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import type { SeenVerification, Target, VerifyAsk } from '../../../workflows/stages/types.ts';

export interface Unordered {
  readonly marker: RefusedCopy;
  readonly seen: SeenVerification;
}

/** What a marker remembers of the checks that were to be ordered. */
export function askedIn({ round, checks }: VerifyAsk): NonNullable<RefusedCopy['asked']> {
  return { round, checks: listDigest(checks) };
}

/** By cluster. What no stage asks for any more is none. `standing`: markers that count now. */
export function unorderedAmong(
  standing: Readonly<Record<string, RefusedCopy>>,
  { stages = [], deadlineSeconds }: Strategy,
  now: number,
): Readonly<Record<string, Unordered>> {
  const some = Object.entries(standing).filter(([, { asked }]) => asked !== undefined);
  if (some.length === 0) return {};
  const texts = stages.flatMap(({ verify }) => (verify === undefined ? [] : [JSON.stringify(verify)]));
  const byDigest = new Map(texts.map((text) => [listDigest(text), text]));
  return Object.fromEntries(
    some.flatMap(([cluster, marker]) => {
      const { round, checks: digest } = marker.asked ?? { round: '', checks: '' };
      const checks = byDigest.get(digest);
      const until = marker.at + deadlineSeconds * 1_000;
      const result =
        now < until ? null : ({ verdict: 'Inconclusive', at: until, says: marker.message } as const);
      const seen = { revision: marker.revision, round, checks: checks ?? '', until, result };
      return checks === undefined ? [] : [[cluster, { marker, seen }] as const];
    }),
  );
}

/** Those that keep copies from being written. */
export function copiesAmong(
  standing: Readonly<Record<string, RefusedCopy>>,
): Readonly<Record<string, RefusedCopy>> {
  return Object.fromEntries(Object.entries(standing).filter(([, { asked }]) => asked === undefined));
}

/**
 * The same target, with checks that could not be ordered. `revision`: that of the marker, by its whole name.
 * An order for the same that has come after all counts before it.
 */
export function withUnordered(
  target: Target,
  one: Unordered | undefined,
  revision: string,
): { readonly target: Target; readonly unordered?: RefusedCopy } {
  if (one === undefined || target.revision !== revision || target.isStale === true) return { target };
  const { marker, seen } = one;
  const given = target.verification;
  const isThere = given?.revision === revision && given.round === seen.round && given.checks === seen.checks;
  if (isThere) return { target };
  return { target: { ...target, verification: { ...seen, revision } }, unordered: marker };
}
