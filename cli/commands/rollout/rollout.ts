// `kubectl capp rollout`: how far a CappSet or a Bundle is with its newest revision, and what people may ask
// of that.
import { CommandFailure, type Exit } from '../../exit.ts';
import { rolloutView } from '../../explain/set/rollout.ts';
import {
  abort,
  approve,
  approveRemoval,
  pause,
  resume,
  retry,
  undo,
  type RolloutAct,
} from '../../hub/acts/rollout.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import { planOf, steeredFromFile, type NameInFile } from '../../hub/plan/rollout-plan.ts';
import { kindIn } from '../../hub/objects/capps.ts';
import { FLEETS, readSteered, spelled, type SteeredFleet } from '../../hub/objects/steered.ts';
import { formatFrom, print } from '../../show/output.ts';
import { rolloutPlanText } from '../../show/rollout-plan.ts';
import { acting, inFormats, onHub, type CommandCall, type Program } from '../command.ts';
import { rolloutText } from './view.ts';

interface Flags {
  readonly output?: string;
  readonly filename?: string;
  readonly to?: string;
}

const WHAT = [
  '<set>',
  'the name of a CappSet or a Bundle, namespace/name, or bundle/<name> where both have it',
] as const;

export function addRollout(program: Program): void {
  const root = program.root
    .command('rollout')
    .description(
      'how far a CappSet or a Bundle is on its sites, and its plan; approve, pause, abort, retry, undo',
    );
  inFormats(onHub(root.command('status')))
    .description('show each stage, what the rollout waits for, and what would help')
    .argument(...WHAT)
    .action(acting<Flags>(program, status));
  inFormats(onHub(root.command('plan')))
    .description('show which site would change when and how, by an edit or as the set is, and change nothing')
    .argument(
      '[set]',
      'its name, namespace/name, or bundle/<name> where a CappSet has it too; that of the file if not given',
    )
    .option('-f, --filename <file>', 'the CappSet or the Bundle as it would be; - for standard input')
    .action(acting<Flags>(program, plan));
  const add = (name: string, about: string, act: RolloutAct) =>
    onHub(root.command(name))
      .description(about)
      .argument(...WHAT)
      .action(acting<Flags>(program, (call) => said(call, act)));
  add(
    'approve',
    'let a stage begin that waits for approval, or pass whose checks came to no verdict',
    approve,
  ).argument('[stage]', 'its name; the one that waits if not given');
  add(
    'approve-removal',
    'let sites be left whose removal is held, because they are many',
    approveRemoval,
  ).argument('<number>', 'how many at most');
  add('pause', 'change no site until you resume it', pause);
  add('resume', 'let a paused rollout go on', resume);
  add('abort', 'give this revision to no further site', abort);
  add('retry', 'try sites that failed once more, and have checks made again', retry).argument(
    '[site]',
    'its name; all sites if not given',
  );
  add('undo', 'go back: give it the template or the manifests of an earlier revision', undo).option(
    '--to <revision>',
    'the name of the revision, or how it begins; the last one before that all sites had if not given',
  );
}

async function status({ args, flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const format = formatFrom(flags.output);
  const view = rolloutView(await readSteered(hub, args[0] ?? ''));
  print(terminal, format, view, () => rolloutText(view));
  return 'done';
}

async function plan({ args: [name], flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const format = formatFrom(flags.output);
  const { filename } = flags;
  if (name === undefined && filename === undefined)
    throw new CommandFailure('usage', 'Name a CappSet or a Bundle, or a file with one: -f <file>.');
  const steered = await asItWouldBe(hub, name, filename);
  const answer = await planOf(hub, steered);
  const { colours } = terminal;
  print(terminal, format, answer, (isWide) => rolloutPlanText(answer, { is: steered.is, isWide, colours }));
  return 'done';
}

/**
 * Labels and annotations are no part of a rollout, so those of the file are left out where the object is
 * there.
 */
async function asItWouldBe(
  hub: ConnectedHub,
  name: string | undefined,
  file: string | undefined,
): Promise<SteeredFleet> {
  if (file === undefined) return readSteered(hub, name ?? '');
  const given = await steeredFromFile(file, wantedBy(name), namespaceIn(name) ?? hub.namespace);
  const found = await readAsGiven(hub, given).catch((error: unknown) => {
    if (error instanceof CommandFailure && error.exit === 'notFound') return null;
    throw error;
  });
  return found === null
    ? given
    : ({ ...found, object: { ...found.object, spec: given.object.spec } } as SteeredFleet);
}

/** A name without a kind means whichever of the two the file has. */
function wantedBy(name: string | undefined): NameInFile {
  if (name === undefined) return { is: null, name: null };
  return { is: kindIn(name, FLEETS), name: name.split('/').at(-1) ?? null };
}

/** That of `<namespace>/<set>`; null where the name has none. */
function namespaceIn(name = ''): string | null {
  const [first = '', second] = name.split('/');
  return second === undefined || kindIn(name, FLEETS) !== null ? null : first;
}

/** Of the same kind: another object of that name has nothing to do with the file. */
function readAsGiven(hub: ConnectedHub, { is, object: { metadata } }: SteeredFleet): Promise<SteeredFleet> {
  const { namespace = '', name } = metadata;
  return readSteered({ ...hub, namespace }, `${is.toLowerCase()}/${name}`);
}

async function said(
  { args: [name = '', what], flags, hub, terminal }: CommandCall<Flags>,
  act: RolloutAct,
): Promise<Exit> {
  const steered = await readSteered(hub, name);
  const { namespace } = steered.object.metadata;
  const sentence = await act(hub, steered, what ?? flags.to);
  terminal.out(
    `${namespace}/${steered.object.metadata.name}: ${sentence} See how far it is: kubectl capp rollout status ${spelled(steered)} -n ${namespace}`,
  );
  return 'done';
}
