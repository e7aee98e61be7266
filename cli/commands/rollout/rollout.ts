// `kubectl capp rollout`: how far a CappSet or a Bundle is with its newest revision, and what people may ask
// of that.
import { randomUUID } from 'node:crypto';
import { ABORT, APPROVE, APPROVE_REMOVAL, PAUSED, RETRY } from '../../../crds/labels.ts';
import { isSameRevision, shownRevision } from '../../../crds/rollout/revision.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { annotateObject } from '../../hub/annotate.ts';
import type { Hub } from '../../hub/connection/hub.ts';
import { planOf, steeredFromFile, type Wanted } from '../../hub/rollout-plan.ts';
import { earlierOf, readSteered, spelled, type Steered } from '../../hub/steered.ts';
import { formatFrom, print } from '../../show/output.ts';
import { rolloutPlanText } from '../../show/rollout-plan.ts';
import { acting, inFormats, onHub, type Call, type Program } from '../command.ts';
import { rolloutText, rolloutView } from './view.ts';

interface Flags {
  readonly output?: string;
  readonly filename?: string;
  readonly to?: string;
}

type Verb = (call: Call<Flags>, steered: Steered) => Promise<string>;

const WHAT = ['<set>', 'the name of a CappSet, namespace/name, or bundle/<name>'] as const;

export function addRollout(program: Program): void {
  const root = program.root
    .command('rollout')
    .description('steer how a CappSet or a Bundle changes its sites, stage by stage');
  inFormats(onHub(root.command('status')))
    .description('show each stage, what the rollout waits for, and what would help')
    .argument(...WHAT)
    .action(acting<Flags>(program, status));
  inFormats(onHub(root.command('plan')))
    .description('show which site would change when and how, by an edit or as the set is, and change nothing')
    .argument('[set]', 'its name, namespace/name, or bundle/<name>; that of the file if not given')
    .option('-f, --filename <file>', 'the CappSet or the Bundle as it would be; - for standard input')
    .action(acting<Flags>(program, plan));
  const add = (name: string, about: string, verb: Verb) =>
    onHub(root.command(name))
      .description(about)
      .argument(...WHAT)
      .action(acting<Flags>(program, (call) => said(call, verb)));
  add('approve', 'let a stage begin that waits for approval', approve).argument(
    '[stage]',
    'its name; the one that waits if not given',
  );
  add('approve-removal', 'let sites be left whose removal is held, because they are many', allow).argument(
    '<number>',
    'how many at most',
  );
  add('pause', 'change no site until you resume it', pause);
  add('resume', 'let a paused rollout go on', resume);
  add('abort', 'give this revision to no further site', abort);
  add('retry', 'give sites that failed their deadline once more', retry).argument(
    '[site]',
    'its name; all sites if not given',
  );
  add('undo', 'give it the template or the manifests of an earlier revision', undo).option(
    '--to <revision>',
    'the name of the revision, or how it begins; the last one before that all sites had if not given',
  );
}

async function status({ args, flags, hub, terminal }: Call<Flags>): Promise<Exit> {
  const format = formatFrom(flags.output);
  const view = rolloutView(await readSteered(hub, args[0] ?? ''));
  print(terminal, format, view, () => rolloutText(view));
  return 'done';
}

