// Leaving a cluster in bulk: one durable workflow per cluster gives Capps their turn, as many at once as its lanes are wide.
import { ApplicationFailure } from '@temporalio/common';
import { alarm, type Alarm } from './alarm.ts';
import { describeDrain, summaryOf, type DrainProgress } from './decide/drain-progress.ts';
import { drainStep, type DrainStep } from './decide/drain-step.ts';
import { answeredTo, listed, unanswered, unlisted, vanished, withoutOverdue } from './decide/drained.ts';
import { handleDrain, type DrainLife } from './drain-handlers.ts';
import { readDrain } from './drain-input.ts';
import type { DrainStart, DrainState } from './drain-state.ts';
import { isFailed } from './failed.ts';
import { Failure } from './failures.ts';
import { drainWorkflowId } from './names.ts';
import type { Runtime } from './runtime.ts';

/** Milliseconds between two tries to answer. */
const PAUSE_MS = 1_000;

/** Gives what came of it. Fails at once when it cannot read what it is begun with. */
export async function liveAsDrain(start: DrainStart | DrainState, runtime: Runtime): Promise<DrainProgress> {
  const life: DrainLife = { runtime, state: begin(start, runtime), ended: false };
  const timer = alarm(runtime, 'Another look');
  handleDrain(life);
  for (;;) {
    if (runtime.isLong()) await checkpoint(life);
    life.state = withoutOverdue(life.state, runtime.now());
    const step = drainStep(life.state, runtime.now());
    runtime.show(describeDrain(life.state, step));
    life.ended = step.do === 'end' && runtime.isHandled();
    if (life.ended) return summaryOf(life.state);
    await take(life, step, timer);
  }
}

function begin(start: DrainStart | DrainState, runtime: Runtime): DrainState {
  try {
    const state = readDrain(start, runtime.now());
    const id = drainWorkflowId(state.cluster);
    if (runtime.id() === id) return state;
    throw new Error(`the drain of ${state.cluster} must be started with the workflow id ${id}, so that there is only one`);
  } catch (error) {
    throw ApplicationFailure.create({ type: Failure.Invalid, message: (error as Error).message, nonRetryable: true });
  }
}

async function checkpoint(life: DrainLife): Promise<void> {
  const { runtime } = life;
  await runtime.until(runtime.isHandled);
  await runtime.continueAsNew(life.state);
}

async function take(life: DrainLife, step: DrainStep, timer: Alarm): Promise<void> {
  switch (step.do) {
    case 'answer':
      return answer(life, step);
    case 'list':
      return list(life);
    case 'rest':
      if (step.until !== null) timer.by(step.until);
      return untilWoken(life, timer);
    case 'end':
      await life.runtime.until(life.runtime.isHandled);
  }
}

/** Until somebody speaks, or a time has come. */
async function untilWoken(life: DrainLife, timer: Alarm): Promise<void> {
  const { state } = life;
  const rung = timer.rung();
  await life.runtime.until(() => life.state !== state || timer.rung() !== rung);
}

async function list(life: DrainLife): Promise<void> {
  const { cluster, listing } = life.state;
  const after = listing?.after ?? null;
  try {
    const from = after === null ? '' : ` after ${after.namespace}/${after.name}`;
    const page = await life.runtime.near(`List ${cluster}${from}`).cappsOn(cluster, after);
    life.state = listed(life.state, page, life.runtime.now());
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = unlisted(life.state, life.runtime.now());
  }
}

/** All in one call: a signal from here to each of them would be two events each, and a workflow that sends many is slow to send any. */
async function answer(life: DrainLife, step: Extract<DrainStep, { do: 'answer' }>): Promise<void> {
  life.state = answeredTo(life.state, step, life.runtime.now());
  const go = step.go.map(({ capp, askedAt }) => ({ capp, say: askedAt === null ? ('Leave' as const) : ('Go' as const) }));
  const wait = step.wait.map(({ capp }) => ({ capp, say: 'Wait' as const }));
  try {
    const { gone } = await life.runtime
      .ask(`Let ${go.length} go, tell ${wait.length} to wait`)
      .answer(life.state.cluster, [...go, ...wait]);
    life.state = gone.reduce((state, capp) => vanished(state, capp, life.runtime.now()), life.state);
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = unanswered(life.state, step);
    await life.runtime.sleep(PAUSE_MS, 'Another try');
  }
}
