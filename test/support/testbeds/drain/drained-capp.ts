// Workflows for drain tests: the real drains, and fake Capps that only ask for a turn, leave and
// report it.
import { condition, getExternalWorkflowHandle, proxyActivities, setHandler } from '@temporalio/workflow';
import { leave, permit, settled } from '../../../../workflows/messages.ts';
import { turnsWorkflowId } from '../../../../workflows/names.ts';
import type { Settled } from '../../../../workflows/types/turns.ts';

export { drain, plan, turns } from '../../../../workflows/index.ts';

export interface Traveller {
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
}

/** What the test does with Capps that hear from the drain. */
export interface Travel {
  hear(name: string, what: 'Wait'): Promise<void>;
  /** Resolves when it has arrived, or has not. */
  travel(name: string, what: 'Go' | 'leave'): Promise<Pick<Settled, 'outcome' | 'reason'>>;
}

/** On a queue of their own, so that journeys go on when the hub worker dies. */
const world = proxyActivities<Travel>({ startToCloseTimeout: '5m', taskQueue: 'journeys' });

export async function capp({ namespace, name, from }: Traveller): Promise<void> {
  const heard: ('Go' | 'Wait' | 'leave')[] = [];
  setHandler(permit, ({ cluster, answer }) => void (cluster === from && heard.push(answer)));
  setHandler(leave, ({ cluster }) => void (cluster === from && heard.push('leave')));
  for (;;) {
    await condition(() => heard.length > 0);
    const what = heard.shift() ?? 'Wait';
    if (what === 'Wait') await world.hear(name, what);
    else return arrive({ namespace, name, from }, await world.travel(name, what));
  }
}

async function arrive(
  { namespace, name, from }: Traveller,
  came: Pick<Settled, 'outcome' | 'reason'>,
): Promise<void> {
  await getExternalWorkflowHandle(turnsWorkflowId(from))
    .signal(settled, { namespace, name, to: 'site-2', ...came })
    .catch(() => undefined);
}
