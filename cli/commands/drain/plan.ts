// `kubectl capp plan`: what a drain of a site would do, by a Drain that is a dry run and is taken away again;
// or what its loss, a taint or an edit of what selects sites would, by the hub's own functions.
import type { Drain } from '../../../crds/drain/drain.ts';
import type { DrainView } from '../../explain/drain.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { awaitPlan, planDrain } from '../../hub/acts/drain-plan.ts';
import { underWay } from '../../hub/acts/dry-run.ts';
import { checkSite, drainView, readDrain, withoutOldAnswer } from '../../hub/objects/drains.ts';
import { age } from '../../show/age.ts';
import { planText } from '../../show/drain.ts';
import { formatFrom, print } from '../../show/output.ts';
import { acting, inFormats, onHub, type CommandCall, type Program } from '../command.ts';
import { specFrom, withSpec, type SpecFlags } from './flags.ts';
import { editPlan } from './plan-edit.ts';
import { lostPlan, taintedPlan } from './suppose.ts';

export interface PlanFlags extends SpecFlags {
  readonly output?: string;
}

interface Flags extends PlanFlags {
  readonly lost?: string;
  readonly taint?: string;
  readonly filename?: string;
}

export function addPlan(program: Program): void {
  withSpec(inFormats(onHub(program.root.command('plan'))))
    .description(
      'say what a drain, a loss, a taint or an edit of what selects sites would do, and change nothing (for operators)',
    )
    .argument('[site]', 'the site that would be drained')
    .option('--lost <site>', 'say instead what its loss would do')
    .option('--taint <site=key[=value]:effect>', 'say instead what this taint of it would do')
    .option('-f, --filename <file>', 'say instead what applying this Placement or RCSConfig would do')
    .addHelpText('after', SUPPOSED_HELP)
    .action(acting<Flags>(program, planned));
}

const SUPPOSED_HELP = `
--lost and --taint write nothing. They read Capps, sites, Placements and their decisions with your
own rights. Lines that rest on what OCM's scheduler would probably decide are marked as an estimate.
The effect of a taint is NoSelect, PreferNoSelect or NoSelectIfNew.

-f takes one Placement that is there, or the RCSConfig, and names only what would go otherwise.
For a Placement OCM decides by a trial: a Placement that nobody refers to, made and deleted again.`;

/** Throws CommandFailure and ApiError. */
async function planned(call: CommandCall<Flags>): Promise<Exit> {
  const { args, flags } = call;
  const { lost, taint, filename } = flags;
  const asked = [args[0], lost, taint, filename].filter((one) => one !== undefined);
  if (asked.length !== 1)
    throw new CommandFailure(
      'usage',
      'Say one of four: a site that would be drained, --lost <site>, --taint <site=key:effect>, or -f <file>.',
    );
  if (args[0] !== undefined) return plan(call);
  if (Object.keys(specFrom(flags)).length > 0)
    throw new CommandFailure(
      'usage',
      '--width, --per-target, --rate, --priority and --reason say how a site is drained: leave them out, or name a site to drain.',
    );
  if (filename !== undefined) return editPlan(call, filename);
  return taint === undefined ? lostPlan(call, lost ?? '') : taintedPlan(call, taint);
}

export async function plan(call: CommandCall<PlanFlags>): Promise<Exit> {
  const { args, flags, hub, terminal } = call;
  const [site = ''] = args;
  formatFrom(flags.output);
  await checkSite(hub, site);
  const found = await withoutOldAnswer(hub, await readDrain(hub, site), (drain) => drainView(drain).isOver);
  if (found !== null) return foundPlan(call, found);
  return show(call, await planDrain(hub, site, specFrom(flags), terminal.interrupted));
}

/** Somebody else's dry run is theirs: it is shown, and stays. */
async function foundPlan(call: CommandCall<PlanFlags>, drain: Drain): Promise<Exit> {
  const { hub, terminal } = call;
  const { name } = drain.metadata;
  if (!drain.spec.dryRun) throw underWay(name);
  const exit = show(call, await awaitPlan(hub, name, terminal.interrupted));
  const { reportedAt } = drainView(drain);
  terminal.note(
    `This is what Drain ${name} said ${reportedAt === null ? 'just now' : `${age(reportedAt, Date.now())} ago`}. To plan once more, delete it: kubectl delete drain ${name}.`,
  );
  return exit;
}

function show({ flags, terminal }: CommandCall<PlanFlags>, found: DrainView): Exit {
  print(terminal, formatFrom(flags.output), found, (isWide) =>
    planText(found, { isWide, colours: terminal.colours }),
  );
  return 'done';
}
