// `kubectl capp rollback`: gives a Capp the spec of an earlier revision, as a write of the person's own.
import { randomUUID } from 'node:crypto';
import type { Capp } from '../../../crds/capp/capp.ts';
import { numberOf, type CappRevision } from '../../../crds/capp-revision.ts';
import { ROLLBACK } from '../../../crds/labels.ts';
import { containsAll } from '../../../kube/resource.ts';
import { changesBetween, inWords } from '../../explain/changes.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { annotate, readCapp } from '../../hub/objects/capps.ts';
import { revisionsOf } from '../../hub/objects/revisions.ts';
import { acting, onHub, wholeNumber, type CommandCall, type Program } from '../command.ts';

interface Flags {
  readonly to?: number;
  readonly reason?: string;
}

export function addRollback(program: Program): void {
  onHub(program.root.command('rollback'))
    .description(
      'go back: give a Capp the spec of an earlier revision (rollout undo for a CappSet or a Bundle)',
    )
    .argument('<capp>', 'its name, or namespace/name')
    .option(
      '--to <revision>',
      'the number of the revision; the last one with another spec if not given',
      wholeNumber,
    )
    .option('--reason <text>', 'why, for the status and the audit: at most 256 characters')
    .action(acting<Flags>(program, rollback));
}

async function rollback({ args, flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const capp = await readCapp(hub, args[0] ?? '');
  const { namespace = '', name } = capp.metadata;
  const target = targetOf(capp, await revisionsOf(hub, capp), flags.to);
  const to = numberOf(target);
  const spec = target.spec?.cappTemplate.cappSpec;
  const changes = changesBetween(capp.spec, spec);
  if (changes.length === 0) {
    terminal.out(`${namespace}/${name} has the spec of revision ${to} already.`);
    return 'done';
  }
  const after = await annotate(hub, capp, { [ROLLBACK]: requestFor(to, flags.reason) });
  if (!containsAll(after.spec, spec))
    throw new CommandFailure(
      'failed',
      "Nothing was rolled back: the hub's webhook did not act on the request. Whoever runs the hub should look at it: kubectl capp doctor.",
    );
  terminal.out(
    `${namespace}/${name} has the spec of revision ${to} again, as generation ${after.metadata.generation}: ${inWords(changes)}. Follow it: kubectl capp watch ${name} -n ${namespace}`,
  );
  return 'done';
}

/** Throws CommandFailure if there is none. */
function targetOf(
  { spec, metadata: { name, namespace, generation = 0 } }: Capp,
  revisions: readonly CappRevision[],
  to: number | undefined,
): CappRevision {
  const earlier = revisions.filter((one) => numberOf(one) < generation);
  const found =
    to === undefined
      ? earlier.find((one) => changesBetween(spec, one.spec?.cappTemplate.cappSpec).length > 0)
      : revisions.find((one) => numberOf(one) === to);
  if (found !== undefined) return found;
  const numbers = revisions.map(numberOf).join(', ');
  const what = to === undefined ? 'no earlier revision with another spec' : `no revision ${to}`;
  const noun = revisions.length > 1 ? 'revisions' : 'revision';
  const kept = numbers === '' ? 'The hub keeps none of it' : `The hub keeps ${noun} ${numbers}`;
  throw new CommandFailure(
    'notFound',
    `There is ${what} of ${namespace}/${name}. ${kept}: kubectl capp history ${name} -n ${namespace}.`,
  );
}

/**
 * Each call asks anew. Throws CommandFailure for a reason that cannot be written into an annotation's line.
 */
function requestFor(to: number, reason: string | undefined): string {
  const id = randomUUID().slice(0, 8);
  if (reason === undefined || reason === '') return `${to}#${id}`;
  if (reason.length > 256 || /[\r\n]/.test(reason))
    throw new CommandFailure('usage', 'A reason is one line of at most 256 characters: shorten it.');
  return `${to}#${id} ${reason}`;
}
