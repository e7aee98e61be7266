// What a workflow in memory is told at one moment, and what it says to that.
import { ActivityFailure } from '@temporalio/common';
import type { Command, Entry, Outcome } from './exchange.ts';

/** By what a person finds a Capp's workflow. */
export interface Index {
  readonly site: string;
  readonly phase: string;
}

export type Said =
  | { readonly is: 'command'; readonly seq: number; readonly command: Command }
  | { readonly is: 'cancel'; readonly seq: number }
  | { readonly is: 'index'; readonly index: Index }
  | { readonly is: 'patch'; readonly id: string }
  | { readonly is: 'accept'; readonly update: Update }
  | { readonly is: 'answer'; readonly update: Update; readonly outcome: Outcome };

/** What a client says to a workflow. */
export type Message = Exclude<Entry, { is: 'result' }>;

/** One that its validator has let pass: no history knows of another. */
export type Update = Extract<Entry, { is: 'update' }>;

export interface Batch {
  readonly at: number;
  readonly isLong: boolean;
  readonly entries: readonly Entry[];
  /** In the order in which it is said. */
  readonly said: Said[];
}

/** A local activity's failure comes back from its marker as its bare cause. */
export function replayed(batch: Batch): Batch {
  const entries = batch.entries.map((entry): Entry => {
    if (entry.is !== 'result' || !entry.isLocal || !('error' in entry.outcome)) return entry;
    const { error } = entry.outcome;
    return error instanceof ActivityFailure && error.cause !== undefined
      ? { ...entry, outcome: { error: error.cause } }
      : entry;
  });
  return { ...batch, entries };
}

/**
 * What has come meanwhile is taken in Temporal's order: an Update comes with the workflow task, after all
 * signals in the history.
 */
export function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return (['signal', 'update', 'result'] as const).flatMap((kind) => entries.filter(({ is }) => is === kind));
}
