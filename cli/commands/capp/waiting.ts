// What commands share that ask the person or wait for the hub.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { durationFrom, type GoalEnd } from '../../explain/capp/goal.ts';
import type { Exit } from '../../exit.ts';
import { follow } from '../../hub/follow/follow.ts';
import { span } from '../../show/age.ts';
import { printable } from '../../show/printable.ts';
import type { CommandCall } from '../command.ts';

export interface TimeoutFlag {
  /** Milliseconds. */
  readonly timeout: number;
}

const TEN_MINUTES = 600_000;

export function timeout(command: Command): Command {
  return command.addOption(
    new Option('--timeout <duration>', 'how long to wait, such as 90s, 10m or 2h')
      .default(TEN_MINUTES, '10m')
      .argParser(milliseconds),
  );
}

function milliseconds(text: string): number {
  const found = durationFrom(text);
  if (found === null) throw new InvalidArgumentError('Write 90s, 10m or 2h.');
  return found;
}

/** True at once with `--yes`. Throws CommandFailure if nobody can be asked. */
export async function confirmed(
  { flags, terminal }: CommandCall<{ readonly yes?: true }>,
  question: string,
): Promise<boolean> {
  if (flags.yes === true || (await terminal.confirm(question))) return true;
  terminal.note('Nothing was changed.');
  return false;
}

/** Prints how it ended; `what` begins the sentence for a time that is over. */
export async function waitFor(
  { hub, flags, terminal }: CommandCall<TimeoutFlag>,
  { metadata: { namespace = '', name } }: Capp,
  judge: (capp: Capp | null) => GoalEnd | null,
  what: string,
): Promise<Exit> {
  const { interrupted } = terminal;
  const target = { resource: CAPP, namespace, name };
  const found = await follow(hub, target, (capp) => judge(capp as Capp | null) ?? undefined, {
    withinMs: flags.timeout,
    signal: interrupted,
  });
  if (found !== null) {
    const isReached = found.is === 'reached';
    (isReached ? terminal.out : terminal.note)(printable(found.sentence));
    return isReached ? 'done' : 'notSo';
  }
  const how = interrupted.aborted ? 'You stopped waiting' : `That is not so after ${span(flags.timeout)}`;
  terminal.note(`${how}, and nothing was undone: ${what}. See why: kubectl capp why ${name} -n ${namespace}`);
  return interrupted.aborted ? 'interrupted' : 'notSo';
}