async function plan({ args: [name], flags, hub, terminal }: Call<Flags>): Promise<Exit> {
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
async function asItWouldBe(hub: Hub, name: string | undefined, file: string | undefined): Promise<Steered> {
  if (file === undefined) return readSteered(hub, name ?? '');
  const given = await steeredFromFile(file, wantedBy(name), namespaceIn(name) ?? hub.namespace);
  const found = await readAsGiven(hub, given).catch((error: unknown) => {
    if (error instanceof CommandFailure && error.exit === 'notFound') return null;
    throw error;
  });
  return found === null
    ? given
    : ({ ...found, object: { ...found.object, spec: given.object.spec } } as Steered);
}

/** As `readSteered` takes a name: without a kind it is that of a CappSet. */
function wantedBy(name: string | undefined): Wanted {
  if (name === undefined) return { is: null, name: null };
  return { is: /^bundles?\//i.test(name) ? 'Bundle' : 'CappSet', name: name.split('/').at(-1) ?? null };
}

/** That of `<namespace>/<set>`; null where the name has none. */
function namespaceIn(name = ''): string | null {
  const [first = '', second] = name.split('/');
  return second === undefined || /^(?:cappset|bundle)s?$/i.test(first) ? null : first;
}

function readAsGiven(hub: Hub, { is, object: { metadata } }: Steered): Promise<Steered> {
  const { namespace = '', name } = metadata;
  return is === 'Bundle'
    ? readSteered({ ...hub, namespace }, `bundle/${name}`)
    : readSteered(hub, `${namespace}/${name}`);
}

async function said(call: Call<Flags>, verb: Verb): Promise<Exit> {
  const steered = await readSteered(call.hub, call.args[0] ?? '');
  const { namespace, name } = steered.object.metadata;
  const sentence = await verb(call, steered);
  call.terminal.out(
    `${namespace}/${name}: ${sentence} See how far it is: kubectl capp rollout status ${spelled(steered)} -n ${namespace}`,
  );
  return 'done';
}

const approve: Verb = async ({ args: [, named], hub }, steered) => {
  const { revision, stages } = rolloutView(steered);
  const guarded = (steered.object.spec.strategy.stages ?? []).filter(
    ({ approval }) => approval === 'Required',
  );
  const isWaiting = (name: string): boolean =>
    stages.some((one) => one.name === name && one.state === 'Waiting');
  const stage = named ?? guarded.find(({ name }) => isWaiting(name))?.name;
  if (stage === undefined) throw new CommandFailure('failed', 'No stage waits for approval.');
  if (!guarded.some(({ name }) => name === stage)) {
    const names = guarded.map(({ name }) => name).join(', ');
    const which = names === '' ? 'No stage of it needs approval' : `These stages need approval: ${names}`;
    throw new CommandFailure('usage', `Stage ${stage} needs no approval. ${which}.`);
  }
  await ask(hub, steered, { [APPROVE]: approvalOf(steered, `${stage}#${known(revision)}`) });
  return `approved stage ${stage} for revision ${shownRevision(revision)}.`;
};

/** A retry from the first stage asks for approvals once more, and one that stands there has counted. */
function approvalOf({ object: { metadata } }: Steered, wanted: string): string {
  const before = metadata.annotations?.[APPROVE] ?? '';
  return before === wanted || before.startsWith(`${wanted}/`) ? `${wanted}/${anId()}` : wanted;
}

const allow: Verb = async ({ args: [, given = ''], hub }, steered) => {
  if (!/^[1-9]\d{0,5}$/.test(given))
    throw new CommandFailure('usage', `"${given}" is no number of sites: write a whole number above 0.`);
  const held = steered.object.status?.heldRemoval;
  if (held === undefined)
    throw new CommandFailure(
      'failed',
      'No removal waits for a person. Look again when Stalled says RemovalHeld.',
    );
  await ask(hub, steered, { [APPROVE_REMOVAL]: `${given}#${held.set}/${anId()}` });
  return `allowed the removal from at most ${given} of the ${held.count} sites that are no longer selected now. If others are to go by then, it asks again.`;
};

const pause: Verb = async ({ hub }, steered) => {
  await ask(hub, steered, { [PAUSED]: 'true' });
  return 'paused. No site is changed, and what is under way goes on.';
};

const resume: Verb = async ({ hub }, steered) => {
  if (steered.object.spec.paused)
    throw new CommandFailure(
      'failed',
      `It is paused by spec.paused: set that to false in the ${steered.is}.`,
    );
  await ask(hub, steered, { [PAUSED]: null });
  return 'goes on.';
};

const abort: Verb = async ({ hub }, steered) => {
  const { revision } = rolloutView(steered);
  await ask(hub, steered, { [ABORT]: `${known(revision)}#${anId()}` });
  return `asked to stop. No further site gets revision ${shownRevision(revision)}; those that have it keep it.`;
};

const retry: Verb = async ({ args: [, site = ''], hub }, steered) => {
  await ask(hub, steered, { [RETRY]: `${site}#${anId()}` });
  return `asked to try ${site === '' ? 'all sites that failed' : site} again.`;
};

const undo: Verb = async ({ flags, hub }, steered) => {
  const { revision, settled, before } = rolloutView(steered);
  const kept = await earlierOf(hub, steered);
  const wanted = settled === revision ? before : settled;
  const those = kept.filter((one) =>
    flags.to === undefined ? isSameRevision(one.revision, wanted) : one.revision.startsWith(flags.to),
  );
  const [target] = those;
  if (target === undefined || !those.every((one) => isSameRevision(one.revision, target.revision))) {
    const names = kept.map((one) => one.revision).join(', ');
    const what =
      flags.to === undefined
        ? 'no earlier revision that all sites had'
        : `no revision ${flags.to}${target === undefined ? '' : ' but several that begin so'}`;
    const remedy = names === '' ? 'The hub keeps none.' : `Name one with --to; the hub keeps: ${names}.`;
    throw new CommandFailure('notFound', `There is ${what}. ${remedy}`);
  }
  await target.restore();
  return `has the ${steered.is === 'Bundle' ? 'manifests' : 'template'} of revision ${shownRevision(target.revision)} again.`;
};

async function ask(
  hub: Call<Flags>['hub'],
  { resource, object }: Steered,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  await annotateObject<KubeObject>(hub, resource, object, annotations);
}

/** Throws CommandFailure before the hub has looked at it. */
function known(revision: string): string {
  if (revision !== '') return revision;
  throw new CommandFailure('failed', 'The hub has not looked at it yet: try again in a moment.');
}

function anId(): string {
  return randomUUID().slice(0, 8);
}
