// Delivers a drain's answers to Capps, a few at a time within one try, and names the Capps that could not be
// told.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { leave, permit } from '../../../workflows/messages.ts';
import { backlogOf } from '../../../temporal/task-queues.ts';
import { cappWorkflowId, HUB_QUEUE } from '../../../workflows/names.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { DrainAnswer } from '../../../workflows/drain/residents.ts';
import { trying } from '../../trying.ts';
import { HUB_TIMES } from '../times.ts';

/** Calls to Temporal under way at once. */
const AT_ONCE = 20;

/**
 * Calls that `work` has not made when the try ends are not made any more. Without this the client would still
 * make a call that begins later.
 */
export function inTime<T>(client: Client, work: () => Promise<T>): Promise<T> {
  return trying(async ({ until, signal }) => {
    signal.throwIfAborted();
    return client.withAbortSignal(signal, () =>
      client.withDeadline(Math.min(until, Date.now() + HUB_TIMES.answer.ms), work),
    );
  });
}

type Heard = 'Told' | 'Gone' | 'Untold';

export function hubAnswer(client: Client): Pick<Hub, 'answer'> {
  const look = backlogNow(client);
  return {
    answer: (cluster, answers) =>
      trying(async ({ until }) => {
        const looking = look();
        const left = answers.values();
        const heard = new Map<string, Heard>();
        const work = async (): Promise<void> => {
          for (const one of left)
            heard.set(one.capp, Date.now() < until ? await tell(client, cluster, one) : 'Untold');
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        const those = (what: Heard): string[] =>
          answers.map(({ capp }) => capp).filter((capp) => heard.get(capp) === what);
        return { gone: those('Gone'), untold: those('Untold'), backlogMs: await looking };
      }),
  };
}

/**
 * How long the oldest task of the hub workers has waited, in milliseconds; null if Temporal does not say, or
 * not in time. It is asked for no more often than Temporal renews the figure.
 */
function backlogNow(client: Client): () => Promise<number | null> {
  let last: { readonly at: number; readonly backlog: Promise<number | null> } | null = null;
  return () => {
    const now = Date.now();
    if (last === null || now >= last.at + HUB_TIMES.backlog.ms || now < last.at) {
      const asked = inTime(client, () => backlogOf(client, { name: HUB_QUEUE, tasks: 'Workflow' }));
      last = { at: now, backlog: asked.catch(() => null) };
    }
    return last.backlog;
  };
}

/** A Capp is told again if it is not known whether it got the message. */
async function tell(client: Client, cluster: string, { capp, say, to }: DrainAnswer): Promise<Heard> {
  const [namespace = '', name = ''] = capp.split('/');
  const handle = client.workflow.getHandle(cappWorkflowId(namespace, name));
  try {
    await inTime(client, () =>
      say === 'Leave'
        ? handle.signal(leave, to === undefined ? { cluster } : { cluster, to })
        : handle.signal(permit, { cluster, answer: say }),
    );
    return 'Told';
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? 'Gone' : 'Untold';
  }
}
