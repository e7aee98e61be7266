// A drain order, of a Drain object or of a person who started it by hand. It is a workflow of its own, so
// that it counts even while Capps are leaving already.
import { describeOrder } from './decide/order-details.ts';
import { evacuation } from './decide/order-step.ts';
import { readAccount, readOrder } from './input.ts';
import { isConcluded, readObject, type OrderLife } from './ordered-by-object.ts';
import type { DrainStart, Order, Word } from './state.ts';
import { inputOf } from '../engine/input.ts';
import * as messages from '../messages.ts';
import type { OrderResult } from '../messages.ts';
import { drainWorkflowId, turnsWorkflowId } from '../names.ts';
import type { Runtime } from '../engine/runtime.ts';

/**
 * The order is repeated after this many milliseconds without a result: somebody may have terminated the
 * drain.
 */
const REPEAT_MS = 600_000;
/** An order whose Drain was deleted waits for the result of its drain this many milliseconds. */
const STOP_MS = 30_000;

/** Returns the result of the drain. Fails at once when it cannot read its input. */
export async function liveAsOrder(start: DrainStart | Order, runtime: Runtime): Promise<OrderResult> {
  const order = begin(start, runtime);
  const isUnread = order.isUnread === true;
  const words = isUnread ? [] : [evacuation(order)];
  const life: OrderLife = { runtime, order, words, account: null, isRung: isUnread, end: null };
  handleOrder(life);
  runtime.show(describeOrder(order.cluster));
  for (;;) {
    const [word, ...others] = life.words;
    if (word !== undefined) {
      life.words = others;
      await runtime.hub(`Tell ${turnsWorkflowId(order.cluster)}: ${word.say}`).steer(order.cluster, word);
    } else if (life.isRung) await readObject(life);
    else if (life.account !== null) {
      if (await isConcluded(life, life.account)) return life.account;
    } else if (life.end !== null) {
      if (await isEnded(life)) return life.end;
    } else if (runtime.isLong()) await runtime.continueAsNew(life.order);
    else await untilTold(life);
  }
}

function begin(start: DrainStart | Order, runtime: Runtime): Order {
  return inputOf(() => {
    const order = readOrder(start, runtime.now());
    const id = drainWorkflowId(order.cluster);
    if (runtime.id() === id) return order;
    throw new Error(
      `the drain of ${order.cluster} must be started with the workflow id ${id}, so that there is only one`,
    );
  });
}

function isTold({ account, isRung, words }: OrderLife): boolean {
  return words.length > 0 || account !== null || isRung;
}

async function untilTold(life: OrderLife): Promise<void> {
  await life.runtime.until(() => isTold(life), { ms: REPEAT_MS, summary: 'Repeat the order' });
  if (!isTold(life)) life.words = [evacuation(life.order)];
}

/** After a plan there is no result to wait for. */
async function isEnded(life: OrderLife): Promise<boolean> {
  if (life.end?.phase === 'Stopped')
    await life.runtime.until(() => isTold(life), {
      ms: STOP_MS,
      summary: 'Wait until the drain has stopped',
    });
  return !isTold(life);
}

/** People may send the order a message that is meant for its drain. The order passes it on. */
function handleOrder(life: OrderLife): void {
  const { handle: on } = life.runtime;
  const { cluster } = life.order;
  const say = (word: Word): void => void (life.words = [...life.words, word]);
  on(messages.drained, (given) => void (life.account ??= readAccount(given, life.order)), {
    description: 'The result of the order',
  });
  on(messages.drainChanged, () => void (life.isRung = true), {
    description: `Drain ${cluster} has changed or is gone: it is read again`,
  });
  on(messages.pause, () => say({ say: 'pause' }), {
    description: `Passed on to ${turnsWorkflowId(cluster)}`,
  });
  on(messages.resume, () => say({ say: 'resume' }), {
    description: `Passed on to ${turnsWorkflowId(cluster)}`,
  });
  on(messages.stop, () => say({ say: 'stop' }), { description: `Passed on to ${turnsWorkflowId(cluster)}` });
  on(messages.configure, (lanes) => say({ say: 'configure', lanes }), {
    description: `Passed on to ${turnsWorkflowId(cluster)}`,
  });
  on(messages.ordered, () => life.account ?? { cluster, phase: 'Ordered', see: turnsWorkflowId(cluster) }, {
    description: `The result of the order; until then, ${turnsWorkflowId(cluster)} shows the progress`,
  });
}
