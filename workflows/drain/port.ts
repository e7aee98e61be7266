// What drains need from activities: messages between Capps and drains, the Capps on a cluster, and its Drain.
import type { PlannedMove, DecidedDrain } from './decide/plan.ts';
import type { DrainAsked, DrainReport } from './object.ts';
import type { DrainPlace } from './state.ts';
import type { Delivered, DrainAnswer, Residents } from './residents.ts';
import type { TurnRequest, Settled } from '../types/turns.ts';

/** Activities of the hub worker. All of them may run twice. */
export interface DrainPort {
  /**
   * Asks `turns/<cluster>` for a Capp's turn to leave it, and starts that workflow if none runs. A repeat is
   * the same request. Throws Unreachable.
   */
  requestTurn(cluster: string, request: TurnRequest): Promise<void>;
  /**
   * Delivers a drain's answers to at most a hundred Capps. Returns those without a running workflow, and
   * those that could not be told in time, which may have got the message all the same: a second message has
   * no effect. Also returns how far the hub workers lag behind. Throws nothing on purpose.
   */
  answer(cluster: string, answers: readonly DrainAnswer[]): Promise<Delivered>;
  /**
   * Returns the Capps with a copy on a cluster that come after `after`, at most 200, each with the reason why
   * it is not to be told to leave. `bound` are Capps on their way, and those that wait, which count at their
   * targets; null without a Drain, when every Capp has a reason. Does no I/O, so a repeat looks
   * again.
   */
  cappsOn(
    cluster: string,
    after: DrainPlace | null,
    bound: readonly PlannedMove[] | null,
  ): Promise<Residents>;
  /**
   * Returns what would happen to the Capps that a cluster serves if all were to leave it. Changes nothing,
   * does no I/O. Throws Gone for an unknown cluster.
   */
  plan(cluster: string): Promise<DecidedDrain>;
  /**
   * Tells `turns/<cluster>` the outcome for a Capp. A drain that has ended needs no message. A repeat has no
   * further effect. Throws Unreachable.
   */
  settle(cluster: string, news: Settled): Promise<void>;
  /**
   * What the Drain object of a cluster asks for, read live; null if there is none, or if it is being deleted.
   * A repeat reads again. Throws Unreachable, and Forbidden.
   */
  readDrain(cluster: string): Promise<{ readonly drain: DrainAsked | null }>;
  /**
   * Writes into the status of a cluster's Drain object how far its drain is, and events for what has changed.
   * Does nothing to an object with another uid, and nothing that is older than what is there; what is there
   * already is not written. A repeat finds what it wrote. Throws Unreachable, Conflict and Forbidden.
   */
  reportDrain(cluster: string, report: DrainReport): Promise<void>;
}
