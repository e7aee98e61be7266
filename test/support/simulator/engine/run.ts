// One run of a workflow, as Temporal's server has it. A turn begins with what has happened and is over when
// no local activity is under way; only then it counts. A turn that is lost begins again with another instance
// that is told all that counts, and does its local activities once more.
import { inOrder, replayed, type Batch, type Said } from './batch.ts';
import type { Cancel } from './clockwork.ts';
import type { Command, Entry } from './exchange.ts';
import { Instance } from './instance.ts';
import type { Server } from './server.ts';

/** A turn that takes longer is cut in two, and what has happened meanwhile is heard. */
const HEARTBEAT_MS = 8_000;

export class Run {
  readonly id: string;
  readonly type: string;
  readonly start: unknown;
  isAlive = true;
  /** Turns are told from now on that the history is long. */
  isLong = false;
  readonly #server: Server;
  #instance: Instance;
  #log: Batch[] = [];
  #turn: { batches: Batch[]; commands: Map<number, Command>; cancelled: number[] } | null = null;
  #queue: Entry[] = [];
  #isCalled = false;
  #isReplaying = false;
  #isDoomed = false;
  readonly #locals = new Map<number, Cancel>();
  readonly #standing = new Map<number, Cancel>();
  /** The server forgets that a timer has fired when the turn that goes on meanwhile cancels it. */
  readonly #timers = new Set<number>();
  readonly #draws: number[] = [];
  #drawn = 0;

  constructor(
    server: Server,
    { id, type, start }: Pick<Run, 'id' | 'type' | 'start'>,
    queue: readonly Entry[] = [],
  ) {
    this.#server = server;
    this.id = id;
    this.type = type;
    this.start = start;
    this.#queue = [...queue];
    this.#instance = this.#made();
    this.#call();
  }

  get isInTurn(): boolean {
    return this.#turn !== null;
  }

  /** What has happened in the turn that is under way. */
  get turn(): readonly Batch[] {
    return this.#turn?.batches ?? [];
  }

  receive(entry: Entry): void {
    this.#queue.push(entry);
    this.#call();
  }

  query(name: string): unknown {
    return this.#instance.query(name);
  }

