// Gives a workflow on the simulator's engine, activation by activation, what it was given on Temporal's own.
import { setImmediate as whenIdle } from 'node:timers/promises';
import { defaultFailureConverter } from '@temporalio/common';
import { payloadConverter } from '../../../workflows/parse/payload-converter.ts';
import type { Batch, Index, Said } from '../simulator/engine/batch.ts';
import type { Command, Done, End, Entry, Outcome } from '../simulator/engine/exchange.ts';
import { Run } from '../simulator/engine/run.ts';
import type { Server } from '../simulator/engine/server.ts';
import { LIVES } from '../simulator/engine/temporal.ts';
import { indexOf, valuesOf } from './temporal-lines.ts';
import { Numbers, simulatedLines } from './simulated-lines.ts';
import type { Activation } from './record-activations.ts';

type Job = Activation['jobs'][number];
type Resolution = NonNullable<Job['resolveActivity']>['result'];

const TURNAROUND_MS = 0;

/**
 * The commands of the simulator's engine as text, by activation; null for a workflow that the simulator does
 * not run.
 */
export async function simulatedOn(activations: readonly Activation[]): Promise<readonly string[] | null> {
  const begun = activations[0]?.jobs.find(({ initializeWorkflow }) => initializeWorkflow)?.initializeWorkflow;
  const type = begun?.workflowType ?? '';
  if (!Object.hasOwn(LIVES, type)) return null;
  const giver = new Giver({ id: begun?.workflowId ?? '', type, start: valuesOf(begun?.arguments)[0] });
  for (const activation of activations) await giver.give(activation);
  return giver.lines(indexOf(begun?.searchAttributes));
}

/** The server of one run, which does nothing by itself. */
class Giver {
  readonly #run: Run;
  /** How to end what is under way, by "timer 1" or "activity 1". */
  readonly #begun = new Map<string, Done>();
  readonly #counted: Batch[] = [];
  /** By activation of Temporal's engine. */
  readonly #activations: Batch[][] = [];
  readonly #patches = new Set<string>();
  #now = 0;
  #end: End | null = null;
  /** How to begin a workflow task, and how to go on with one whose local activities take long. */
  #open: () => void = () => undefined;
  #beat: () => void = () => undefined;

  constructor(start: Pick<Run, 'id' | 'type' | 'start'>) {
    this.#run = new Run(this.#server(), start);
  }

  async give({ at, isLong, jobs, commands }: Activation): Promise<void> {
    // What was cancelled with the run is resolved after it.
    if (this.#end !== null) return;
    const before = this.#batches;
    this.#now = at;
    this.#run.isLong = isLong;
    for (const { notifyHasPatch } of jobs)
      if (notifyHasPatch?.patchId) this.#patches.add(notifyHasPatch.patchId);
    // Beyond what is replayed nobody is told: there each patch is in force.
    for (const { setPatchMarker } of commands)
      if (setPatchMarker?.patchId) this.#patches.add(setPatchMarker.patchId);
    const results = jobs.flatMap((job) => this.#resultOf(job));
    const messages = jobs.flatMap(messageOf);
    const locals = results.filter(({ isLocal }) => isLocal);
    for (const entry of messages) this.#run.receive(entry);
    for (const { done, outcome } of results.filter(({ isLocal }) => !isLocal)) done(outcome);
    if (
      locals.length < results.length ||
      messages.length > 0 ||
      jobs.some(({ initializeWorkflow }) => initializeWorkflow)
    )
      (this.#run.isInTurn ? this.#beat : this.#open)();
    for (const { done, outcome } of locals) done(outcome);
    do await whenIdle();
    while (this.#run.progress());
    this.#activations.push([...this.#batches].filter((batch) => !before.has(batch)));
  }

  lines(index: Index | undefined): readonly string[] {
    return simulatedLines(this.#activations, this.#end, index);
  }

  get #batches(): ReadonlySet<Batch> {
    return new Set([...this.#counted, ...this.#run.turn]);
  }

  #server(): Server {
    return {
      now: () => this.#now,
      after: (ms, what) => {
        if (ms === TURNAROUND_MS) this.#open = what;
        else this.#beat = what;
        return () => undefined;
      },
      turnaround: () => TURNAROUND_MS,
      begin: (instance, { type, start }) => instance.begin(LIVES[type as keyof typeof LIVES], start),
      carryOut: (_run, command, done) => this.#carryOut(command, done),
      stir: () => undefined,
      ended: () => undefined,
      shown: () => undefined,
      lost: () => undefined,
      random: () => 0.5,
      isPatched: (id) => this.#patches.has(id),
      counted: (_run, turn, end) => {
        this.#counted.push(...turn);
        this.#end = end;
      },
    };
  }

  #carryOut(command: Command, done: Done): () => void {
    const numbers = new Numbers();
    const said = [...this.#batches].flatMap((batch) => batch.said);
    for (const one of said) if (one.is === 'command') numbers.note(one.seq, one.command);
    const { seq } = said.find((one) => one.is === 'command' && one.command === command) as Extract<
      Said,
      { is: 'command' }
    >;
    const { what, number } = numbers.of(seq);
    this.#begun.set(`${what} ${number}`, done);
    return () => undefined;
  }

  #resultOf({
    fireTimer,
    resolveActivity,
  }: Job): { readonly done: Done; readonly outcome: Outcome; readonly isLocal: boolean }[] {
    if (!fireTimer && !resolveActivity) return [];
    const outcome: Outcome = resolveActivity ? outcomeOf(resolveActivity.result) : { value: undefined };
    const done = this.#begun.get(fireTimer ? `timer ${fireTimer.seq}` : `activity ${resolveActivity?.seq}`);
    if (done === undefined && resolveActivity?.result?.cancelled) return [];
    if (done === undefined)
      throw new Error(`the simulator's engine has not begun ${JSON.stringify(fireTimer ?? resolveActivity)}`);
    return [{ done, outcome, isLocal: resolveActivity?.isLocal === true }];
  }
}

function messageOf({ signalWorkflow, doUpdate }: Job): Entry[] {
  if (signalWorkflow)
    return [{ is: 'signal', name: signalWorkflow.signalName ?? '', given: valuesOf(signalWorkflow.input) }];
  if (doUpdate)
    return [
      { is: 'update', name: doUpdate.name ?? '', given: valuesOf(doUpdate.input), reply: () => undefined },
    ];
  return [];
}

function outcomeOf(result: Resolution): Outcome {
  if (result?.completed)
    return { value: valuesOf(result.completed.result ? [result.completed.result] : [])[0] };
  const failure = result?.failed?.failure ?? result?.cancelled?.failure;
  if (!failure) throw new Error(`nothing is known of ${JSON.stringify(result)}`);
  return { error: defaultFailureConverter.failureToError(failure, payloadConverter) };
}
