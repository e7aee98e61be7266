// The flags of `kubectl capp drain` and `plan`, and the spec of a Drain that they stand for.
import { type Command, InvalidArgumentError } from 'commander';
import type { DrainPriority, DrainSpec } from '../../../crds/drain/drain.ts';
import { wholeNumber } from '../command.ts';

export interface SpecFlags {
  readonly width?: number;
  readonly perTarget?: number;
  readonly rate?: number;
  readonly priority?: readonly DrainPriority[];
  readonly reason?: string;
}

export function withSpec(command: Command): Command {
  return command
    .option('--width <capps>', 'how many Capps may be on their way at once (50)', wholeNumber)
    .option('--per-target <capps>', 'how many of these to one site (25)', wholeNumber)
    .option('--rate <capps>', 'how many Capps may begin within a second (25)', wholeNumber)
    .option(
      '--priority <namespace[/name]=number>',
      'who goes first, from -1000 to 1000; may be repeated',
      priorities,
    )
    .option('--reason <text>', 'why the site is emptied, for people');
}

function priorities(text: string, before: readonly DrainPriority[] = []): DrainPriority[] {
  const [, namespace, name = '', number] = /^([^/=\s]+)(?:\/([^/=\s]+))?=(-?\d{1,4})$/.exec(text) ?? [];
  if (namespace === undefined || number === undefined)
    throw new InvalidArgumentError('Write shop=100 for a namespace, or shop/cart=100 for one Capp.');
  return [...before, { namespace, name, priority: Number(number) }];
}

/** Only what the flags say: all else stays as it is, or gets its default from the API server. */
export function specFrom({ width, perTarget, rate, priority, reason }: SpecFlags): Partial<DrainSpec> {
  const said = { width, perTarget, ratePerSecond: rate, priorities: priority, reason };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
