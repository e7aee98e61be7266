// What drains need from outside: messages between Capps, drains and orders, and who is on a cluster.
import type { Plan } from './decide/plan.ts';
import type { Place, Word } from './state.ts';
import type { Account } from '../messages.ts';
import type { DrainAnswer, Residents } from './residents.ts';
import type { TurnRequest, Settled } from '../types/turns.ts';

/** Activities of the hub worker. All of them may run twice. */
export interface Leaving {
  /**
   * Asks `turns/<cluster>` for a Capp's turn to leave it, and starts that workflow if none runs. A repeat is
   * the same wish. Throws Unreachable.
   */
  requestTurn(cluster: string, request: TurnRequest): Promise<void>;
  /**
   * Brings a drain's answers to Capps, a hundred at most. Gives those whose workflow runs no more, and those
   * that could not be told in time, who may have heard all the same: told again, nothing changes. Never
   * throws on purpose.
   */
  answer(
    cluster: string,
    answers: readonly DrainAnswer[],
  ): Promise<{ readonly gone: readonly string[]; readonly untold: readonly string[] }>;
  /**
   * The Capps that have something on a cluster and come after `after`, 200 at most: why each is not to be
   * told to leave, if not everybody is told why nobody is. Does no I/O, so a repeat looks again.
   */
  cappsOn(cluster: string, after: Place | null, everybody: boolean): Promise<Residents>;
  /**
   * What would become of the Capps that a cluster serves if all were to leave it. Touches nothing, does no
   * I/O. Throws Gone for a name nobody knows.
   */
  plan(cluster: string): Promise<Plan>;
  /**
   * Tells `turns/<cluster>` what became of a Capp; one that has ended has nothing to hear. A repeat is the
   * same news. Throws Unreachable.
   */
  settle(cluster: string, news: Settled): Promise<void>;
  /**
   * Brings a person's word to `turns/<cluster>`: `evacuate` starts it if it does not run, the others are
   * nothing to one that has ended. A repeat is the same wish. Throws Unreachable.
   */
  steer(cluster: string, word: Word): Promise<void>;
  /**
   * Tells the order `drain/<cluster>` how the drain has ended; one that has ended has nothing to hear. A
   * repeat is the same. Throws Unreachable.
   */
  conclude(cluster: string, account: Account): Promise<void>;
}
