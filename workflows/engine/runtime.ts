// What the workflows of Capps and drains need from their engine. `temporal.ts` is that engine; the simulator
// has one in virtual time.
import type { setHandler } from '@temporalio/workflow';
import type { Joins } from '../join/port.ts';
import type { Metal } from '../metal/port.ts';
import type { Hub } from '../ports/hub.ts';
import type { Agent } from '../ports/agent.ts';
import type { State } from '../capp/state.ts';

/** Writes of the hub that `localFirst` can do in either of two ways. */
export type Shipping = Pick<Hub, 'apply' | 'publish' | 'remove' | 'find' | 'point' | 'retire'>;

/**
 * Activities, by how long they may take and how often they are tried. The Temporal UI shows the summary of a
 * call.
 */
export interface Calls {
  /** Reads and writes of the hub, tried until they are done. */
  hub(
    summary: string,
  ): Shipping &
    Pick<Hub, 'plan' | 'readDrain' | 'reportDrain' | 'turnFleet'> &
    Joins &
    Omit<Metal, 'reserveHosts'>;
  /** A turn to reserve hosts. */
  reserve(summary: string): Pick<Metal, 'reserveHosts'>;
  /** Reads of caches. */
  localRead(summary: string): Pick<Hub, 'choose' | 'compare' | 'cappsOn'>;
  /** Calls to other workflows. */
  ask(summary: string): Pick<Hub, 'requestTurn' | 'settle'>;
  /** A drain's answers to many Capps, tried once: the result names the Capps that were not told. */
  tell(summary: string): Pick<Hub, 'answer'>;
  /** Writes of the hub, tried once. */
  localWrite(summary: string): Shipping & Pick<Hub, 'place' | 'reportDrain' | 'turnFleet'>;
  /** Waits on a site. */
  agentVerdict(cluster: string, summary: string): Pick<Agent, 'awaitVerdict'>;
  /** One look at a site. */
  agentReport(cluster: string, summary: string): Pick<Agent, 'report'>;
  /** Checks of the app on a site, of which one try takes so many milliseconds at most. */
  agentVerify(cluster: string, summary: string, ms: number): Pick<Agent, 'verify' | 'verifyMetrics'>;
}

/**
 * Work beside the loop. Once it is cancelled, `result` fails, and `isCancellation` of Temporal's package
 * recognises that failure.
 */
export interface WorkBeside<T> {
  readonly result: Promise<T>;
  cancel(): void;
}

export interface Runtime extends Calls {
  /** The workflow's id. */
  id(): string;
  /** Milliseconds since the epoch; the same for the whole workflow task. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  sleep(ms: number, summary: string): Promise<void>;
  /**
   * Waits until `holds` is true, which is checked after everything that happens to the workflow; for `atMost`
   * at longest, if given.
   */
  until(holds: () => boolean, atMost?: { readonly ms: number; readonly summary: string }): Promise<void>;
  beside<T>(work: () => Promise<T>): WorkBeside<T>;
  /** Registers the handler of a signal, an Update or a query. */
  readonly handle: typeof setHandler;
  /** No handler is running. */
  isHandled(): boolean;
  /**
   * False only while a history is replayed in which a build without this change went on: what follows must be
   * as it was.
   */
  patched(change: string): boolean;
  /** The history has become long: it is time to continue as new. */
  isLong(): boolean;
  /** Ends this run and starts the next one with that input. */
  continueAsNew(start: unknown): Promise<never>;
  /** What a person reads in the Temporal UI, in markdown. */
  show(details: string): void;
  /** Search attributes of a Capp's workflow. Costs nothing if they are unchanged. */
  index(where: { readonly site: string; readonly phase: string }): void;
  /** Counts a message that could not be read. */
  countUnreadable(): void;
  /** Counts verdicts, and moves that a step of a Capp has begun or ended. */
  measure(before: State, after: State): void;
}
