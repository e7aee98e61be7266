// The condition Migrating: whether the Capp is moving; if it should and does not, why and until when.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import type { Move } from '../../types/moves.ts';
import type { State } from '../state.ts';
import { confirmationCommand } from '../../placement/recreate.ts';
import type { ConditionPart } from './condition.ts';
import { isHeldBack, mayStillRun, refusalOf } from '../facts/copies.ts';
import { pausedText } from '../facts/paused.ts';
import { isStillLedTo } from '../facts/dns.ts';
import { lackOfHostname } from '../facts/hostname.ts';
import { gateOf, type LeaveGate } from '../facts/gates.ts';
import { lackOfChecks } from '../facts/verification.ts';
import { clock } from '../../types/clock.ts';
import { withoutStop } from '../../types/sentences.ts';

export function migratingOf(state: State, now: number): ConditionPart {
  const { serving, move, paused } = state;
  if (paused)
    return part('False', 'Paused', `${pausedText(state)}. Remove annotation rcs.dana.io/paused to continue.`);
  if (move !== null) return movingOf(state, move, now);
  if (serving === null) return part('False', 'NotMoving', 'The Capp has no site to move from.');
  const gate = gateOf(state, now);
  if (gate !== null) return part('False', gate.reason, waitingText(state, gate));
  const { handled, stays } = state;
  if (handled?.outcome === 'Refused')
    return part('False', 'MoveRefused', `${handled.reason}: ${handled.message}`);
  if (stays !== null) return { status: 'False', ...stays };
  return part('False', 'NotMoving', `The Capp stays on ${serving}.${remaining(state)}`);
}

function part(status: ConditionPart['status'], reason: HubReason, message: string): ConditionPart {
  return { status, reason, message };
}

function movingOf(state: State, move: Move, now: number): ConditionPart {
  const { from, to, message, deadline } = move;
  if (isHeldBack(state))
    return part('False', 'AwaitsConfirmation', awaitingText(state, { from, to, message }));
  if (state.serving === to && isLedElsewhere(state, from, now))
    return part('True', 'AwaitsRecord', ledText(state, move));
  if (state.serving === to)
    return part(
      'True',
      'Moving',
      `${to} serves; the copy on ${from} is being removed (${message}).${unremovedOn(state)}`,
    );
  const lacking = lackOfHostname(state);
  if (state.copies[to]?.finding?.verdict === 'Ready' && lacking !== null)
    return part('True', 'AwaitsHostname', lackingText(state, move, lacking.message));
  const unchecked = lackOfChecks(state);
  if (state.copies[to]?.finding?.verdict === 'Ready' && unchecked !== null)
    return part('True', 'AwaitsChecks', uncheckedText(state, move, unchecked));
  const refused = refusalOf(state.copies[to]);
  const held = refused === null ? '' : ` It is delayed: ${refused.message}`;
  return part(
    'True',
    'Moving',
    `From ${from} to ${to}, which must be Ready by ${clock(deadline)}: ${message}.${held}${unremovedOn(state)}`,
  );
}

function isLedElsewhere(state: State, from: string, now: number): boolean {
  const old = state.copies[from];
  return old !== undefined && isStillLedTo(state, from, old, now);
}

/** Until when users may be led to the old site, or what keeps the record from leading to the new one. */
function ledText({ dns }: State, { from, to, deadline, message }: Move): string {
  const why = withoutStop(message);
  const stays = `${to} serves, and the copy on ${from} stays while DNS may lead users there (${why})`;
  const synced = dns?.syncedAt ?? null;
  const then =
    synced === null
      ? `${dns?.said.message ?? ''} If that has not changed, users stay on ${from}: this is waited for until ${clock(deadline)}`
      : `Resolvers may keep the former record until ${clock(synced + (dns?.ttlMs ?? 0))}`;
  return `${stays}. ${then}.`;
}

/** What the site lacks, until when that is waited for, and how not to wait. */
function lackingText(state: State, { from, to, deadline, message }: Move, lacking: string): string {
  const why = withoutStop(message);
  const waits = `The copy on ${to} is Ready, and users stay on ${from} until ${to} answers for the hostname`;
  const ends = `The move waits for that until ${clock(deadline)}, and is then given up`;
  const command = confirmationCommand(state.capp, to, state.annotated.force);
  return `From ${from} to ${to}: ${why}. ${waits}. ${lacking} ${ends}. To move without it, run: ${command}.${unremovedOn(state)}`;
}

/** How far the checks of the new copy are, until when they are waited for, and how not to wait. */
function uncheckedText(
  state: State,
  { from, to, deadline, message }: Move,
  checks: NonNullable<ReturnType<typeof lackOfChecks>>,
): string {
  const why = withoutStop(message);
  const said = checks === 'Unknown' ? '' : ` ${checks.says}`;
  const waits = `The copy on ${to} is Ready, and users stay on ${from} until the checks of spec.migration.verify have passed there`;
  const ends = `The move waits for that until ${clock(deadline)}, and is then given up`;
  const command = confirmationCommand(state.capp, to, state.annotated.force);
  return `From ${from} to ${to}: ${why}. ${waits}.${said} ${ends}. To move without it, run: ${command}.${unremovedOn(state)}`;
}

/** Only a person can know whether the old copy is stopped. The message names the command to confirm it. */
function awaitingText(
  { capp, annotated }: State,
  { from, to, message }: Pick<Move, 'from' | 'to' | 'message'>,
): string {
  const command = confirmationCommand(capp, to, annotated.force);
  return `${message}, and spec.migration.strategy is Recreate: the copy on ${from} may still run. Confirm that it is stopped, then run: ${command}.`;
}

function waitingText(state: State, gate: LeaveGate): string {
  const { leave, serving } = state;
  const why = withoutStop(leave?.message ?? '');
  const then = gate.until === null ? '' : ` until ${clock(gate.until)}`;
  switch (gate.reason) {
    case 'Stabilising':
      return `${why}. The Capp moves if that is still so at ${clock(gate.until)}.`;
    case 'CoolDown':
      return `${why}. The Capp moved a short while ago and stays on ${serving}${then}.`;
    case 'NoCandidate':
      return `${why}. The Capp stays on ${serving}${then}, or until something changes.`;
    case 'AwaitsConfirmation':
      return awaitingText(state, { from: leave?.from ?? '', to: leave?.to ?? '', message: why });
    case 'PermitAsked':
      return `${why}. The Capp waits for its turn: see workflow turns/${leave?.from}.`;
  }
}

/** Other copies that may still run: works being deleted, and unwanted copies that could not be removed. */
function remaining(state: State): string {
  return `${leavingText(state)}${unremovedOn(state)}`;
}

/** Deleting a work on an unreachable site does not prove that the copy stopped. */
function leavingText(state: State): string {
  const clusters = Object.keys(state.leaving).toSorted();
  if (clusters.length === 0) return '';
  const lost = clusters.filter((cluster) => mayStillRun(state, cluster)).join(',');
  const word =
    lost === ''
      ? ''
      : ` If it never returns, set annotation rcs.dana.io/abandon=${lost} to abandon that copy.`;
  return ` A copy may still run on ${clusters.join(', ')}, which has yet to remove it.${word}`;
}

/** Copies that could not be removed, and why. */
function unremovedOn({ copies }: State): string {
  const held = Object.entries(copies).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts = held.flatMap(([cluster, { wanted, failedRemoval }]) =>
    wanted || failedRemoval === undefined
      ? []
      : [` The copy on ${cluster} stays for now: ${failedRemoval.message}`],
  );
  return texts.join('');
}
