// The workflow `turns/<cluster>`: it gives Capps their turn to leave the cluster, as many at once as its
// lanes allow.
import { alarm, type Alarm } from './alarm.ts';
import { describeDrain, summaryOf, type DrainProgress } from './decide/progress.ts';
import { answersFor, drainStep, type DrainStep } from './decide/step.ts';
import { answeredTo, unanswered, vanished, withoutOverdue } from './decide/transitions.ts';
import { eased } from './decide/width.ts';
import { boundIn, listed, looking, unlisted } from './decide/looked.ts';
import { noteChanges, readsItsDrain } from './earlier.ts';
import { errands, type Errands } from './errands.ts';
import { handleDrain, type DrainLife } from './handlers.ts';
import { readDrain } from './input.ts';
import { reports } from './reports.ts';
import type { DrainStart, DrainState } from './state.ts';
import { isFailed } from '../engine/failed.ts';
import { inputOf } from '../engine/input.ts';
import { turnsWorkflowId } from '../names.ts';
import type { Runtime } from '../engine/runtime.ts';

/** The backoff between two tries to answer, in milliseconds. */
const PAUSE_MS = 1_000;
/** How long Capps that ask wait until the Drain of their cluster has been read, in milliseconds. */
const READ_MS = 5_000;

/** What wakes the loop beside messages. */
interface Wakers {
  readonly timer: Alarm;
  readonly errands: Errands;
}

/** Returns the result of the drain. Fails at once when it cannot read its input. */
export async function liveAsDrain(start: DrainStart | DrainState, runtime: Runtime): Promise<DrainProgress> {
  const noted = new Set<string>();
  const life: DrainLife = { runtime, noted, state: begin(start, { runtime, noted }), ended: false };
  const wakers: Wakers = { timer: alarm(runtime, 'Another look'), errands: errands(life) };
  const told = reports(life, wakers.timer);
  handleDrain(life);
  for (;;) {
    if (runtime.isLong()) await checkpoint(life, wakers.errands);
    life.state = withoutOverdue(life.state, runtime.now());
    const step = drainStep(life.state, runtime.now());
    runtime.show(describeDrain(life.state, step));
    told.begin(life.state);
    wakers.errands.begin(step);
    life.ended = step.do === 'end' && runtime.isHandled() && wakers.errands.areDone();
    if (life.ended) return summaryOf(life.state);
    await take(life, step, wakers);
  }
}

function begin(start: DrainStart | DrainState, begun: Pick<DrainLife, 'runtime' | 'noted'>): DrainState {
  const { runtime } = begun;
  const state = inputOf(() => {
    const read = readDrain(start, runtime.now());
    const id = turnsWorkflowId(read.cluster);
    if (runtime.id() === id) return read;
    throw new Error(
      `the turns of ${read.cluster} must be started with the workflow id ${id}, so that there is only one`,
    );
  });
  noteChanges(begun);
  // Whoever has started it, a Drain may stand that nobody has read: Temporal's data may have been lost.
  if (state === start || !readsItsDrain(begun)) return state;
  return { ...state, isRung: true, readBy: runtime.now() + READ_MS };
}

async function checkpoint({ runtime }: DrainLife, others: Errands): Promise<void> {
  await runtime.until(runtime.isHandled);
  await runtime.continueAsNew(others.checkpoint());
}

async function take(life: DrainLife, step: DrainStep, wakers: Wakers): Promise<void> {
  switch (step.do) {
    case 'answer':
      return answer(life, step);
    case 'list':
      return list(life);
    case 'rest':
      if (step.until !== null) wakers.timer.by(step.until);
      return untilWoken(life, wakers);
    case 'end':
      if (!wakers.errands.areDone()) return untilWoken(life, wakers);
      await life.runtime.until(life.runtime.isHandled);
  }
}

/** Waits for a message, for a time, or for the end of an errand. */
async function untilWoken(life: DrainLife, { timer, errands: others }: Wakers): Promise<void> {
  const { state } = life;
  const wentOff = timer.wentOff();
  const ended = others.ended();
  await life.runtime.until(
    () => life.state !== state || timer.wentOff() !== wentOff || others.ended() !== ended,
  );
}

async function list(life: DrainLife): Promise<void> {
  const { runtime } = life;
  life.state = looking(life.state);
  const { cluster, drain, everything, listing } = life.state;
  const after = listing?.after ?? null;
  try {
    const from = after === null ? '' : ` after ${after.namespace}/${after.name}`;
    const page = await runtime
      .localRead(`List ${cluster}${from}`)
      .cappsOn(cluster, after, everything ? boundIn(life.state) : null);
    // An order that came meanwhile has begun another listing.
    if (life.state.everything === everything && life.state.drain === drain)
      life.state = listed(life.state, page, runtime.now());
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = unlisted(life.state, runtime.now());
  }
}

/**
 * One activity for all: a signal from the workflow to each of them would cost two events each, and would be
 * slow.
 */
async function answer(life: DrainLife, step: Extract<DrainStep, { do: 'answer' }>): Promise<void> {
  const { runtime } = life;
  life.state = answeredTo(life.state, step, runtime.now());
  const all = answersFor(step);
  const telling = runtime
    .tell(`Give ${step.go.length} permits, tell ${step.wait.length} to wait`)
    .answer(life.state.cluster, all);
  const { gone, untold, backlogMs } = await telling.catch((error: unknown) => {
    if (!isFailed(error)) throw error;
    return { gone: [], untold: all.map(({ capp }) => capp), backlogMs: null };
  });
  const told = gone.reduce(
    (state, capp) => vanished(state, capp, runtime.now()),
    unanswered(life.state, step, untold),
  );
  // Histories of earlier builds do not have it.
  life.state = eased(told, backlogMs ?? null, runtime.now());
  if (untold.length > 0) await runtime.sleep(PAUSE_MS, 'Another try');
}
