// What the actions of a storm share.
import type { Random } from '../../support/builders/random.ts';
import type { TestbedStack } from '../../../testbed/stack.ts';
import type { Illness } from './check/health.ts';
import type { CutOff } from './check/requests.ts';
import type { Relay } from './faults/relay.ts';
import type { Rewired } from './faults/rewired.ts';

export interface Storm {
  readonly stack: TestbedStack;
  readonly namespace: string;
  readonly dice: Random;
  /** Names of Capps that have been Ready and that the storm does not delete now. */
  readonly kept: Set<string>;
  /** What is away, stopped or broken now: processes, links, and sites that are cut off. */
  readonly away: Set<string>;
  /** Actions that continue in the background, and those that have failed there. */
  readonly pending: Set<Promise<void>>;
  readonly processes: Processes;
  readonly rewired: Rewired;
  /** The way of users to each site. */
  readonly ways: ReadonlyMap<string, Relay>;
  /** Times in which users could not reach a site. */
  readonly cutOffs: CutOff[];
  readonly illnesses: Illness[];
  /** The number of the next edit, which no edit before had. */
  nextEdition(): number;
}

/** The names of processes, by what they are. */
export interface Processes {
  readonly ours: readonly string[];
  /** Of OCM, Knative and Kubernetes. */
  readonly controllers: readonly string[];
  /** API servers and Temporal. */
  readonly servers: readonly string[];
  readonly stores: readonly string[];
}

/** Does something to the world, and returns one line about it. */
export type Action = (storm: Storm) => Promise<string>;

/** For what a storm asks of an API server that it may have killed. */
export const WHILE_AWAY = { withinMs: 120_000, everyMs: 250 };

/**
 * Lets an action go on while others begin. One that fails stays pending: that is told when the storm ends.
 */
export function inBackground({ pending }: Pick<Storm, 'pending'>, action: Promise<void>): void {
  const done = action.then(() => void pending.delete(done));
  done.catch(() => undefined);
  pending.add(done);
}

/** Marks these as away until the work is done. */
export function away(storm: Storm, names: readonly string[], work: Promise<void>): void {
  for (const name of names) storm.away.add(name);
  inBackground(
    storm,
    work.finally(() => {
      for (const name of names) storm.away.delete(name);
    }),
  );
}

/** Milliseconds between the two, by the storm's dice. */
export function between({ dice }: Storm, least: number, most: number): number {
  return Math.round(least + dice.next() * (most - least));
}
