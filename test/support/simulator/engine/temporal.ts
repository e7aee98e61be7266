// Temporal in virtual time: it keeps the runs of workflows, carries out what they ask, and gives them what
// they are told.
import type { Client } from '@temporalio/client';
import { liveAsCapp } from '../../../../workflows/capp/workflow.ts';
import { liveInFleet } from '../../../../workflows/fleet/workflow.ts';
import { liveAsDrain } from '../../../../workflows/drain/workflow.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Batch } from './batch.ts';
import { clientOf, nameOf, type Start, type Told } from './client.ts';
import type { Cancel, Clockwork } from './clockwork.ts';
import { carryOutHub } from './execution.ts';
import type { Command, Done, End, Entry, Outcome } from './exchange.ts';
import type { Instance } from './instance.ts';
import { Run } from './run.ts';
import type { Server } from './server.ts';
import { idle } from './settled.ts';

/** What Temporal is connected to, and how well it does. */
export interface Around {
  readonly clock: Clockwork;
  readonly hub: () => Hub;
  /** Asks an agent; gives the way to give it up. */
  askAgent(run: Pick<Run, 'id'>, command: Extract<Command, { do: 'agent' }>, done: Done): Cancel;
  between(least: number, most: number): number;
  slips(probability: number): boolean;
  random(): number;
  tell(line: string, what?: unknown): void;
  shown(run: Run): void;
  /** The worker loses the turn that would count now. */
  loses?(run: Run): boolean;
  counted(run: Run, turn: readonly Batch[], end: End | null): void;
  lost(run: Run): void;
  ended(run: Run, end: End): void;
}

export const LIVES = { capp: liveAsCapp, turns: liveAsDrain, fleet: liveInFleet } as const;

export class Temporal implements Server {
  readonly runs = new Map<string, Run>();
  readonly #around: Around;
  /** Runs to which something has happened since all promises have moved. */
  readonly #stirred = new Set<Run>();
  readonly #jobs: (() => Promise<void>)[] = [];
  #awayUntil = 0;

  constructor(around: Around) {
    this.#around = around;
  }

  // What happens to runs, for the world.

  /** Lets everything follow from what has happened. `settle` lets all promises move. */
  async follow(settle: () => Promise<void>): Promise<void> {
    for (;;) {
      await settle();
      let goesOn = false;
      for (const run of this.#stirred) {
        if (run.progress()) goesOn = true;
        else if (run.mustBeLost) this.#jobs.push(() => run.lose(settle) ?? Promise.resolve());
        else this.#stirred.delete(run);
      }
      const jobs = this.#jobs.splice(0);
      for (const job of jobs) await job();
      if (!goesOn && jobs.length === 0) return;
    }
  }

  /** A worker ends, and with it every turn that it is at. */
  loseTurns(): void {
    for (const run of this.runs.values())
      this.#jobs.push(async () => {
        await run.lose(idle);
      });
  }

  /** A worker loses the turn that it is at. */
  loseTurn(): boolean {
    const busy = [...this.runs.values()].filter(({ isInTurn }) => isInTurn);
    const run = busy[Math.floor(this.#around.random() * busy.length)];
    if (run === undefined) return false;
    this.#jobs.push(async () => {
      const lost = run.lose(idle);
      if (lost !== null) await lost;
    });
    return true;
  }

  /** Everything is forgotten; it is back after a while. */
  wipe(awayMs: number): void {
    for (const run of this.runs.values()) run.stop();
    this.runs.clear();
    this.#stirred.clear();
    this.#awayUntil = this.now() + awayMs;
  }

  get isAway(): boolean {
    return this.now() < this.#awayUntil;
  }

  /** A message that nobody repeats. False if nobody runs by that name. */
  send(id: string, name: string, given: readonly unknown[]): boolean {
    const run = this.runs.get(id);
    if (run !== undefined) this.#around.tell(`${id} is told ${name}`, given[0]);
    run?.receive({ is: 'signal', name, given: copy(given) as unknown[] });
    return run !== undefined;
  }

  update(id: string, name: string, given: readonly unknown[], reply: (outcome: Outcome) => void): void {
    this.runs.get(id)?.receive({ is: 'update', name, given: copy(given) as unknown[], reply });
  }

  /** As the hub's processes know it. `told` carries what they say, or lets it go wrong. */
  client(told?: Told): Client {
    return clientOf(this, this.#around, told);
  }

  /** Starts a workflow unless it runs, and signals it. */
  startWith(type: string, { workflowId: id, args, signal, signalArgs = [] }: Start): void {
    if (!this.runs.has(id)) this.#add(type, id, copy(args[0]));
    if (signal !== undefined) this.send(id, nameOf(signal), signalArgs);
  }

  #add(type: string, id: string, start: unknown, queue: readonly Entry[] = []): void {
    this.#around.tell(`${id} begins`);
    this.runs.set(id, new Run(this, { id, type, start }, queue));
  }

  // What a run asks of its server.

  now(): number {
    return Math.floor(this.#around.clock.now);
  }

  after(ms: number, what: () => void): Cancel {
    return this.#around.clock.after(ms, what);
  }

  turnaround(): number {
    return this.#around.between(1, this.#around.slips(0.02) ? 15_000 : 30);
  }

  random(): number {
    return this.#around.random();
  }

  begin(instance: Instance, run: Run): void {
    const life = LIVES[run.type as keyof typeof LIVES];
    instance.begin(life, copy(run.start));
  }

  carryOut(run: Run, command: Command, done: Done): Cancel {
    switch (command.do) {
      case 'wait':
        return this.after(command.ms, () => done({ value: undefined }));
      case 'agent':
        return this.#around.askAgent(run, command, (outcome) => done(copied(outcome)));
      default:
        return carryOutHub(this.#around, command, (outcome) => done(copied(outcome)));
    }
  }

  stir(run: Run): void {
    this.#stirred.add(run);
  }

  shown(run: Run): void {
    this.#around.shown(run);
  }

  loses(run: Run): boolean {
    return this.#around.loses?.(run) === true;
  }

  counted(run: Run, turn: readonly Batch[], end: End | null): void {
    this.#around.counted(run, turn, end);
  }

  lost(run: Run): void {
    if (this.runs.get(run.id)?.isInTurn === false) this.#around.tell(`${run.id} loses its turn`);
    this.#around.lost(run);
  }

  ended(run: Run, end: End, unread: readonly Entry[]): void {
    this.runs.delete(run.id);
    if (end.is === 'continued') this.#add(run.type, run.id, copy(end.value), unread);
    else this.#around.ended(run, end);
  }
}

function copied(outcome: Outcome): Outcome {
  return 'error' in outcome ? outcome : { value: copy(outcome.value) };
}

/** As it comes back from a payload. */
function copy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
