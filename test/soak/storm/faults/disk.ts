// A full disk: etcd's own alarm NOSPACE, which it raises when its quota is used up. It refuses every write
// until the alarm is taken back, also after a restart.
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../../../testbed/eventually.ts';
import { away, between, WHILE_AWAY, type Action } from '../world.ts';
import { etcdOf } from '../record/recorder.ts';

async function ask(endpoint: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${endpoint}/v3/maintenance/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`etcd answers ${response.status} to ${path}: ${await response.text()}`);
  return response.json();
}

/** Until etcd has taken it. */
async function alarm(endpoint: string, action: 'ACTIVATE' | 'DEACTIVATE'): Promise<void> {
  await eventually(async () => {
    const { header } = (await ask(endpoint, 'status', {})) as { header: { member_id: string } };
    await ask(endpoint, 'alarm', { action, alarm: 'NOSPACE', memberID: header.member_id });
    return true;
  }, WHILE_AWAY);
}

const NAME = 'the disk of etcd';

export const fillDisk: Action = async (storm) => {
  if (storm.away.has(NAME)) return `${NAME} is full already`;
  const endpoint = await etcdOf(storm.stack.layout);
  const milliseconds = between(storm, 2_000, 10_000);
  const emptied = (async () => {
    await alarm(endpoint, 'ACTIVATE');
    await pause(milliseconds);
    await alarm(endpoint, 'DEACTIVATE');
  })();
  away(storm, [NAME], emptied);
  return `${NAME} is full for ${milliseconds} ms`;
};
