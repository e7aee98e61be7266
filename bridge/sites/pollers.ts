// Asks Temporal when an agent last polled its queue, so that no site needs a heartbeat.
import { agentQueue } from '../../workflows/names.ts';
import { pollersOf, type Service } from '../../temporal/task-queues.ts';

/**
 * When an agent on a cluster last began to poll, in milliseconds since the epoch; null if Temporal remembers
 * none (it forgets after five minutes). A poll lasts a minute, so the agent may have been there a minute
 * longer. Throws what the Temporal client throws.
 */
export type LastPoll = (cluster: string) => Promise<number | null>;

/** Asks at most once in `ms` milliseconds for each cluster: several look at the same agents. */
export function remembering(ask: LastPoll, ms: number, now: () => number = Date.now): LastPoll {
  const asked = new Map<string, { readonly at: number; readonly answer: ReturnType<LastPoll> }>();
  return (cluster) => {
    const known = asked.get(cluster);
    if (known !== undefined && now() - known.at < ms) return known.answer;
    const answer = ask(cluster);
    asked.set(cluster, { at: now(), answer });
    answer.catch(() => asked.delete(cluster));
    return answer;
  };
}

export function lastPollBy(service: Service): LastPoll {
  return async (cluster) => {
    const pollers = await pollersOf(service, { name: agentQueue(cluster), tasks: 'Activity' });
    return pollers.length === 0 ? null : Math.max(...pollers.map(({ polledAt }) => polledAt));
  };
}
