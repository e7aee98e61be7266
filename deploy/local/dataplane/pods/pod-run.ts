// The processes of one Pod of a revision, in a sandbox: Knative's queue-proxy, and our program for each other
// container.
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QUEUE_PROXY } from '../../../../crds/kubernetes/knative.ts';
import { toolPath } from '../../programs/tools.ts';
import { keepRunning, type RunningProgram } from '../keep-running.ts';
import type { SandboxProgram, Sandbox } from '../network/sandbox.ts';
import { environmentOf, type Values } from './environment.ts';
import type { Processes } from './status.ts';
import type { StandInPod } from '../../standins/pods/pod.ts';

/**
 * As in the readiness probe that Knative writes for queue-proxy, which asks the program itself. Without a
 * kubelet's user agent it would be counted as a request, and nothing would be scaled to zero.
 */
const PROBE = {
  port: 8012,
  path: '/',
  headers: { 'k-network-probe': 'queue', 'user-agent': 'kube-probe/1.35' },
} as const;
const PROBE_TIMEOUT_MS = 1000;
/** Often until it succeeds, since every request to a revision at zero waits for that. */
const PROBE_MS = { unready: 25, ready: 1000 } as const;
const FAILURES = 3;
const PROGRAM_GRACE_MS = 2000;

export interface RunContext {
  readonly site: string;
  readonly log: string;
  readonly sandbox: Sandbox;
  readonly values: Values;
  /** Called when `view` has changed. */
  readonly onChange: () => void;
}

export interface PodRun {
  view(): Processes;
  /**
   * Ends it as a kubelet does: queue-proxy first, which finishes what it has begun. Resolves when all is
   * gone. Milliseconds.
   */
  end(graceMs: number): Promise<void>;
}

export function runPod(pod: StandInPod, { site, log, sandbox, values, onChange }: RunContext): PodRun {
  const over = new AbortController();
  let isReady = false;
  const containers = pod.spec.containers.map((container) => {
    const { name, image = '' } = container;
    const variables = environmentOf(container, { pod, ip: sandbox.ip, values });
    const program: Omit<SandboxProgram, 'log'> =
      name === QUEUE_PROXY
        ? { command: toolPath(QUEUE_PROXY), env: variables }
        : { ...ourProgram, env: { ...variables, SITE: site, IMAGE: image, ...compileCache() } };
    return { name, running: keepRunning(() => sandbox.start({ ...program, log }), { onEnd: onChange }) };
  });
  const set = (now: boolean): void => {
    if (now === isReady) return;
    isReady = now;
    onChange();
  };
  void probe(sandbox.ip, set, over.signal);
  return {
    view: () => ({
      ip: sandbox.ip,
      isReady,
      restarts: Object.fromEntries(containers.map(({ name, running }) => [name, running.restarts()])),
    }),
    end: async (graceMs) => {
      over.abort();
      const named = (isQueue: boolean): RunningProgram[] =>
        containers.filter(({ name }) => (name === QUEUE_PROXY) === isQueue).map(({ running }) => running);
      await Promise.all(named(true).map((running) => running.stop(graceMs)));
      await Promise.all(named(false).map((running) => running.stop(PROGRAM_GRACE_MS)));
      await sandbox.remove();
    },
  };
}

const ourProgram = {
  command: process.execPath,
  args: ['--max-old-space-size=32', '--max-semi-space-size=1', join(import.meta.dirname, 'program.ts')],
};

function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

/** Says whether the Pod is ready, until the signal. */
async function probe(host: string, set: (isReady: boolean) => void, over: AbortSignal): Promise<void> {
  let failures: number = FAILURES;
  while (!over.aborted) {
    failures = (await succeeds(host)) ? 0 : failures + 1;
    if (over.aborted) return;
    if (failures === 0) set(true);
    if (failures >= FAILURES) set(false);
    const pause = failures === 0 ? PROBE_MS.ready : PROBE_MS.unready;
    await sleep(pause, undefined, { signal: over }).catch(() => undefined);
  }
}

function succeeds(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ host, ...PROBE, agent: false, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    call.once('response', (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.once('error', () => resolve(false));
    call.end();
  });
}
