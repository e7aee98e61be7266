// Leaving a cluster in bulk: one durable workflow per cluster gives Capps their turn, as many at once as its lanes are wide.
import { ApplicationFailure } from '@temporalio/common';
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { alarm, type Alarm } from './alarm.ts';
import { describeDrain, summaryOf, type DrainProgress } from './decide/drain-progress.ts';
import { drainStep, type DrainStep } from './decide/drain-step.ts';
import { answeredTo, listed, unlisted, vanished, withoutOverdue } from './decide/drained.ts';
import { handleDrain, type DrainLife } from './drain-handlers.ts';
import { readDrain } from './drain-input.ts';
import type { DrainStart, DrainState, Waiting } from './drain-state.ts';
import { isFailed } from './failed.ts';
import { Failure } from './failures.ts';
import * as messages from './messages.ts';
import { cappWorkflowId, drainWorkflowId } from './names.ts';
import { near } from './proxies.ts';

/** Gives what came of it. Fails at once when it cannot read what it is begun with. */
export async function drain(start: DrainStart | DrainState): Promise<DrainProgress> {
  const life: DrainLife = { state: begin(start), sending: new Map() };
  const timer = alarm('Another look');
  handleDrain(life);
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await checkpoint(life);
    life.state = withoutOverdue(life.state, Date.now());
    const step = drainStep(life.state, Date.now());
    setCurrentDetails(describeDrain(life.state, step));
    if (step.do === 'end' && isQuiet(life)) return summaryOf(life.state);
    await take(life, step, timer);
  }
}

function begin(start: DrainStart | DrainState): DrainState {
  try {
    const state = readDrain(start, Date.now());
    const id = drainWorkflowId(state.cluster);
    if (workflowInfo().workflowId === id) return state;
    throw new Error(`the drain of ${state.cluster} must be started with the workflow id ${id}, so that there is only one`);
  } catch (error) {
    throw ApplicationFailure.create({ type: Failure.Invalid, message: (error as Error).message, nonRetryable: true });
  }
}

function isQuiet({ sending }: DrainLife): boolean {
  return sending.size === 0 && allHandlersFinished();
}

async function checkpoint(life: DrainLife): Promise<void> {
  await condition(() => isQuiet(life));
  await continueAsNew<typeof drain>(life.state);
}

async function take(life: DrainLife, step: DrainStep, timer: Alarm): Promise<void> {
  switch (step.do) {
    case 'answer':
      life.state = answeredTo(life.state, step, Date.now());
      for (const one of step.go) send(life, one, 'Go');
      for (const one of step.wait) send(life, one, 'Wait');
      return;
    case 'list':
      return list(life);
    case 'rest':
      if (step.until !== null) timer.by(step.until);
      return untilWoken(life, timer);
    case 'end':
      await condition(() => isQuiet(life));
  }
}

/** Until somebody speaks, or a time has come. */
async function untilWoken(life: DrainLife, timer: Alarm): Promise<void> {
  const { state } = life;
  const rung = timer.rung();
  await condition(() => life.state !== state || timer.rung() !== rung);
}

async function list(life: DrainLife): Promise<void> {
  const { cluster, listing } = life.state;
  const after = listing?.after ?? null;
  try {
    const page = await near(after === null ? `List ${cluster}` : `List ${cluster} after ${after.namespace}/${after.name}`).cappsOn(
      cluster,
      after,
    );
    life.state = listed(life.state, page, Date.now());
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = unlisted(life.state, Date.now());
  }
}

/**
 * Not awaited: a lane is not to stand empty while others' answers are on their way. But two signals to one workflow may arrive in any
 * order, and a `Wait` that came after its `Go` would hold the Capp up: the second leaves when the first has arrived.
 */
function send(life: DrainLife, one: Waiting, answer: 'Go' | 'Wait'): void {
  const { capp } = one;
  const before = life.sending.get(capp);
  const say = (): Promise<void> => signal(life.state.cluster, one, answer);
  const sent = (before === undefined ? say() : before.then(say))
    .catch(() => void (life.state = vanished(life.state, capp, Date.now())))
    .finally(() => life.sending.get(capp) === sent && life.sending.delete(capp));
  life.sending.set(capp, sent);
}

/** One that has not asked is told to leave. */
function signal(cluster: string, { capp, askedAt }: Waiting, answer: 'Go' | 'Wait'): Promise<void> {
  const [namespace = '', name = ''] = capp.split('/');
  const handle = getExternalWorkflowHandle(cappWorkflowId(namespace, name));
  return askedAt === null ? handle.signal(messages.leave, { cluster }) : handle.signal(messages.permit, { cluster, answer });
}
