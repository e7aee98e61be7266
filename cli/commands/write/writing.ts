// What commands share that create or edit objects: dry runs, and how what was written is shown.
import { Option, type Command } from 'commander';
import type { KubeObject } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import type { DryRun } from '../../hub/write/write.ts';
import { formatFrom, print } from '../../show/output.ts';
import type { Terminal } from '../../terminal.ts';

export interface WriteFlags {
  readonly dryRun?: 'client' | 'server';
  readonly output?: string;
}

export function writing(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--dry-run <how>',
        'client: send nothing; server: let the hub check it, and store nothing',
      ).choices(['client', 'server']),
    )
    .option('-o, --output <format>', 'show the object: yaml, json');
}

export function dryRunOf({ dryRun }: WriteFlags): DryRun {
  return dryRun ?? null;
}

/** Throws CommandFailure for a format that is no file of Kubernetes, before anything is written. */
export function checkOutput({ output }: WriteFlags): void {
  if (formatFrom(output) === 'wide')
    throw new CommandFailure('usage', '-o wide shows nothing here: use -o yaml or -o json.');
}

const HOW = {
  client: 'Nothing was sent: --dry-run=server asks the hub whether it would take it.',
  server: 'Nothing was stored.',
} as const;

/** `done` says what was done, `would` what would be; `next` is what to do then. */
export function showWritten(
  terminal: Terminal,
  flags: WriteFlags,
  object: KubeObject,
  { done, would, next }: { readonly done: string; readonly would: string; readonly next: string },
): void {
  const dryRun = dryRunOf(flags);
  print(terminal, formatFrom(flags.output), shown(object), () =>
    dryRun === null ? `${done} ${next}`.trim() : `${would} ${HOW[dryRun]}`,
  );
}

/** As kubectl shows it: without what only appliers need. */
function shown(object: KubeObject): object {
  const { managedFields: _fields, ...metadata } = object.metadata as KubeObject['metadata'] & {
    managedFields?: unknown;
  };
  return { ...object, metadata };
}
