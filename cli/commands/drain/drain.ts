// `kubectl capp drain`: empties a site by a Drain, and shows how far it is.
import { DRAIN_LANES, type Drain } from '../../../crds/drain/drain.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import {
  changeDrain,
  checkSite,
  createDrain,
  deleteDrain,
  drainView,
  readDrain,
} from '../../hub/objects/drains.ts';
import { acting, inFormats, onHub, type CommandCall, type Program } from '../command.ts';
import { specFrom, withSpec } from './flags.ts';
import { followDrain, type FollowFlags } from './progress.ts';
import { plan, type PlanFlags } from './plan.ts';

interface Flags extends PlanFlags, FollowFlags {
  readonly dryRun?: true;
  readonly pause?: true;
  readonly resume?: true;
  readonly stop?: true;
  readonly again?: true;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

const HELP = `
Capps leave as many at once as the lanes allow: ${DRAIN_LANES.width.usual}, at most ${DRAIN_LANES.perTarget.usual} of them to one site.
Ctrl-C leaves the drain running. The same command shows it again, and changes
what its flags name. Nothing new is placed on the site before you end it with --stop.`;

export function addDrain(program: Program): void {
  withSpec(inFormats(onHub(program.root.command('drain'))))
    .description('move all Capps off a site, and show how far that is (for operators)')
    .argument('<site>', 'its name')
    .option('--dry-run', 'only say what would happen, as kubectl capp plan does')
    .option('--pause', 'tell no more Capps to leave; those on their way arrive')
    .option('--resume', 'let a paused drain go on')
    .option('--stop', 'end the drain, and open the site for new Capps')
    .option('--again', 'drain a site once more whose drain has ended')
    .option('--no-wait', 'only ask for the drain, and do not show it')
    .option('--timeout <duration>', 'how long to show it, such as 10m or 2h; the drain goes on')
    .addHelpText('after', HELP)
    .action(acting<Flags>(program, drain));
}

async function drain(call: CommandCall<Flags>): Promise<Exit> {
  const { args, flags, hub } = call;
  const [site = ''] = args;
  refuseContradictions(flags);
  if (flags.dryRun === true) return plan(call);
  const found = await readDrain(hub, site);
  if (flags.stop === true) return stop(call, site, found);
  if (found === null) {
    if (flags.pause === true || flags.resume === true) throw noDrain(site);
    await checkSite(hub, site);
    return begun(call, await createDrain(hub, site, specFrom(flags)));
  }
  return goOn(call, found);
}

/** Throws CommandFailure. */
function refuseContradictions({ dryRun, pause, resume, stop: ends, again }: Flags): void {
  const said = Object.entries({ 'dry-run': dryRun, pause, resume, stop: ends, again });
  const [one, other] = said.filter(([, isSaid]) => isSaid === true).map(([name]) => `--${name}`);
  if (one !== undefined && other !== undefined)
    throw new CommandFailure('usage', `${one} and ${other} do not go together: say one of them.`);
}

function noDrain(site: string): CommandFailure {
  return new CommandFailure('notFound', `${site} is not being drained. Begin: kubectl capp drain ${site}.`);
}

async function stop({ hub, terminal }: CommandCall<Flags>, site: string, found: Drain | null): Promise<Exit> {
  if (found === null) throw noDrain(site);
  await deleteDrain(hub, found);
  terminal.out(
    `Ended the drain of ${site}: Capps on their way arrive, all others stay where they are, and new ones may be placed on ${site} again.`,
  );
  return 'done';
}

/** A Drain is there: it goes on, as the flags say. */
async function goOn(call: CommandCall<Flags>, found: Drain): Promise<Exit> {
  const { flags, hub } = call;
  const { metadata, spec } = found;
  const view = drainView(found);
  const hasEnded = view.phase === 'Done' || view.phase === 'Stopped';
  if (hasEnded && flags.again === true) return begun(call, await onceMore(call, found));
  if (hasEnded) return followDrain(call, found);
  const wanted = {
    ...specFrom(flags),
    ...(spec.dryRun ? { dryRun: false } : {}),
    ...(flags.pause === true ? { paused: true } : {}),
    ...(flags.resume === true ? { paused: false } : {}),
  };
  const isChange = Object.keys(wanted).length > 0;
  const changed = isChange ? await changeDrain(hub, found, wanted) : found;
  if (flags.pause !== true) return begun(call, changed);
  call.terminal.out(
    `Paused the drain of ${metadata.name}: Capps on their way arrive, and no more are told to leave. Go on: kubectl capp drain ${metadata.name} --resume.`,
  );
  return 'done';
}

/** Another Drain in place of one that has ended. Throws what the hub says, and then there is none. */
async function onceMore({ flags, hub, terminal }: CommandCall<Flags>, found: Drain): Promise<Drain> {
  const { name } = found.metadata;
  await deleteDrain(hub, found);
  return createDrain(hub, name, { ...again(found), ...specFrom(flags) }).catch((error: unknown) => {
    terminal.note(
      `The earlier Drain of ${name} is deleted, and there is no new one: new Capps may be placed on ${name}.`,
    );
    throw error;
  });
}

/** What the earlier Drain asked for; the new one is neither a dry run nor paused. */
function again({ spec }: Drain): Partial<Drain['spec']> {
  const { dryRun: _dry, paused: _paused, ...asked } = spec;
  return asked;
}

async function begun(call: CommandCall<Flags>, made: Drain): Promise<Exit> {
  const { name } = made.metadata;
  if (call.flags.wait) return followDrain(call, made);
  call.terminal.out(`Asked the hub to drain ${name}. See how far it is: kubectl capp drain ${name}.`);
  return 'done';
}
