// One supervised process: started, or adopted if it runs already; probed until it is ready; restarted with
// backoff when it ends.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  signalGroup,
  isSameProcess,
  stackEnvironment,
  specHash,
  type StackProcess,
} from './stack-processes.ts';
import { runProbe } from './probe.ts';
import type { ProcessSpec } from './process-spec.ts';

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;
/** After a process was ready, or ran for this long, the backoff starts at its minimum again. */
const STEADY_MS = 10_000;
const GRACE_MS = 8000;
const READY_EVERY_MS = 50;
const LIVE_EVERY_MS = 2000;
const LIVE_FAILURES = 3;
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

export type ChildPhase = 'starting' | 'ready' | 'backoff' | 'stopped';

export interface ChildView {
  readonly name: string;
  readonly spec: string;
  readonly pid: number | null;
  readonly phase: ChildPhase;
  /** When this phase began, RFC 3339. */
  readonly since: string;
  readonly restarts: number;
  /** How it last ended, such as "exit code 1", or null. */
  readonly lastEnd: string | null;
}

export interface ChildOptions {
  readonly dir: string;
  readonly log: string;
  readonly adopt: StackProcess | null;
  readonly onChange: (view: ChildView, note?: string) => void;
}

interface Running {
  readonly pid: number;
  readonly ended: Promise<string>;
}

export class Child {
  readonly spec: ProcessSpec;
  readonly #options: ChildOptions;
  readonly #hash: string;
  readonly #stop = new AbortController();
  #backoff = new AbortController();
  readonly #finished: Promise<void>;
  #view: ChildView;
  #running: Running | null = null;

  constructor(spec: ProcessSpec, options: ChildOptions) {
    this.spec = spec;
    this.#options = options;
    this.#hash = specHash(spec);
    this.#view = {
      name: spec.name,
      spec: this.#hash,
      pid: null,
      phase: 'starting',
      since: now(),
      restarts: 0,
      lastEnd: null,
    };
    this.#finished = this.#run();
  }

  view(): ChildView {
    return this.#view;
  }

  /** Restarts the process now if it is in backoff. */
  endBackoff(): void {
    this.#backoff.abort();
  }

  /**
   * Ends the process and its descendants: SIGTERM, and SIGKILL after the grace period. Resolves when it is
   * gone.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    const running = this.#running;
    if (running !== null) {
      signalGroup(running.pid, 'SIGTERM');
      signalGroup(running.pid, 'SIGCONT');
      await Promise.race([running.ended, sleep(GRACE_MS, undefined, { ref: false })]);
      signalGroup(running.pid, 'SIGKILL');
      await running.ended;
    }
    await this.#finished;
  }

  async #run(): Promise<void> {
    let failures = 0;
    let adopt = this.#options.adopt;
    while (!this.#stop.signal.aborted) {
      const startedAt = Date.now();
      const { how, wasReady } = await this.#runOnce(adopt);
      adopt = null;
      if (this.#stop.signal.aborted) break;
      failures = wasReady || Date.now() - startedAt > STEADY_MS ? 1 : failures + 1;
      this.#set(
        { phase: 'backoff', pid: null, restarts: this.#view.restarts + 1, lastEnd: how },
        `ended: ${how}`,
      );
      this.#backoff = new AbortController();
      const signal = AbortSignal.any([this.#stop.signal, this.#backoff.signal]);
      await sleep(backoffAfter(failures), undefined, { signal }).catch(() => undefined);
    }
    this.#set({ phase: 'stopped', pid: null });
  }

  /** Runs the process once, from its start or adoption to its end. */
  async #runOnce(adopt: StackProcess | null): Promise<{ how: string; wasReady: boolean }> {
    const running = adopt === null ? start(this.spec, this.#options) : adoptProcess(adopt, this.#options.dir);
    this.#running = running;
    this.#set({ phase: 'starting', pid: running.pid }, adopt === null ? 'started' : 'adopted');
    const over = new AbortController();
    const watched = this.#watch(running, over.signal);
    const how = await running.ended;
    over.abort();
    this.#running = null;
    // Children that outlived the process would hold its ports.
    signalGroup(running.pid, 'SIGKILL');
    return { how, wasReady: await watched };
  }

  /**
   * Waits until it is ready; then restarts it when it answers "unhealthy" several times in a row. Resolves to
   * whether it was ready.
   */
  async #watch(running: Running, over: AbortSignal): Promise<boolean> {
    const pause = (ms: number): Promise<void> =>
      sleep(ms, undefined, { signal: over }).catch(() => undefined);
    while (!over.aborted && (await runProbe(this.spec.ready)) !== 'healthy') await pause(READY_EVERY_MS);
    if (over.aborted) return false;
    this.#set({ phase: 'ready' }, 'ready');
    let failedProbes = 0;
    while (this.spec.live !== undefined && !over.aborted) {
      await pause(LIVE_EVERY_MS);
      failedProbes = (await runProbe(this.spec.live)) === 'unhealthy' ? failedProbes + 1 : 0;
      if (failedProbes < LIVE_FAILURES || over.aborted) continue;
      this.#options.onChange(this.#view, 'unhealthy, restarting');
      signalGroup(running.pid, 'SIGTERM');
      await pause(GRACE_MS);
      if (!over.aborted) signalGroup(running.pid, 'SIGKILL');
    }
    return true;
  }

  #set(change: Partial<ChildView>, note?: string): void {
    this.#view = { ...this.#view, ...change, since: now() };
    this.#options.onChange(this.#view, note);
  }
}

function start(spec: ProcessSpec, options: ChildOptions): Running {
  const log = openLog(options.log);
  const inherited = ['PATH', 'HOME', 'USER', 'TMPDIR', 'LANG', 'TZ', 'NODE_COMPILE_CACHE'].map(
    (key) => [key, process.env[key]] as const,
  );
  const base = Object.fromEntries(inherited.filter(([, value]) => value !== undefined));
  const child = spawn(spec.command, [...spec.args], {
    env: { ...base, ...spec.env, ...stackEnvironment(options.dir, spec.name, specHash(spec)) },
    cwd: spec.cwd ?? options.dir,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`cannot start: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`),
    );
  });
  return { pid: child.pid ?? 0, ended };
}

/** A process that another supervisor started. It is no child of this one, so its end is polled. */
function adoptProcess(found: StackProcess, dir: string): Running {
  const gone = async (): Promise<string> => {
    while (await isSameProcess(found, dir)) await sleep(300);
    return 'ended';
  };
  return { pid: found.pid, ended: gone() };
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

function backoffAfter(failures: number): number {
  const full = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 16));
  return full * (0.5 + Math.random() / 2);
}

function now(): string {
  return new Date().toISOString();
}
