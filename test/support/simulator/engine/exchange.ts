// What a workflow and its engine say to each other: what happens, what is asked for, and how it ends.
import { ActivityFailure, RetryState } from '@temporalio/common';
import type { Agent } from '../../../../workflows/ports/agent.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { TERMS } from '../../../../workflows/engine/proxies.ts';

export type Outcome = { readonly value: unknown } | { readonly error: Error };

/** Hears what has become of what a workflow asked for. */
export type Done = (outcome: Outcome) => void;

/** Something that happens to a workflow. */
export type Entry =
  | { readonly is: 'signal'; readonly name: string; readonly given: readonly unknown[] }
  | {
      readonly is: 'update';
      readonly name: string;
      readonly given: readonly unknown[];
      readonly reply: (outcome: Outcome) => void;
    }
  | { readonly is: 'result'; readonly seq: number; readonly outcome: Outcome; readonly isLocal: boolean };

/** What a workflow asks of its engine. */
export type Command =
  | { readonly do: 'wait'; readonly ms: number }
  | {
      readonly do: 'local' | 'hub';
      readonly terms: keyof typeof TERMS;
      readonly name: keyof Hub;
      readonly given: readonly unknown[];
    }
  | {
      readonly do: 'agent';
      readonly name: keyof Agent;
      readonly cluster: string;
      readonly given: readonly unknown[];
    };

export type End =
  | { readonly is: 'done' | 'continued'; readonly value: unknown }
  /** The workflow has failed; or a bug of ours lets its task fail again and again. */
  | { readonly is: 'failed' | 'stuck'; readonly error: Error };

/** As the workflow hears of an activity that failed for good. */
export function failureOf(name: string, cause: Error): ActivityFailure {
  return new ActivityFailure(
    'Activity task failed',
    name,
    undefined,
    RetryState.NON_RETRYABLE_FAILURE,
    undefined,
    cause,
  );
}
