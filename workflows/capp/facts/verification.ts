// Which copies are to be verified now, and what a move still lacks of that. Pure.
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import type { VerificationOrder, Verification } from '../../types/verification.ts';
import { isOldServing } from './hostname.ts';
import { isShipped, wantedClusters } from './copies.ts';

/** The verdict by the order that the copy has now; null while there is none. */
export function verdictOf({
  order,
  verification,
}: Pick<Copy, 'order' | 'verification'>): Verification | null {
  return verification !== undefined && verification.key === order?.key ? verification : null;
}

/** Nothing of it is to run, and nothing does: there is no app that could be asked. */
function isDisabled({ finding }: Pick<Copy, 'finding'>): boolean {
  return finding?.verdict === 'Ready' && finding.reason === 'Disabled';
}

/** There are checks for it that nobody can make. */
export function isNeedless(copy: Copy): boolean {
  return copy.order !== undefined && isDisabled(copy);
}

/** A copy of the present generation that is Ready there, and about whose checks nobody has answered. */
export function toBeVerified(
  state: State,
): readonly { readonly cluster: string; readonly stamp: string; readonly order: VerificationOrder }[] {
  if (state.paused || state.retiring || state.refused !== null) return [];
  return wantedClusters(state).flatMap((cluster) => {
    const copy = state.copies[cluster];
    if (copy?.order === undefined || copy.stamp === null || verdictOf(copy) !== null) return [];
    const isThere = isShipped(copy) && copy.generation === state.generation && copy.absentSince === null;
    const isReady = copy.finding?.verdict === 'Ready' && !isDisabled(copy);
    const isSeen = copy.silentSince === null && !state.unreachable.includes(cluster);
    return isThere && isReady && isSeen ? [{ cluster, stamp: copy.stamp, order: copy.order }] : [];
  });
}

/**
 * What the new copy of a move lacks: a verdict, or one that has passed. Null if a move need not wait: nothing
 * is to be checked, a person does not want to wait, or the old copy does not serve and is not left for that.
 */
export function lackOfChecks(state: State): Verification | 'Unknown' | null {
  const { move, copies } = state;
  if (move === null || move.request?.force === true) return null;
  if (!isOldServing(state) && move.reason !== 'Unhealthy') return null;
  const copy = copies[move.to];
  if (copy?.order === undefined) return null;
  const verdict = verdictOf(copy);
  if (verdict === null) return 'Unknown';
  return verdict.verdict === 'Passed' ? null : verdict;
}

export function hasFailedChecks(state: State): boolean {
  const lack = lackOfChecks(state);
  return lack !== null && lack !== 'Unknown' && lack.verdict === 'Failed';
}

/**
 * The failure of the serving copy's checks, while people read how those of a move's new copy go: a workflow
 * that is started over must not make them once more.
 */
export function standingFailure(state: State): Verification | null {
  const { serving, move } = state;
  if (serving === null || move === null || serving === move.to) return null;
  const verdict = verdictOf(state.copies[serving] ?? {});
  const isSaid = verifiedCopy(state)?.cluster === serving;
  return verdict?.verdict === 'Failed' && !isSaid ? verdict : null;
}

/**
 * The copy of which people read how its checks went: the new one of a move, and otherwise the serving one.
 */
export function verifiedCopy({
  move,
  serving,
  copies,
}: State): { readonly cluster: string; readonly copy: Copy } | null {
  const named = [move?.to ?? null, serving].filter((cluster) => cluster !== null);
  const found = named.find((cluster) => copies[cluster]?.order !== undefined);
  const copy = found === undefined ? undefined : copies[found];
  return found === undefined || copy === undefined ? null : { cluster: found, copy };
}
