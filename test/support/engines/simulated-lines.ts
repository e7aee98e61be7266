// The commands that a workflow gave the simulator's engine, as text.
import { msToNumber } from '@temporalio/common';
import { agentQueue, HUB_QUEUE } from '../../../workflows/names.ts';
import { TERMS } from '../../../workflows/engine/proxies.ts';
import type { Batch, Index, Said } from '../simulator/engine/batch.ts';
import type { Command, End } from '../simulator/engine/exchange.ts';
import { Lines, type Terms } from './lines.ts';

/** The simulator numbers timers and activities together, from one on; Temporal each by themselves. */
export class Numbers {
  readonly #known = new Map<number, { readonly what: 'timer' | 'activity'; readonly number: number }>();
  readonly #counts = { timer: 0, activity: 0 };

  note(seq: number, command: Command): number {
    const what = command.do === 'wait' ? 'timer' : 'activity';
    this.#counts[what] += 1;
    this.#known.set(seq, { what, number: this.#counts[what] });
    return this.#counts[what];
  }

  of(seq: number): { readonly what: 'timer' | 'activity'; readonly number: number } {
    const known = this.#known.get(seq);
    if (known === undefined) throw new Error(`nobody has begun ${seq}`);
    return known;
  }
}

/** One text for each activation, which is one batch, or what Temporal makes one of. */
export function simulatedLines(
  activations: readonly (readonly Batch[])[],
  end: End | null,
  index?: Index,
): readonly string[] {
  const lines = new Lines(index);
  const numbers = new Numbers();
  for (const batches of activations) {
    lines.begin(batches[0]?.at ?? null);
    for (const said of batches.flatMap((batch) => batch.said)) addSaid(lines, numbers, said);
  }
  if (end !== null) addEnd(lines, end);
  return lines.texts;
}

function addEnd(lines: Lines, end: End): void {
  if ('error' in end) lines.ends('fails', end.error.message);
  else lines.ends(end.is === 'done' ? 'completes' : 'continues', end.value);
}

function addSaid(lines: Lines, numbers: Numbers, said: Said): void {
  switch (said.is) {
    case 'command':
      return addCommand(lines, numbers.note(said.seq, said.command), said.command);
    case 'cancel': {
      const { what, number } = numbers.of(said.seq);
      return lines.cancels(what, number);
    }
    case 'index':
      return lines.index(said.index.site, said.index.phase);
    case 'patch':
      return lines.patches(said.id);
    case 'accept':
      return lines.accepts();
    case 'answer':
      return 'error' in said.outcome
        ? lines.refuses(said.outcome.error.message)
        : lines.answers(said.outcome.value);
  }
}

function addCommand(lines: Lines, number: number, command: Command): void {
  if (command.do === 'wait') return lines.timer(number, command.ms);
  const { name, given } = command;
  if (command.do === 'agent')
    return lines.activity(number, `on ${agentQueue(command.cluster)}`, { name, given, terms: null });
  const on = command.do === 'local' ? 'at once' : `on ${HUB_QUEUE}`;
  lines.activity(number, on, { name, given, terms: termsOf(command.terms) });
}

function termsOf(name: keyof typeof TERMS): Terms {
  const { startToCloseTimeout, retry } = TERMS[name];
  return {
    tryMs: msToNumber(startToCloseTimeout),
    tries: 'maximumAttempts' in retry ? retry.maximumAttempts : 0,
  };
}
