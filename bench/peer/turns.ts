// Who serves the hub: Cappstan, or for the time of a measurement the Go operator.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { observedProcesses } from '../../deploy/local/supervise/desired.ts';
import { signalGroup } from '../../deploy/local/supervise/stack-processes.ts';
import type { TestbedStack } from '../../testbed/stack.ts';
import type { Testbed } from '../load/testbed.ts';
import { startPeer } from './operator.ts';
import { pointWebhooksTo } from './webhooks.ts';

const OURS = ['bridge', 'hub-worker', 'webhook'];

/**
 * Holds Cappstan's hub processes still (SIGSTOP) and runs the Go operator in their place while `work` goes
 * on. Afterwards, also if `work` throws or is interrupted, it is as before. `work` leaves no Capp behind.
 */
export async function asPeer<T>(testbed: Testbed, binary: string, work: () => Promise<T>): Promise<T> {
  const { stack, hub, afterwards } = testbed;
  const folder = mkdtempSync(join(tmpdir(), 'cappstan-peer-'));
  const undos: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  const undo = async (): Promise<void> => {
    for (const one of undos.splice(0).toReversed()) await one();
  };
  afterwards(undo);
  try {
    undos.push(await holdStill(stack));
    const peer = await startPeer(binary, stack.layout.kubeconfig('hub'), folder);
    undos.push(() => peer.stop());
    undos.push(await pointWebhooksTo(hub, peer));
    return await work();
  } finally {
    await undo();
  }
}

async function holdStill({ layout }: TestbedStack): Promise<() => void> {
  const found = (await observedProcesses(layout)).filter(({ name }) => OURS.includes(name));
  const pids = found.map(({ pid }) => pid).filter((pid) => pid !== null);
  if (pids.length !== OURS.length)
    throw new Error(`Not all of ${OURS.join(', ')} run. Run "make up" to repair the stack.`);
  for (const pid of pids) signalGroup(pid, 'SIGSTOP');
  return () => pids.forEach((pid) => signalGroup(pid, 'SIGCONT'));
}