  /** After all promises have moved: goes on, ends the turn, or says that there is nothing to do. */
  progress(): boolean {
    if (this.#instance.unblock()) return true;
    const isOver = this.#instance.end !== null || this.#locals.size === 0;
    if (this.#turn !== null && isOver) this.#close();
    return false;
  }

  /** The worker loses its turn; gives what has to be waited for, or null if there is nothing to lose. */
  lose(settle: () => Promise<void>): Promise<void> | null {
    const turn = this.#turn;
    if (turn === null || this.#isReplaying) return null;
    for (const cancel of this.#locals.values()) cancel();
    this.#locals.clear();
    const heard = turn.batches
      .flatMap(({ entries }) => entries)
      .filter((entry) => entry.is !== 'result' || !entry.isLocal);
    this.#queue = [...heard, ...this.#queue];
    this.#turn = null;
    this.#isDoomed = false;
    this.#server.lost(this);
    return this.#replay(settle);
  }

  stop(): void {
    this.isAlive = false;
    for (const cancel of [...this.#locals.values(), ...this.#standing.values()]) cancel();
    this.#locals.clear();
    this.#standing.clear();
  }

  #made(): Instance {
    this.#drawn = 0;
    return new Instance({
      id: this.id,
      issue: (seq, command) => this.#issue(seq, command),
      cancel: (seq) => this.#cancel(seq),
      index: (index) => this.#say({ is: 'index', index }),
      isPatched: (id) => this.#server.isPatched?.(id) ?? true,
      patch: (id) => this.#say({ is: 'patch', id }),
      accept: (update) => this.#say({ is: 'accept', update }),
      answer: (update, outcome) => this.#say({ is: 'answer', update, outcome }),
      random: () => {
        this.#drawn += 1;
        return (this.#draws[this.#drawn - 1] ??= this.#server.random());
      },
      show: () => {
        if (!this.#isReplaying) this.#server.shown(this);
      },
    });
  }

  #call(): void {
    if (this.#isCalled || this.#turn !== null || this.#isReplaying || !this.isAlive) return;
    this.#isCalled = true;
    this.#server.after(this.#server.turnaround(), () => {
      this.#isCalled = false;
      if (this.isAlive && this.#turn === null && !this.#isReplaying) this.#open();
    });
  }

  #open(): void {
    const turn = { batches: [], commands: new Map(), cancelled: [] };
    this.#turn = turn;
    const isFirst = this.#log.length === 0;
    const unfinished = isFirst ? [] : this.#instance.locals().filter(([seq]) => !this.#locals.has(seq));
    this.#apply(this.#queue.splice(0), isFirst);
    for (const [seq, command] of unfinished) this.#startLocal(seq, command);
    this.#server.after(HEARTBEAT_MS, () => {
      if (this.#turn === turn && this.isAlive && this.#instance.end === null) this.#beat();
    });
  }

  /** The turn so far counts, and goes on with what has happened meanwhile. */
  #beat(): void {
    this.#count();
    const turn = { batches: [], commands: new Map(), cancelled: [] };
    this.#turn = turn;
    this.#apply(this.#queue.splice(0), false);
  }

  #apply(entries: readonly Entry[], isFirst: boolean): void {
    // A workflow task says when it begins whether the history is long; what follows from its local activities
    // hears nothing newer.
    const isLong = this.#turn?.batches[0]?.isLong ?? this.isLong;
    const batch = { at: this.#server.now(), isLong, entries, said: [] };
    this.#turn?.batches.push(batch);
    this.#tell(this.#instance, batch, isFirst);
    this.#server.stir(this);
  }

  #tell(instance: Instance, { at, isLong, entries }: Batch, isFirst: boolean): void {
    instance.now = at;
    instance.isLong = isLong;
    for (const entry of inOrder(entries)) instance.take(entry);
    if (isFirst) this.#server.begin(instance, this);
  }

  #say(said: Said): void {
    if (!this.#isReplaying) this.#turn?.batches.at(-1)?.said.push(said);
  }

  #issue(seq: number, command: Command): void {
    this.#say({ is: 'command', seq, command });
    if (this.#isReplaying) return;
    if (command.do === 'local') this.#startLocal(seq, command);
    else this.#turn?.commands.set(seq, command);
  }

  #startLocal(seq: number, command: Command): void {
    // Temporal replays two of them otherwise than they were: decision 4.
    if (this.#locals.size > 0 && this.#server.isPatched === undefined)
      throw new Error(`${this.id} has two local activities under way at once`);
    const cancel = this.#server.carryOut(this, command, (outcome) => {
      if (this.#locals.get(seq) !== cancel || !this.isAlive) return;
      this.#locals.delete(seq);
      this.#apply([{ is: 'result', seq, outcome, isLocal: true }], false);
    });
    this.#locals.set(seq, cancel);
  }

  #cancel(seq: number): void {
    this.#say({ is: 'cancel', seq });
    if (this.#isReplaying) return;
    if (this.#turn?.commands.delete(seq) !== true) this.#turn?.cancelled.push(seq);
  }

  #close(): void {
    const { end } = this.#instance;
    // Temporal does not let a workflow end that has not heard everything.
    const isUnheard = end !== null && end.is !== 'stuck' && this.#queue.length > 0;
    this.#isDoomed = !isUnheard && this.#server.loses?.(this) === true;
    if (isUnheard || this.#isDoomed) return this.#server.stir(this);
    if (end?.is === 'continued') this.#server.lost(this);
    this.#count();
    this.#turn = null;
    if (end === null) return this.#queue.length > 0 ? this.#call() : undefined;
    this.stop();
    this.#server.ended(this, end, this.#queue);
  }

  /** Whether its turn ends it although something has happened meanwhile, or its worker loses it. */
  get mustBeLost(): boolean {
    const isUnheard = this.#instance.end !== null && this.#queue.length > 0;
    return this.#turn !== null && (isUnheard || this.#isDoomed);
  }

  #count(): void {
    const turn = this.#turn;
    if (turn === null) return;
    this.#log.push(...turn.batches);
    this.#server.counted(this, turn.batches, this.#instance.end);
    for (const seq of turn.cancelled) {
      this.#standing.get(seq)?.();
      this.#standing.delete(seq);
      if (this.#timers.delete(seq)) this.#queue = this.#queue.filter((entry) => !isResultOf(entry, seq));
    }
    for (const [seq, command] of turn.commands) {
      const cancel = this.#server.carryOut(this, command, (outcome) => {
        if (!this.#standing.delete(seq) || !this.isAlive) return;
        this.receive({ is: 'result', seq, outcome, isLocal: false });
      });
      this.#standing.set(seq, cancel);
      if (command.do === 'wait') this.#timers.add(seq);
    }
  }

  async #replay(settle: () => Promise<void>): Promise<void> {
    this.#isReplaying = true;
    const instance = this.#made();
    this.#instance = instance;
    for (const [index, batch] of this.#log.entries()) {
      this.#tell(instance, replayed(batch), index === 0);
      do await settle();
      while (instance.unblock());
    }
    this.#isReplaying = false;
    this.#call();
  }
}

function isResultOf(entry: Entry, seq: number): boolean {
  return entry.is === 'result' && !entry.isLocal && entry.seq === seq;
}
