import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '../../../../deploy/local/dataplane/keep-running.ts';
import type { Network } from '../../../../deploy/local/dataplane/network/sandbox.ts';
import { podHost } from '../../../../deploy/local/dataplane/pods/host.ts';
import type { PodHost } from '../../../../deploy/local/standins/pods/kubelet.ts';
import { podStatus } from '../../../../deploy/local/standins/pods/pod-status.ts';
import type { StandInPod, PodWorld } from '../../../../deploy/local/standins/pods/pod.ts';
import { eventually } from '../../../../testbed/eventually.ts';

const WORLD: PodWorld = { secretKeys: () => null, configMapKeys: () => null, claim: () => 'missing' };
const KEY = { namespace: 'ns', name: 'p' };
const SOON = { withinMs: 50_000, everyMs: 10 };

const forever = (): ChildProcess => spawn('sleep', ['1000']);

/** A network whose sandboxes are only counted, and whose programs only sleep. */
function aNetwork(programs: ChildProcess[]): Network & { sandboxes: number } {
  const network = {
    sandboxes: 0,
    newSandbox: () => {
      network.sandboxes += 1;
      return Promise.resolve({
        ip: '127.0.0.1',
        start: () => {
          const program = forever();
          programs.push(program);
          return program;
        },
        remove: () => {
          network.sandboxes -= 1;
          return Promise.resolve();
        },
      });
    },
  };
  return network;
}

function aPod(uid: string): StandInPod {
  return {
    metadata: { ...KEY, uid },
    spec: {
      containers: [
        { name: 'app', image: 'app:v1' },
        { name: 'queue-proxy', image: 'queue' },
      ],
    },
  };
}

function aHost() {
  const programs: ChildProcess[] = [];
  const network = aNetwork(programs);
  const problems: unknown[] = [];
  let changes = 0;
  const options = {
    kube: { get: () => Promise.resolve(null) },
    site: 'site-1',
    network,
    log: '/dev/null',
    onProblem: (one: unknown) => problems.push(one),
  };
  const host: PodHost = podHost(options, () => {
    changes += 1;
  });
  const look = (pod: StandInPod) => host.statusOf(pod, podStatus(pod, WORLD, Date.now()).status);
  const running = (): number =>
    programs.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null).length;
  return { host, network, problems, changes: () => changes, look, running };
}

const until = (isTrue: () => boolean): Promise<true> =>
  eventually(() => Promise.resolve(isTrue() ? (true as const) : undefined), SOON);

test('a Pod that may run gets one sandbox with all its programs, however often somebody looks', async () => {
  const { host, network, look, running, problems } = aHost();
  const pod = aPod('1');
  look(pod);
  look(pod);
  await until(() => look(pod).podIP === '127.0.0.1');
  expect(network.sandboxes).toBe(1);
  expect(running()).toBe(2);
  expect(host.hasEnded(KEY, undefined)).toBe(false);
  await until(() => host.hasEnded(KEY, undefined));
  expect(problems).toEqual([]);
});

test('a deleted Pod has ended only when its programs and its sandbox are gone, and that is told', async () => {
  const { host, network, look, running, changes } = aHost();
  const pod = aPod('1');
  look(pod);
  await until(() => look(pod).podIP !== undefined);
  const before = changes();
  expect(host.hasEnded(KEY, pod)).toBe(false);
  await until(() => changes() > before);
  expect(host.hasEnded(KEY, pod)).toBe(true);
  expect(running()).toBe(0);
  expect(network.sandboxes).toBe(0);
});

test('a Pod that is deleted before its sandbox is there leaves nothing', async () => {
  const { host, network, look, running } = aHost();
  look(aPod('1'));
  expect(host.hasEnded(KEY, aPod('1'))).toBe(false);
  await until(() => host.hasEnded(KEY, undefined));
  expect(network.sandboxes).toBe(0);
  expect(running()).toBe(0);
});

test('a new Pod of the same name does not get the address of the old one', async () => {
  const { host, look } = aHost();
  look(aPod('1'));
  await until(() => look(aPod('1')).podIP !== undefined);
  expect(look(aPod('2')).podIP).toBeUndefined();
  await until(() => look(aPod('2')).podIP !== undefined);
  await until(() => host.hasEnded(KEY, undefined));
});

test('a program that ends is started again, until it is stopped', async () => {
  const ends: string[] = [];
  let started = 0;
  const running = keepRunning(
    () => {
      started += 1;
      return started === 1 ? spawn('sh', ['-c', 'exit 3']) : forever();
    },
    { onEnd: (how) => ends.push(how) },
  );
  await until(() => started === 2);
  expect(ends).toEqual(['exit code 3']);
  expect(running.restarts()).toBe(1);
  await running.stop(10_000);
  await running.stop(0);
  expect(ends).toHaveLength(1);
});

test('a program that ignores SIGTERM is killed after the grace period', async () => {
  const child = spawn('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.1; done']);
  const ready = new Promise((resolve) => child.stdout.once('data', resolve));
  const running = keepRunning(() => child, { onEnd: () => undefined });
  await ready;
  const isOver = running.stop(300).then(() => true);
  expect(await Promise.race([isOver, sleep(50)])).toBeUndefined();
  expect(await isOver).toBe(true);
  expect(child.signalCode).toBe('SIGKILL');
});
