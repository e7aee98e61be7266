// What is left of builds in which a workflow of its own, `drain/<cluster>`, gave a drain its order. It goes
// with the date that decision 10 names.
import { ApplicationFailure } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';
import { drainCommand } from './decide/command.ts';
import { begunByPerson } from './decide/looked.ts';
import { readLanes } from './input.ts';
import type { DrainState } from './state.ts';
import { Failure } from '../failures.ts';
import { fieldsOf, isName, isUid } from '../parse/fields.ts';
import { note, type ChangeNotes } from '../engine/noted.ts';
import type { Runtime } from '../engine/runtime.ts';

/** The order, as histories of those builds have it. */
const evacuate = defineSignal<[unknown]>('evacuate');

const READS = 'a drain reads its Drain';
const REPORTS = 'a drain reports by the server';

/** Called at the begin of a run and with each message about the drain, where `note` may be called. */
export function noteChanges(noting: ChangeNotes): void {
  note(noting, READS);
  note(noting, REPORTS);
}

/**
 * The drain was begun, or is continued, by a build that reads the Drain itself. False only in a run that an
 * earlier build began.
 */
export function readsItsDrain({ noted }: Pick<ChangeNotes, 'noted'>): boolean {
  return noted.has(READS);
}

/**
 * The server keeps what a report has come to. Local activities that are under way at once are not replayed as
 * they were: when a workflow task has both their results, the workflow hears of both at the time of the later
 * one (seen with core of 1.24.0), and decides otherwise than it did. False only in a run that an earlier
 * build began.
 */
export function reportsByServer({ noted }: Pick<ChangeNotes, 'noted'>): boolean {
  return noted.has(REPORTS);
}

/**
 * Only a history takes the order: one that comes now is ignored and counted, since a Drain is the only door.
 */
export function handleEarlier(
  life: ChangeNotes & { readonly runtime: Pick<Runtime, 'handle'> },
  take: (changed: ((state: DrainState) => DrainState) | null) => void,
): void {
  life.runtime.handle(
    evacuate,
    (given) => {
      noteChanges(life);
      take(readsItsDrain(life) ? null : (state) => evacuated(state, given));
    },
    { description: 'Of earlier versions, and ignored: create a Drain' },
  );
}

function evacuated(state: DrainState, given: unknown): DrainState {
  const { paused, drain } = fieldsOf(given) ?? {};
  return {
    ...begunByPerson(state),
    lanes: lanesOf(state, given),
    ...(typeof paused === 'boolean' ? { paused } : {}),
    ...(isUid(drain) ? { drain } : {}),
  };
}

function lanesOf({ lanes }: DrainState, given: unknown): DrainState['lanes'] {
  try {
    return readLanes(lanes, given);
  } catch {
    return lanes;
  }
}

/**
 * The end of a workflow that a person has started by a type of earlier versions: `drain`, or `plan`, which
 * said what a drain would do. It names the command that does the same now.
 */
export function refused(type: 'drain' | 'plan', given: unknown): ApplicationFailure {
  const { cluster } = fieldsOf(given) ?? {};
  const command = drainCommand(isName(cluster) ? cluster : '<site>', type === 'plan' ? { dryRun: true } : {});
  const what =
    type === 'plan'
      ? 'What a drain would do is asked by a Drain with dryRun'
      : 'A drain is ordered by a Drain';
  return ApplicationFailure.create({
    type: Failure.Invalid,
    message: `${what}, an object of the hub, and no longer through Temporal: ${command}`,
    nonRetryable: true,
  });
}
