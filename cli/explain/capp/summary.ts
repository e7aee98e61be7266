// One Capp in a line: what `list` shows of it.
import type { Capp } from '../../../crds/capp/capp.ts';
import {
  conditionIn,
  freshnessOf,
  isUnseen,
  phaseOf,
  setNameOf,
  type Freshness,
  type ShownPhase,
} from './phase.ts';

export interface Summary {
  readonly namespace: string;
  readonly name: string;
  readonly phase: ShownPhase;
  /** Where it serves, or null. */
  readonly site: string | null;
  /** The CappSet that keeps it there, or null. */
  readonly set: string | null;
  /** Why it is not as asked, of the condition that says so; that of Ready when all is well. */
  readonly reason: string | null;
  readonly message: string | null;
  readonly freshness: Freshness;
  readonly generation: number;
  readonly hostname: string | null;
  /** How the last move ended, or null if there was none. */
  readonly lastMove: { readonly from: string; readonly to: string; readonly result: string } | null;
  /** RFC 3339. */
  readonly createdAt: string | null;
}

/** `paused` is the name of the annotation that freezes a Capp. */
export function summaryOf(capp: Capp, paused: string): Summary {
  const { metadata, spec, status } = capp;
  const phase = phaseOf(capp, paused);
  const said = conditionIn(capp, tellingType(capp, phase)) ?? { reason: null, message: null };
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    phase,
    site: status?.applicationLinks?.site ?? null,
    set: setNameOf(capp),
    reason: said.reason,
    message: said.message,
    freshness: freshnessOf(capp),
    generation: metadata.generation ?? 0,
    hostname: spec.routeSpec?.hostname ?? null,
    lastMove: lastMoveOf(capp),
    createdAt: metadata.creationTimestamp ?? null,
  };
}

/** The condition whose reason says most. */
function tellingType(capp: Capp, phase: ShownPhase): string {
  if (phase === 'Moving') return 'Migrating';
  return phase === 'Degraded' && isUnseen(capp) ? 'Available' : 'Ready';
}

function lastMoveOf({ status }: Capp): Summary['lastMove'] {
  const { lastMove } = status?.migration ?? {};
  if (lastMove === undefined) return null;
  const { from = '', to = '', result = '' } = lastMove;
  return { from, to, result };
}
