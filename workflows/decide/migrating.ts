// The condition Migrating: whether the Capp is on its way, and if it should be and is not, why and until when.
import type { HubReason } from '../../crds/conditions.ts';
import type { Move } from '../moves.ts';
import type { State } from '../state.ts';
import type { Part } from './conditions.ts';
import { isHeldBack } from './copies.ts';
import { gateOf, type Gate } from './leave.ts';
import { clock } from './clock.ts';

export function migratingOf(state: State, now: number): Part {
  const { serving, move, paused } = state;
  if (paused) return part('False', 'Paused', 'Annotation rcs.dana.io/paused freezes the Capp. Remove it to go on.');
  if (move !== null) return movingOf(state, move);
  if (serving === null) return part('False', 'NotMoving', 'There is nothing to move.');
  const gate = gateOf(state, now);
  if (gate !== null) return part('False', gate.reason, waitingText(state, gate));
  const { handled, stays } = state;
  if (handled?.outcome === 'Refused') return part('False', 'MoveRefused', `${handled.reason}: ${handled.message}`);
  if (stays !== null) return { status: 'False', ...stays };
  return part('False', 'NotMoving', `The Capp stays on ${serving}.${mayStillRun(state)}`);
}

function part(status: Part['status'], reason: HubReason, message: string): Part {
  return { status, reason, message };
}

function movingOf(state: State, move: Move): Part {
  const { from, to, message, deadline } = move;
  if (isHeldBack(state)) {
    const word = `kubectl annotate capp ${state.capp.name} rcs.dana.io/force=${to}#1`;
    return part(
      'False',
      'AwaitsWord',
      `${message}, and spec.migration.strategy is Recreate: the copy on ${from} may still run. When it is stopped, say so: ${word}.`,
    );
  }
  if (state.serving === to) return part('True', 'Moving', `${to} serves; the copy on ${from} is being removed (${message}).`);
  return part('True', 'Moving', `From ${from} to ${to}, which has until ${clock(deadline)} to be Ready: ${message}.`);
}

function waitingText({ leave, serving }: State, { reason, until }: Gate): string {
  const why = (leave?.message ?? '').replace(/\.$/, '');
  const then = until === null ? '' : ` until ${clock(until)}`;
  switch (reason) {
    case 'Stabilising':
      return `${why}. The Capp moves if that is still so at ${until === null ? '' : clock(until)}.`;
    case 'CoolDown':
      return `${why}. The Capp moved a short while ago and stays on ${serving}${then}.`;
    case 'NoCandidate':
      return `${why}. The Capp stays on ${serving}${then}, or until something changes.`;
    case 'PermitAsked':
      return `${why}. The Capp waits for its turn: see workflow turns/${leave?.from}.`;
  }
}

/** A work that is going from a site out of reach says nothing of what runs there. */
function mayStillRun({ leaving, troubled }: State): string {
  const clusters = Object.keys(leaving).toSorted();
  if (clusters.length === 0) return '';
  const lost = clusters.filter((cluster) => troubled.includes(cluster)).join(',');
  const word = lost === '' ? '' : ` If it never returns, annotation rcs.dana.io/abandon=${lost} gives that copy up.`;
  return ` A copy may still run on ${clusters.join(', ')}, which has yet to remove it.${word}`;
}
