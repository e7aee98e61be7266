// What workflows of Capps and drains need from their engine. `temporal.ts` is that engine; the simulator has
// one in virtual time.
import type { setHandler } from '@temporalio/workflow';
import type { Agent, Hub } from '../ports.ts';
import type { State } from '../capp/state.ts';

/** Writes of the hub that can be done in either of two ways, see `localFirst`. */
export type Shipping = Pick<Hub, 'apply' | 'publish' | 'remove' | 'find'>;

/**
 * Activities, by how long they may take and how often they are tried. The summary says to people what a call
 * is for.
 */
export interface Calls {
  /** Reads and writes of the hub, tried until they are done. */
  hub(summary: string): Shipping & Pick<Hub, 'retire' | 'plan' | 'steer'>;
  /** What only looks into caches. */
  localRead(summary: string): Pick<Hub, 'choose' | 'compare' | 'cappsOn'>;
  /** Calls to other workflows. */
  ask(summary: string): Pick<Hub, 'requestTurn' | 'settle' | 'conclude'>;
  /** A drain's answers to many Capps, tried once: it says who was not told. */
  tell(summary: string): Pick<Hub, 'answer'>;
  /** Writes of the hub, tried once. */
  localWrite(summary: string): Shipping & Pick<Hub, 'place'>;
  /** Waits on a site. */
  agentVerdict(cluster: string, summary: string): Pick<Agent, 'awaitVerdict'>;
  /** One look at a site. */
  agentReport(cluster: string, summary: string): Pick<Agent, 'report'>;
}

/**
 * Work that goes on beside the loop. Once it is cancelled, `result` fails, and `isCancellation` of Temporal's
 * package knows that failure.
 */
export interface Beside<T> {
  readonly result: Promise<T>;
  cancel(): void;
}

export interface Runtime extends Calls {
  /** The workflow's id. */
  id(): string;
  /** Milliseconds since the epoch; the same for all that is done in one turn. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  sleep(ms: number, summary: string): Promise<void>;
  /**
   * Waits until `holds` does, which is looked at after everything that happens to the workflow; at most so
   * long, if that is said.
   */
  until(holds: () => boolean, atMost?: { readonly ms: number; readonly summary: string }): Promise<void>;
  beside<T>(work: () => Promise<T>): Beside<T>;
  /** Registers what a signal, an Update or a query does. */
  readonly handle: typeof setHandler;
  /** No handler is still at work. */
  isHandled(): boolean;
  /** The history has become long: it is time to continue as new. */
  isLong(): boolean;
  /** Ends this run and begins the next one with that argument. */
  continueAsNew(start: unknown): Promise<never>;
  /** What a person reads in the Temporal UI, in markdown. */
  show(details: string): void;
  /** By what a person finds a Capp's workflow; costs nothing if it is what stands there. */
  index(where: { readonly site: string; readonly phase: string }): void;
  /** Counts a message that could not be read. */
  countUnreadable(): void;
  /** Counts what a step of a Capp has ended or begun. */
  measure(before: State, after: State): void;
}
