// A workflow that asks an agent for one verdict, as a rollout does, and tells when it asks and when it sees
// the answer.
import { proxyActivities, proxySinks, type Sinks } from '@temporalio/workflow';
import type { Agent } from '../workflows/ports/agent.ts';

export interface Marks extends Sinks {
  mark: {
    asks(): void;
    sees(): void;
  };
}

/** `queue` is that of the agent. Ends when it has seen the answer. */
export async function verdict(queue: string): Promise<void> {
  const { awaitVerdict } = proxyActivities<Agent>({
    taskQueue: queue,
    startToCloseTimeout: '5m',
    retry: { maximumAttempts: 1 },
  });
  const { mark } = proxySinks<Marks>();
  mark.asks();
  await awaitVerdict(
    { namespace: 'bench', name: 'verdict', uid: 'bench' },
    { stamp: 'bench', known: null, statusHash: null },
  );
  mark.sees();
}
