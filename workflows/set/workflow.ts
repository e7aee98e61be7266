// The workflow of one CappSet: it looks when it is rung and when the plan says so, and each look is one
// activity.
import { ApplicationFailure } from '@temporalio/common';
import type { Runtime } from '../engine/runtime.ts';
import { isFailed, messageOf } from '../engine/failed.ts';
import { Failure } from '../failures.ts';
import * as messages from '../messages.ts';
import { readRing } from '../parse/ring.ts';
import { readSetState } from '../parse/set.ts';
import { newest } from '../types/ring.ts';
import type { SetTurned } from './port.ts';
import type { SetState } from './state.ts';

/** Between two looks, in milliseconds: what changes meanwhile is one look, and one write of the status. */
const PAUSE_MS = 2_000;
/** The caches of the hub worker are behind: between two looks at them. */
const BEHIND_MS = 1_000;
/** After so many of these the versions that rang are given up: any client of Temporal can make one up. */
const MOST_BEHIND = 30;
/** After a failure that another try does not mend, such as missing rights. */
const FAILED_MS = 60_000;
/** Without a ring and without a plan: about a day. */
const RESYNC_MS = 24 * 3_600_000;

interface SetLife {
  readonly runtime: Runtime;
  readonly state: SetState;
  isDue: boolean;
  behind: number;
  wakeAt: number | null;
}

/** Ends when its set is gone. Fails at once if neither its input nor its id names a set. */
export async function liveAsSet(start: unknown, runtime: Runtime): Promise<void> {
  const state = begin(start, runtime);
  const life: SetLife = { runtime, state, isDue: true, behind: 0, wakeAt: null };
  runtime.handle(messages.ring, (given) => hear(life, given), {
    description: 'The set, its sites or its Capps have changed: look again',
  });
  for (;;) {
    if (life.isDue) {
      if (await isOver(life)) return;
      if (runtime.isLong()) await checkpoint(life);
    } else await untilDue(life);
  }
}

function begin(start: unknown, runtime: Runtime): SetState {
  const state = readSetState(start, runtime.id());
  if (state !== null) return state;
  const message = 'Start the workflow of a CappSet with the id cappset/<namespace>/<name>';
  throw ApplicationFailure.create({ type: Failure.Invalid, message, nonRetryable: true });
}

function hear(life: SetLife, given: unknown): void {
  const { state, runtime } = life;
  const ring = readRing(given);
  life.isDue = true;
  if (ring !== null) {
    state.minimumVersions = newest(state.minimumVersions, ring.minimumVersions);
    return;
  }
  state.unreadable = (state.unreadable ?? 0) + 1;
  runtime.countUnreadable();
}

/** One look. What rings meanwhile is a reason for another one. */
async function isOver(life: SetLife): Promise<boolean> {
  const { runtime, state } = life;
  const { namespace, name } = state.set;
  const { memory, minimumVersions } = state;
  life.isDue = false;
  try {
    const turned = await runtime
      .hub(`Look at set ${namespace}/${name}`)
      .turnSet(state.set, { memory, minimumVersions });
    if (turned.outcome === 'Gone') return !life.isDue;
    heed(life, turned, minimumVersions);
  } catch (error) {
    if (!isFailed(error)) throw error;
    runtime.show(messageOf(error));
    life.wakeAt = runtime.now() + FAILED_MS;
  }
  const pause = life.behind > 0 ? BEHIND_MS : PAUSE_MS;
  await runtime.sleep(pause, 'What changes meanwhile is one look');
  return false;
}

function heed(
  life: SetLife,
  turned: Exclude<SetTurned, { outcome: 'Gone' }>,
  asked: SetState['minimumVersions'],
): void {
  const { state, runtime } = life;
  if (turned.outcome === 'Behind') {
    life.behind += 1;
    life.isDue = true;
    if (life.behind < MOST_BEHIND) return;
    state.minimumVersions = {};
    life.behind = 0;
    return;
  }
  life.behind = 0;
  const rung = Object.entries(state.minimumVersions).filter(([kind, version]) => asked[kind] !== version);
  state.minimumVersions = newest(Object.fromEntries(rung), turned.minimumVersions);
  state.memory = turned.memory;
  life.wakeAt = turned.wakeAt;
  runtime.show(turned.says);
}

async function untilDue(life: SetLife): Promise<void> {
  const { runtime } = life;
  const ms = life.wakeAt === null ? RESYNC_MS : Math.max(1, life.wakeAt - runtime.now());
  await runtime.until(() => life.isDue, {
    ms: Math.min(ms, RESYNC_MS),
    summary: life.wakeAt === null ? 'Look once a day' : 'Look when the plan says so',
  });
  life.isDue = true;
}

async function checkpoint({ runtime, state }: SetLife): Promise<void> {
  await runtime.until(() => runtime.isHandled());
  await runtime.continueAsNew(state);
}
