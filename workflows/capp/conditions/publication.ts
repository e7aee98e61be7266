// What is to be published of a state, and whether it was published already. Pure.
import type { Publication } from '../../ports/hub.ts';
import type { DecisionRecord } from '../../../crds/capp/decision.ts';
import { conditionsOf } from './conditions.ts';
import type { Answer } from '../../ports/agent.ts';
import type { VerdictNews } from '../listener.ts';
import type { State } from '../state.ts';
import { servingCopy } from '../facts/copies.ts';
import { fingerprint } from '../facts/fingerprint.ts';
import { turnedIllAt } from '../facts/health.ts';
import { quietUntil } from '../facts/quiet.ts';
import { standingFailure, verdictOf, verifiedCopy } from '../facts/verification.ts';

/** What is published for itself, and was not in earlier builds (`changes.ts`). */
export interface StatusTelling {
  /** A failure that stands beside the checks of a move. */
  readonly tellsFailure: boolean;
  /** That the site has the Capp, and not all that travels with it. Told if absent. */
  readonly tellsPart?: boolean;
}

/**
 * The fingerprint of everything that users read, and that a workflow started over restores from the status.
 */
export function fingerprintOf(
  state: State,
  at: number,
  { tellsFailure, tellsPart = true }: StatusTelling = { tellsFailure: true },
): string {
  const { serving, placedFor, pin, annotated, lastMove } = state;
  const verified = verifiedCopy(state);
  const verdict = verified === null ? null : verdictOf(verified.copy);
  const checked = verdict === null ? [] : [verdict.key, verdict.at];
  const turnedAt = turnedIllAt(state);
  const ill = turnedAt === null && state.healing === undefined ? [] : [turnedAt, state.healing ?? null];
  const told = [conditionsOf(state, at, tellsPart), serving, placedFor, pin, annotated, lastMove];
  const standing = tellsFailure ? standingFailure(state) : null;
  const failed = standing === null ? [] : [standing.key, standing.at];
  return fingerprint([...told, ...checked, ...ill, ...failed]);
}

/** To be called before anything that may publish this state. */
export function telling(state: State, now: number): State {
  return { ...state, statusDecidedAt: Math.max(state.statusDecidedAt + 1, now) };
}

interface Publishing extends StatusTelling {
  readonly record: DecisionRecord | null;
  readonly news: VerdictNews | null;
  readonly at: number;
}

/** What to publish now, with its fingerprint; null if it was published already. */
export function publicationOf(
  state: State,
  { record, news, at, ...told }: Publishing,
): { readonly fingerprint: string; readonly publication: Publication } | null {
  if (quietUntil(state, at) !== null) return null;
  const fingerprint = fingerprintOf(state, at, told);
  const isServing = news?.stamp === servingCopy(state)?.stamp;
  const mirror = isServing ? (answerIn(news)?.mirror ?? null) : null;
  // The apply publishes the choice of its site.
  const isChoice = record !== null && record.cluster !== null;
  if (fingerprint === state.published && mirror === null && (record === null || isChoice)) return null;
  return { fingerprint, publication: { record, mirror, at } };
}

/** The state after a publication. A mirror that was published is remembered by its hash. */
export function published(
  state: State,
  { fingerprint, mirror }: { fingerprint: string; mirror: unknown },
  news: VerdictNews | null,
): State {
  const mirrored = mirror === null ? state.mirrored : (answerIn(news)?.finding.statusHash ?? null);
  return { ...state, published: fingerprint, mirrored };
}

function answerIn(news: VerdictNews | null): Answer | null {
  return news?.outcome === 'Answered' ? news.answer : null;
}
