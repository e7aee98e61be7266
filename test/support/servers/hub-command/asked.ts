// Somebody asks a hub again and again, and notes for how long it gives no answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG_MAP } from '../../../../crds/kubernetes/core.ts';
import { connect } from '../../../../kube/client.ts';
import type { HubCommand } from './hub-command.ts';

/** Stores something, and deletes it, by a new connection. */
export async function writesTo({ kubeconfig }: Pick<HubCommand, 'kubeconfig'>): Promise<void> {
  const kube = connect({ kubeconfig, deadlineMs: 2_000 });
  try {
    const object = { metadata: { namespace: 'default', name: `asked-${crypto.randomUUID()}` } };
    await kube.create(CONFIG_MAP, object);
    await kube.remove(CONFIG_MAP, object.metadata);
  } finally {
    await kube.close();
  }
}

/** The longest time without a success in milliseconds, until it is told to stop. */
export async function longestGap(stop: AbortSignal, ask: () => Promise<void>, everyMs = 50): Promise<number> {
  let last = performance.now();
  let longest = 0;
  while (!stop.aborted) {
    const isAnswered = await ask().then(
      () => true,
      () => false,
    );
    longest = Math.max(longest, performance.now() - last);
    if (isAnswered) last = performance.now();
    await sleep(everyMs);
  }
  return longest;
}
