// Starts the three members of an etcd under one supervisor, and keeps them: a member that has lost its data
// is let in again.
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { HUB_MODULES } from '../local/programs/modules.ts';
import { buildTools } from '../local/programs/build.ts';
import { toolPath } from '../local/programs/tools.ts';
import { layoutOf, type Layout } from '../local/layout.ts';
import { addProcesses, awaitReady, ensureSupervisor, observedProcesses } from '../local/supervise/desired.ts';
import { writeText } from '../local/supervise/json-file.ts';
import { isHeld, supervisorLock } from '../local/supervise/lock.ts';
import { openPorts } from '../local/supervise/ports.ts';
import type { Address, ProcessSpec } from '../local/supervise/process-spec.ts';
import type { Progress } from '../local/terminal.ts';
import { stopStack } from '../local/down.ts';
import { etcdCertificates, type EtcdCertificates } from './certificates.ts';
import type { EtcdCommand } from './command-line.ts';
import { madeFile, rememberEtcd, type EtcdOrigin } from './directory.ts';
import { letInAgain } from './let-in.ts';
import { lossesOf, type Losses } from './losses.ts';
import { leaveOf, memberSpec, membersOf, type Member } from './members.ts';

/** How long all members may take to be ready, in milliseconds. */
const STARTS_WITHIN_MS = 180_000;
/** How long a majority waits for the last one, in milliseconds. */
const LAST_ONE_MS = 15_000;

export class RunningEtcd {
  readonly layout: Layout;
  readonly members: readonly Member[];
  readonly certificates: EtcdCertificates;
  readonly #specs: readonly ProcessSpec[];
  readonly #hosts: readonly string[];
  #origin: EtcdOrigin;

  constructor(ground: Ground, origin: EtcdOrigin) {
    this.layout = ground.layout;
    this.members = ground.members;
    this.certificates = ground.certificates;
    this.#specs = ground.specs;
    this.#hosts = ground.hosts;
    this.#origin = origin;
  }

