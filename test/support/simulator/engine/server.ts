// What a run of a workflow asks of the server and the workers around it.
import type { Batch } from './batch.ts';
import type { Cancel } from './clockwork.ts';
import type { Command, Done, End, Entry } from './exchange.ts';
import type { Instance } from './instance.ts';
import type { Run } from './run.ts';

export interface Server {
  now(): number;
  after(ms: number, what: () => void): Cancel;
  /** How long until a worker takes the turn up. */
  turnaround(): number;
  begin(instance: Instance, run: Run): void;
  /** Does what a workflow asks; `done` is called once, unless it is cancelled before. */
  carryOut(run: Run, command: Command, done: Done): Cancel;
  /** Something has happened to the run: what follows from it in promises is to be waited for. */
  stir(run: Run): void;
  ended(run: Run, end: End, unread: readonly Entry[]): void;
  /** For the rules: what it does next; what it has done since counts; or never was. */
  shown(run: Run): void;
  counted(run: Run, turn: readonly Batch[], end: End | null): void;
  lost(run: Run): void;
  /** Whether the turn that would count now is lost: asked once. */
  loses?(run: Run): boolean;
  random(): number;
  /** Of a history that an earlier build may have written; else every patch is in force. */
  isPatched?(id: string): boolean;
}
