import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  awaitRestart,
  processOf,
  startProcess,
  signalProcess,
  stopProcess,
} from '../../testbed/processes.ts';
import {
  awaitReady,
  ensureSupervisor,
  observedProcesses,
  addProcesses,
  keepOnly,
} from '../../deploy/local/supervise/desired.ts';
import { layoutOf, type Layout } from '../../deploy/local/layout.ts';
import { isHeld, supervisorLock } from '../../deploy/local/supervise/lock.ts';
import { stackProcesses, SUPERVISOR } from '../../deploy/local/supervise/stack-processes.ts';
import { openPorts } from '../../deploy/local/supervise/ports.ts';
import { Wave, type ProcessSpec } from '../../deploy/local/supervise/process-spec.ts';
import { stopStack } from '../../deploy/local/down.ts';

const SERVER = `
  process.on('SIGTERM', () => { if (!process.env.STUBBORN) process.exit(0); });
  require('node:http').createServer((_, response) => { response.statusCode = Number(process.env.STATUS ?? 200); response.end(); })
    .listen(Number(process.env.PORT), '127.0.0.1');
`;

let layout: Layout;

beforeEach(async () => {
  layout = layoutOf(await mkdtemp(join(tmpdir(), 'supervisor-')));
  await ensureSupervisor(layout, process.pid);
});

afterEach(async () => {
  await stopStack(layout.dir);
  expect(await stackProcesses(layout.dir)).toEqual([]);
  await rm(layout.dir, { recursive: true });
});

async function aServer(name: string, env: Record<string, string> = {}): Promise<ProcessSpec> {
  const port = await (await openPorts(join(layout.state, 'ports.json'))).of(name);
  const ready = { tcp: port } as const;
  const args = ['-e', SERVER];
  return {
    name,
    command: process.execPath,
    args,
    env: { ...env, PORT: String(port) },
    ready,
    wave: Wave.ours,
    ports: [port],
  };
}

async function start(...specs: ProcessSpec[]): Promise<void> {
  await addProcesses(layout, specs);
  await awaitReady(layout, specs, 200_000);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 200_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('The condition did not become true in 90 s.');
    await sleep(20);
  }
}

const pids = async (): Promise<number[]> => (await stackProcesses(layout.dir)).map(({ pid }) => pid);

it('a process that is killed is restarted', async () => {
  await start(await aServer('one'));
  const pid = await signalProcess(layout, 'one', 'SIGKILL');
  expect(await awaitRestart(layout, 'one', { pid, timeoutMs: 200_000 })).toMatchObject({
    restarts: 1,
    lastEnd: 'killed by SIGKILL',
  });
}, 480_000);

it('a process that is stopped with SIGSTOP is not restarted', async () => {
  const spec = await aServer('one');
  await start({ ...spec, live: { http: `http://127.0.0.1:${spec.ports[0]}/` } });
  const pid = await signalProcess(layout, 'one', 'SIGSTOP');
  await sleep(3000);
  expect(await processOf(layout, 'one')).toMatchObject({ pid, restarts: 0, phase: 'ready' });
  await signalProcess(layout, 'one', 'SIGCONT');
}, 480_000);

it('a process whose liveness probe says unhealthy is restarted', async () => {
  const spec = await aServer('one', { STATUS: '500' });
  await addProcesses(layout, [{ ...spec, live: { http: `http://127.0.0.1:${spec.ports[0]}/` } }]);
  await until(async () => (await observedProcesses(layout)).some(({ restarts }) => restarts > 0));
}, 480_000);

it('when a supervisor is killed, its processes keep running, and the next supervisor adopts and restarts them', async () => {
  await start(await aServer('one'), await aServer('two'));
  const before = await processOf(layout, 'one');
  const supervisor = (await stackProcesses(layout.dir)).find(({ name }) => name === SUPERVISOR);
  process.kill(supervisor?.pid ?? 0, 'SIGKILL');
  // Otherwise the lock of the killed supervisor may still look held.
  await until(async () => !(await isHeld(supervisorLock(layout.dir))));
  process.kill((await processOf(layout, 'two')).pid ?? 0, 'SIGKILL');
  await ensureSupervisor(layout, process.pid);
  await start(await aServer('one'), await aServer('two'));
  expect((await processOf(layout, 'one')).pid).toBe(before.pid);
  const pid = await signalProcess(layout, 'one', 'SIGKILL');
  await awaitRestart(layout, 'one', { pid, timeoutMs: 200_000 });
}, 480_000);

it('a process whose spec changes is restarted, the others are not', async () => {
  const one = await aServer('one');
  await start(one, await aServer('two'));
  const [first, second] = [await processOf(layout, 'one'), await processOf(layout, 'two')];
  await start({ ...one, env: { ...one.env, ANOTHER: 'yes' } });
  expect((await processOf(layout, 'one')).pid).not.toBe(first.pid);
  expect((await processOf(layout, 'two')).pid).toBe(second.pid);
}, 480_000);

it('a process that is no longer desired is stopped, and can be started again', async () => {
  await start(await aServer('one'), await aServer('two'));
  const spec = await stopProcess(layout, 'one');
  await until(async () => (await stackProcesses(layout.dir)).every(({ name }) => name !== 'one'));
  await startProcess(layout, spec);
  await keepOnly(layout, ['one']);
  await until(async () => (await stackProcesses(layout.dir)).every(({ name }) => name !== 'two'));
}, 480_000);

it('a process that ignores SIGTERM is killed with its children', async () => {
  const spec = await aServer('one', { STUBBORN: 'yes' });
  await start({
    ...spec,
    command: '/bin/sh',
    args: ['-c', `"${process.execPath}" -e '${SERVER.replaceAll("'", '"')}' & wait`],
  });
  expect(await pids()).toHaveLength(3);
  await stopStack(layout.dir);
  expect(await pids()).toEqual([]);
}, 480_000);

it('a port that another program uses is an error that names the port, before any process starts', async () => {
  const spec = await aServer('one');
  await start(spec);
  await expect(addProcesses(layout, [{ ...spec, name: 'two' }])).rejects.toThrow(
    new RegExp(`Port ${spec.ports[0]} .* two .* taken by another program`),
  );
}, 480_000);

it('a process that keeps ending is an error with the end of its log', async () => {
  const spec = { ...(await aServer('one')), args: ['-e', 'console.error("no such luck"); process.exit(3)'] };
  await addProcesses(layout, [spec]);
  await expect(awaitReady(layout, [spec], 120_000)).rejects.toThrow(
    /one keeps ending \(exit code 3[^]*no such luck/,
  );
  expect(await readFile(layout.logOf('one'), 'utf8')).toContain('no such luck');
}, 480_000);