  /** Starts the supervisor again if it has ended; it takes over what still runs. */
  async keep(): Promise<void> {
    if (await isHeld(supervisorLock(this.layout.dir))) return;
    await ensureSupervisor(this.layout, process.pid);
    await addProcesses(this.layout, this.#specs, remedyFor);
  }

  /** Writes certificates again that are due. Nothing restarts. */
  async renew(): Promise<void> {
    await etcdCertificates(this.layout, this.#hosts);
  }

  /**
   * Has the others let in each member that has lost its data. Throws an Error that says which one waits, and
   * for what.
   */
  async letIn(): Promise<void> {
    const { state } = this.layout;
    const { lost, unclear, ownDisks } = this.#losses();
    for (const member of this.members) {
      // A leave that was written while the member began already must not be there when it loses its data.
      if (!lost.includes(member.name)) rmSync(leaveOf(state, member), { force: true });
    }
    this.#remember({ ownDisks });
    // With one of these there is no majority that could let in another.
    if (unclear.length > 0) throw new Error(unclear.join('\n'));
    for (const member of this.members.filter(({ name }) => lost.includes(name))) {
      if (this.#origin.hasBegun) await this.#comesAgain(member);
      else this.#mayBegin(member, 'new');
    }
    // A process that has ended for want of it is started now.
    if (lost.length > 0) await addProcesses(this.layout, this.#specs, remedyFor);
  }

  /**
   * Until all members are ready. Where all have been there before, two are enough: the etcd that runs with a
   * broken member must start with it, too. Returns a warning then. Throws an Error that says what failed.
   */
  async begin(): Promise<string | null> {
    const deadline = Date.now() + STARTS_WITHIN_MS;
    let lastBy = Infinity;
    for (;;) {
      const lacking = await this.#lacking();
      if (lacking.length === 0) break;
      const said = await this.letIn().then(
        () => null,
        (error: Error) => error,
      );
      if (this.#origin.hasBegun && lacking.length === 1) lastBy = Math.min(lastBy, Date.now() + LAST_ONE_MS);
      if (lacking.length === 1 && Date.now() > lastBy) return this.#without(lacking, said);
      if (Date.now() > deadline && said !== null) throw said;
      if (Date.now() > deadline) await awaitReady(this.layout, this.#specs, 0);
      await sleep(200);
    }
    await this.letIn();
    this.#remember({ hasBegun: true });
    return null;
  }

  /** The names of those that are not ready. */
  async #lacking(): Promise<readonly string[]> {
    const views = await observedProcesses(this.layout);
    const { whole } = this.#losses();
    const isReady = (name: string): boolean =>
      whole.includes(name) && views.some((view) => view.name === name && view.phase === 'ready');
    return this.members.map(({ name }) => name).filter((name) => !isReady(name));
  }

  async #without([name = '']: readonly string[], said: Error | null): Promise<string> {
    const specs = this.#specs.filter((spec) => spec.name === name);
    const failed = await awaitReady(this.layout, specs, 0).then(
      () => '',
      (error: Error) => error.message,
    );
    const remedy = `If that says that its data is damaged, delete ${this.layout.dataOf(name)}: it comes back as a new one.`;
    return `${name} is not ready. The other two go on, and none of them may end before it is. ${said?.message ?? `${failed}\n${remedy}`}`;
  }

  #losses(): Losses {
    const { layout } = this;
    const { ownDisks = [] } = this.#origin;
    const names = this.members.map(({ name }) => name);
    return lossesOf(names, (name) => layout.dataOf(name), { ownDisks, made: madeFile(layout.dir) });
  }

  #remember(more: Partial<EtcdOrigin>): void {
    const next = { ...this.#origin, ...more };
    if (isDeepStrictEqual(next, this.#origin)) return;
    this.#origin = next;
    rememberEtcd(this.layout.dir, next);
  }

  async #comesAgain(member: Member): Promise<void> {
    const others = this.members.filter((one) => one !== member);
    const { authority: ca, client: pair } = this.certificates;
    try {
      await letInAgain(member, others, { ca, pair });
    } catch (cause) {
      throw new Error(
        `${member.name} has lost its data, and comes back when both others answer (${(cause as Error).message}). If one of them has lost its data, too, restore a snapshot.`,
        { cause },
      );
    }
    this.#mayBegin(member, 'existing');
  }

  #mayBegin(member: Member, how: 'new' | 'existing'): void {
    writeText(leaveOf(this.layout.state, member), `${how}\n`);
  }
}

interface Ground {
  readonly layout: Layout;
  readonly members: readonly Member[];
  readonly certificates: EtcdCertificates;
  readonly hosts: readonly string[];
  readonly specs: readonly ProcessSpec[];
}

/**
 * Starts it under a supervisor that stops all of it when this process is gone. Safe to repeat. Throws an
 * Error that says what failed; what runs by then goes on until then.
 */
export async function startEtcd(
  { directory, place }: EtcdCommand,
  made: EtcdOrigin | null,
  progress: Progress,
): Promise<RunningEtcd> {
  await buildTools(progress, HUB_MODULES);
  const layout = layoutOf(directory);
  // That of a command that was killed is stopping everything.
  if (await isHeld(supervisorLock(layout.dir))) await stopStack(layout.dir);
  const origin = made ?? { version: 1, port: place.port, hasBegun: false };
  await mkdir(layout.dir, { recursive: true, mode: 0o700 });
  rememberEtcd(layout.dir, origin);
  const members = membersOf(place);
  const hosts = ['127.0.0.1', 'localhost', place.host, ...(place.bind === '0.0.0.0' ? [] : [place.bind])];
  const certificates = await etcdCertificates(layout, hosts);
  const specs = await specsOf(layout, { members, certificates, bind: place.bind });
  await mkdir(layout.data, { recursive: true, mode: 0o700 });
  await mkdir(layout.logs, { recursive: true, mode: 0o700 });
  await ensureSupervisor(layout, process.pid);
  await addProcesses(layout, specs, remedyFor);
  const etcd = new RunningEtcd({ layout, members, certificates, hosts, specs }, origin);
  const warning = await progress.step('Starting three members', () => etcd.begin());
  if (warning !== null) progress.say(`Warning: ${warning}`);
  return etcd;
}

async function specsOf(
  layout: Layout,
  how: {
    readonly members: readonly Member[];
    readonly certificates: EtcdCertificates;
    readonly bind: string;
  },
): Promise<readonly ProcessSpec[]> {
  const { members: all, certificates, bind } = how;
  const ports = await openPorts(`${layout.state}/ports.json`);
  const specOf = async (member: Member): Promise<ProcessSpec> =>
    memberSpec(
      member,
      { all, bind },
      {
        binary: toolPath('etcd'),
        dataDir: layout.dataOf(member.name),
        leave: leaveOf(layout.state, member),
        healthPort: await ports.of(`${member.name}-health`),
        authority: certificates.authority,
        serving: certificates.serving,
      },
    );
  return Promise.all(all.map(specOf));
}

/** What to do about a port that is taken. */
export function remedyFor({ port }: Address): string {
  return `Stop that program (ss -ltnp shows who has ${port}), or make an etcd at other ports: --port, with an empty directory.`;
}
