// Numbers every write of our own processes to Kubernetes and to Temporal, and lets some of them go wrong in
// one way.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import { unlessAborted } from '../../../../kube/http/deadline.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import { failure } from '../api/line.ts';
import { asked } from '../api/request.ts';
import { HUB } from '../world/names.ts';
import type { Process, ProcessName, Trial } from '../world/trial.ts';
import type { World } from '../world/world.ts';
import { canBe, type FaultKind, type Where } from './faults.ts';

export interface NumberedWrite {
  readonly where: Where;
  /** Who writes what. */
  readonly text: string;
}

/** Which writes go wrong, by number from 0, and how. */
export interface Plan {
  readonly at: readonly number[];
  readonly kind: FaultKind;
}

/** What has not been done by then is done. */
const LATEST_MS = 60_000;
const NEVER = new Promise<never>(() => undefined);

type Activity = (...given: unknown[]) => Promise<unknown>;

export class EveryWrite implements Trial {
  readonly writes: NumberedWrite[] = [];
  readonly #plan: Plan | null;
  readonly #running = new AsyncLocalStorage<{ readonly name: string; isAgain: boolean }>();
  #isCounting = false;
  #late: (() => void)[] = [];
  /** By workflow: its turn counts, and its worker ends then. */
  readonly #ending = new Set<string>();

  constructor(plan: Plan | null) {
    this.#plan = plan;
  }

  /** From now on writes are numbered. */
  count(): void {
    this.#isCounting = true;
  }

  process(world: World, name: ProcessName): Process {
    const life = { isOver: false };
    const end = (): Promise<never> => {
      life.isOver = true;
      this.#end(world, name);
      return NEVER;
    };
    const unlessOver = async <T>(work: () => Promise<T>): Promise<T> => {
      if (life.isOver) return NEVER;
      const result = await work();
      return life.isOver ? NEVER : result;
    };
    return {
      ask: (request, limit, go) => unlessOver(() => this.#ask(world, { request, limit, go, end })),
      tell: (what, go) => unlessOver(() => this.#tell(world, `${name}: ${what}`, { go, end })),
      activities: (hub, filled) => this.#activities(hub, (work) => unlessOver(() => filled.then(work))),
    };
  }

  loses(world: World, workflowId: string): boolean {
    const kind = this.#number('turn', `${workflowId}: a turn`);
    if (kind !== null) world.tell(`  FAULT ${kind}: a turn of ${workflowId}`);
    if (kind === 'killed') this.#ending.add(workflowId);
    return kind === 'failed';
  }

  counted(world: World, workflowId: string): void {
    if (this.#ending.delete(workflowId)) this.#end(world, 'hub worker');
  }

  /** Gives how it goes wrong; null if it does not. */
  #number(where: Where, text: string): FaultKind | null {
    if (!this.#isCounting) return null;
    this.writes.push({ where, text });
    const { at = [], kind = null } = this.#plan ?? {};
    return kind !== null && at.includes(this.writes.length - 1) && canBe(kind, where) ? kind : null;
  }

  #end(world: World, name: ProcessName): void {
    world.tell(`  the ${name} ends, and another begins`);
    if (name === 'bridge') return world.restartBridge();
    world.restartHubWorker();
    world.temporal.loseTurns();
  }

  async #ask(world: World, { request, limit, go, end }: Asking): Promise<unknown> {
    if (request.method === 'GET') return go();
    const running = this.#running.getStore();
    const text = `${running?.name ?? 'nobody'}: ${textOf(request)}`;
    const kind = this.#number('kubernetes', text);
    if (kind !== null) world.tell(`  FAULT ${kind}: ${text}`);
    switch (kind) {
      case 'forbidden':
        throw failure(request, 403);
      case 'invalid':
        throw failure(request, 422);
      case 'failed':
        throw failure(request, 500);
      case 'conflict':
        throw failure(request, 409);
      case 'late':
      case 'overlapping':
        this.#later(world, () => void world.server.answer(request, HUB));
        return unlessAborted(limit, NEVER);
      default:
        if (kind === 'again' && running !== undefined) running.isAgain = true;
        return this.#done(kind, { request, end }, await go());
    }
  }

  #done(kind: FaultKind | null, { request, end }: Pick<Asking, 'request' | 'end'>, answer: unknown): unknown {
    this.#release('late');
    if (kind === 'answered-with-error') throw failure(request, 504);
    return kind === 'killed' ? end() : answer;
  }

  async #tell(world: World, text: string, { go, end }: Telling): Promise<void> {
    const kind = this.#number('temporal', text);
    if (kind !== null) world.tell(`  FAULT ${kind}: ${text}`);
    if (kind === 'failed') throw new Error('Temporal does not answer');
    if (kind === 'late') {
      this.#later(world, () => void go().catch(() => undefined));
      throw new Error('Temporal does not answer');
    }
    await go();
    this.#release('late');
    if (kind === 'again') await go();
    if (kind === 'answered-with-error') throw new Error('Temporal does not answer');
    if (kind === 'killed') await end();
  }

  #later(world: World, what: () => void): void {
    let isDone = false;
    const once = (): void => {
      if (isDone) return;
      isDone = true;
      world.tell('  what was late is done');
      try {
        what();
      } catch (error) {
        world.tell(`    ${error instanceof Error ? error.message : ''}`);
      }
    };
    this.#late.push(once);
    world.clock.after(LATEST_MS, once);
  }

  #release(kind: FaultKind): void {
    if (this.#plan?.kind === kind) for (const once of this.#late.splice(0)) once();
  }

  #activities(hub: Hub, unlessOver: <T>(work: () => Promise<T>) => Promise<T>): Hub {
    const entries = Object.entries(hub as unknown as Readonly<Record<string, Activity>>);
    const wrapped = entries.map(([name, activity]) => [
      name,
      (...given: unknown[]): Promise<unknown> => {
        this.#release('overlapping');
        const running = { name, isAgain: false };
        const run = (): Promise<unknown> => this.#running.run(running, () => activity(...given));
        return unlessOver(async () => {
          const result = await run();
          return running.isAgain ? run() : result;
        });
      },
    ]);
    return Object.fromEntries(wrapped) as Hub;
  }
}

interface Asking {
  readonly request: KubeRequest;
  readonly limit: AbortSignal;
  readonly go: () => Promise<unknown>;
  /** Its process ends. */
  readonly end: () => Promise<never>;
}

type Telling = { readonly go: () => Promise<void>; readonly end: () => Promise<never> };

const VERBS: Readonly<Record<string, string>> = { POST: 'create', DELETE: 'delete', PATCH: 'patch' };

function textOf(request: KubeRequest): string {
  const { method, plural, subresource, key, body, isApply } = asked(request);
  const { metadata = {} } = (body ?? {}) as { metadata?: { namespace?: string; name?: string } };
  const name = method === 'POST' ? `${metadata.namespace ?? ''}/${metadata.name ?? ''}` : key;
  const verb = isApply ? 'apply' : (VERBS[method] ?? method);
  return `${verb} ${plural}${subresource === null ? '' : `/${subresource}`} ${name}`;
}
