// The steps that wait for an agent, a ring or a time.
import { askedFirst, reporting, watching } from '../after/answer.ts';
import { askingBack } from '../after/moving/moved.ts';
import { asksBack } from '../next/going-back.ts';
import { reportInquiry, verdictInquiry } from '../next/questions.ts';
import { ASKED_FIRST, noteChanges, PART_TOLD } from '../changes.ts';
import type { CappLife } from '../life.ts';
import { partlyUntil } from '../facts/copies.ts';
import { isAskingForTurn } from '../facts/gates.ts';
import { publish } from './publish.ts';
import { verifying } from '../after/verification.ts';
import { toBeVerified } from '../facts/verification.ts';
import { earliest } from '../../types/clock.ts';

export async function watch(life: CappLife, cluster: string, until: number): Promise<void> {
  const inquiry = verdictInquiry(life.state, cluster);
  if (inquiry === null) return;
  if (life.agent.ask(inquiry)) life.state = watching(life.state, cluster);
  verify(life);
  await wait(life, alarm(life), until, `Deadline for ${cluster} to be Ready`);
  await publish(life, null);
}

/**
 * A report on the old copy of a move that users have left is for their return. A run of an earlier build asks
 * nobody for that, but asks as well as any where the removal of that copy rests on its own report.
 */
export async function report(life: CappLife, cluster: string): Promise<void> {
  const { move, serving } = life.state;
  const isOld = move?.from === cluster && serving !== cluster;
  const isNoted = life.noted.has(ASKED_FIRST);
  const isBack = isOld && (isNoted || asksBack(life.state, life.runtime.now()));
  const isAsked = !isBack || isNoted;
  life.state = isBack ? askingBack(life.state, isAsked, life.runtime.now()) : reporting(life.state, cluster);
  if (isAsked) askAnew(life, cluster);
}

/** Before a copy is removed to which users may be led, and which may serve by now. */
export function askFirst(life: CappLife, cluster: string): void {
  life.state = askedFirst(life.state, cluster, life.runtime.now());
  askAnew(life, cluster);
}

/** Asks its agent for a report, in place of what it was asked before. */
export function askAnew({ agent, state }: CappLife, cluster: string): void {
  const inquiry = reportInquiry(state, cluster);
  if (inquiry === null) return;
  // An answer that is on its way may be older than the ring.
  agent.drop(cluster);
  agent.ask(inquiry);
}

/**
 * Publishes the present state before it rests. A workflow that has just started publishes nothing, because it
 * knows less than the status shows. Waiting for a turn is not published: the turn comes in a moment, or is
 * published with what follows.
 */
export async function rest(life: CappLife, until: number | null): Promise<void> {
  for (const { kind, cluster } of life.agent.asking()) if (kind === 'verdict') askForReport(life, cluster);
  verify(life);
  const woken = alarm(life);
  if (life.state.published !== null && !isAskingForTurn(life.state, life.runtime.now()))
    await publish(life, null);
  // A question always ends, with an answer or as silence.
  const isAnswering = life.agent.asking().some(({ kind }) => kind === 'report');
  await wait(life, woken, isAnswering ? null : earliest([until, partlyDue(life)]), 'Another try');
  await publish(life, null);
}

/** When it has to be said that the site has not taken all that travels with the Capp. */
function partlyDue({ noted, state, runtime }: CappLife): number | null {
  return noted.has(PART_TOLD) && !state.retiring ? partlyUntil(state, runtime.now()) : null;
}

/** Begins the checks that are due, and cancels those that nobody needs any more. */
function verify(life: CappLife): void {
  const wanted = toBeVerified(life.state);
  for (const { cluster } of wanted) life.state = verifying(life.state, cluster, life.runtime.now());
  life.verifier.follow(wanted);
}

/** Replaces a watch by a report: a verdict may be on its way, and the agent would not repeat it. */
function askForReport({ agent, state }: CappLife, cluster: string): void {
  const inquiry = reportInquiry(state, cluster);
  if (inquiry === null) agent.drop(cluster);
  else agent.ask(inquiry);
}

/**
 * Ends with a ring, a drain's message or an agent's answer, and when unreadable messages have made the
 * history long.
 */
function alarm(life: CappLife): () => boolean {
  const { ringsHeard, leave, awaitedBy } = life.state;
  const wasLong = life.runtime.isLong();
  const isSaid = (): boolean =>
    life.state.ringsHeard !== ringsHeard || life.state.leave !== leave || life.state.awaitedBy !== awaitedBy;
  return () =>
    isSaid() || life.agent.hasNews() || life.verifier.hasNews() || (!wasLong && life.runtime.isLong());
}

async function wait(
  life: CappLife,
  woken: () => boolean,
  until: number | null,
  summary: string,
): Promise<void> {
  const { runtime } = life;
  const hasWaited = !woken();
  if (until === null) await runtime.until(woken);
  else await runtime.until(woken, { ms: Math.max(1, until - runtime.now()), summary });
  if (hasWaited) noteChanges(life, life.state);
}
