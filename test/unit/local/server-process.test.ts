import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endServer } from '../../support/servers/api/server-process.ts';

test('nobody waits for a server that has ended by itself', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  await endServer(child, 'SIGTERM');
  expect(child.exitCode).toBe(0);
});

test.each(['SIGKILL', 'SIGTERM'] as const)('one that runs gets %s', async (signal) => {
  const child = spawn('sleep', ['600']);
  await endServer(child, signal);
  expect(child.signalCode).toBe(signal);
});
