// Keeps the processes of one stack running: `node deploy/local/supervise/supervisor.ts <folder> [pid of the
// owner]`.
//
// It reads the desired processes from state/desired.json, again whenever that changes, and writes the
// observed ones to state/processes.json. When a supervisor is killed, its processes keep running, and the
// next supervisor adopts them.
import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Child } from './child.ts';
import { desiredFile, processesFile, type Desired, type Observed } from './desired.ts';
import { endProcesses, stackProcesses, specHash, SUPERVISOR, type StackProcess } from './stack-processes.ts';
import { readJson, writeJson } from './json-file.ts';
import { layoutOf, type Layout } from '../layout.ts';
import { acquire, supervisorLock } from './lock.ts';
import { Wave, type ProcessSpec } from './process-spec.ts';

const LOOK_EVERY_MS = 200;

const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime });

class Supervisor {
  readonly #layout: Layout;
  readonly #children = new Map<string, Child>();
  #found: StackProcess[] = [];
  #changed = true;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Makes the running processes match the desired ones until `stop` is aborted. Then stops all of them. */
  async run(stop: AbortSignal): Promise<void> {
    this.#found = (await stackProcesses(this.#layout.dir)).filter(({ name }) => name !== SUPERVISOR);
    let seen = '';
    while (!stop.aborted) {
      const stamp = stampOf(desiredFile(this.#layout));
      if (stamp !== seen) {
        seen = stamp;
        await this.#reconcile((await readJson<Desired>(desiredFile(this.#layout)))?.processes ?? []);
      }
      this.#publish();
      await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
    }
    await this.#stopAll();
  }

  async #reconcile(desiredProcesses: readonly ProcessSpec[]): Promise<void> {
    const hashes = new Map(desiredProcesses.map((spec) => [spec.name, specHash(spec)]));
    const outdated = [...this.#children.values()].filter(
      (child) => hashes.get(child.spec.name) !== child.view().spec,
    );
    await Promise.all(outdated.map((child) => this.#stop(child)));
    await this.#stopLeftovers(hashes);
    for (const spec of desiredProcesses) {
      const child = this.#children.get(spec.name);
      if (child === undefined) this.#children.set(spec.name, this.#start(spec));
      else child.endBackoff();
    }
    this.#found = [];
    this.#changed = true;
  }

  #start(spec: ProcessSpec): Child {
    const { dir } = this.#layout;
    const adopt =
      this.#found.find(({ name, spec: hash }) => name === spec.name && hash === specHash(spec)) ?? null;
    return new Child(spec, {
      dir,
      log: this.#layout.logOf(spec.name),
      adopt,
      onChange: (view, note) => {
        if (note !== undefined)
          log.info({ process: view.name, pid: view.pid, restarts: view.restarts }, note);
        this.#changed = true;
        this.#publish();
      },
    });
  }

  /** Ends processes of an earlier supervisor that are not desired, have another spec, or are duplicates. */
  async #stopLeftovers(hashes: ReadonlyMap<string, string>): Promise<void> {
    const first = new Map(this.#found.map((process) => [process.name, process] as const).toReversed());
    const leftovers = this.#found.filter(
      (process) => first.get(process.name) !== process || hashes.get(process.name) !== process.spec,
    );
    if (leftovers.length === 0) return;
    log.warn({ processes: leftovers.map(({ name }) => name) }, 'stopping processes of an earlier supervisor');
    await endProcesses(this.#layout.dir, leftovers);
  }

  async #stop(child: Child): Promise<void> {
    await child.stop();
    this.#children.delete(child.spec.name);
    this.#changed = true;
  }

  async #stopAll(): Promise<void> {
    for (const wave of [Wave.ours, Wave.controller, Wave.server, Wave.store]) {
      const children = [...this.#children.values()].filter((child) => child.spec.wave === wave);
      await Promise.all(children.map((child) => this.#stop(child)));
    }
    this.#publish();
  }

  #publish(): void {
    if (!this.#changed) return;
    this.#changed = false;
    const processes = [...this.#children.values()].map((child) => child.view());
    writeJson(processesFile(this.#layout), { supervisor: process.pid, processes } satisfies Observed);
  }
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? 'none' : `${stat.ino}/${stat.mtimeNs}/${stat.size}`;
}

async function main(folder: string | undefined, owner: string | undefined): Promise<void> {
  if (folder === undefined)
    throw new Error('Usage: node deploy/local/supervise/supervisor.ts <folder> [pid of the owner]');
  const layout = layoutOf(folder);
  const lock = await acquire(supervisorLock(layout.dir));
  if (lock === null) {
    log.info({ dir: layout.dir }, 'another supervisor runs here');
    return;
  }
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  if (owner !== undefined) void abortWhenGone(Number(owner), stop);
  log.info({ dir: layout.dir, pid: process.pid }, 'supervising');
  await new Supervisor(layout).run(stop.signal);
  log.info('stopped');
  process.exit(0);
}

/** Stops the stack of a test that was killed. */
async function abortWhenGone(owner: number, stop: AbortController): Promise<void> {
  while (existsSync(`/proc/${owner}`)) await sleep(500);
  log.info({ owner }, 'the owner has ended, stopping');
  stop.abort();
}

await main(process.argv[2], process.argv[3]);
