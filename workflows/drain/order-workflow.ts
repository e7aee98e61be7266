// A drain order. It is a workflow of its own, so that it counts even while Capps are leaving already.
import { ApplicationFailure } from '@temporalio/common';
import type { DrainProgress } from './decide/progress.ts';
import { describeOrder } from './decide/order-details.ts';
import { readAccount, readOrder } from './input.ts';
import type { DrainStart, Order, Word } from './state.ts';
import { Failure } from '../failures.ts';
import * as messages from '../messages.ts';
import { drainWorkflowId, turnsWorkflowId } from '../names.ts';
import type { Runtime } from '../engine/runtime.ts';

/**
 * The order is repeated after this many milliseconds without a result: somebody may have terminated the
 * drain.
 */
const REPEAT_MS = 600_000;

interface OrderLife {
  readonly runtime: Runtime;
  readonly order: Order;
  /** Messages that are still to be sent to the drain. */
  words: readonly Word[];
  account: DrainProgress | null;
}

/** Returns the result of the drain. Fails at once when it cannot read its input. */
export async function liveAsOrder(start: DrainStart | Order, runtime: Runtime): Promise<DrainProgress> {
  const order = begin(start, runtime);
  const life: OrderLife = { runtime, order, words: [evacuation(order)], account: null };
  handleOrder(life);
  runtime.show(describeOrder(order.cluster));
  for (;;) {
    const [word, ...others] = life.words;
    if (word !== undefined) {
      life.words = others;
      await runtime.hub(`Tell ${turnsWorkflowId(order.cluster)}: ${word.say}`).steer(order.cluster, word);
    } else if (life.account !== null) return life.account;
    else if (runtime.isLong()) await runtime.continueAsNew(order);
    else await untilTold(life);
  }
}

function begin(start: DrainStart | Order, runtime: Runtime): Order {
  try {
    const order = readOrder(start, runtime.now());
    const id = drainWorkflowId(order.cluster);
    if (runtime.id() === id) return order;
    throw new Error(
      `the drain of ${order.cluster} must be started with the workflow id ${id}, so that there is only one`,
    );
  } catch (error) {
    throw ApplicationFailure.create({
      type: Failure.Invalid,
      message: (error as Error).message,
      nonRetryable: true,
    });
  }
}

function evacuation({ lanes, since }: Order): Word {
  return { ...lanes, say: 'evacuate', order: since };
}

async function untilTold(life: OrderLife): Promise<void> {
  const isTold = (): boolean => life.words.length > 0 || life.account !== null;
  await life.runtime.until(isTold, { ms: REPEAT_MS, summary: 'Repeat the order' });
  if (!isTold()) life.words = [evacuation(life.order)];
}

/** People may send the order a message that is meant for its drain. The order passes it on. */
function handleOrder(life: OrderLife): void {
  const { handle: on } = life.runtime;
  const { cluster } = life.order;
  const say = (word: Word): void => void (life.words = [...life.words, word]);
  on(messages.drained, (given) => void (life.account ??= readAccount(given, life.order)), {
    description: 'The result of the order',
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
