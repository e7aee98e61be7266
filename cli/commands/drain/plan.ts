// `kubectl capp plan`: what a drain of a site would do. It makes a Drain that is a dry run, and takes it away
// again.
import type { Drain } from '../../../crds/drain/drain.ts';
import type { DrainView } from '../../explain/drain.ts';
import type { Exit } from '../../exit.ts';
import { awaitPlan, planDrain, underWay } from '../../hub/acts/drain-plan.ts';
import { checkSite, drainView, readDrain } from '../../hub/drains.ts';
import { age } from '../../show/age.ts';
import { planText } from '../../show/drain.ts';
import { formatFrom, print } from '../../show/output.ts';
import { acting, inFormats, onHub, type Call, type Program } from '../command.ts';
import { specFrom, withSpec, type SpecFlags } from './flags.ts';

export interface PlanFlags extends SpecFlags {
  readonly output?: string;
}

export function addPlan(program: Program): void {
  withSpec(inFormats(onHub(program.root.command('plan'))))
    .description('say what a drain of a site would do, and change nothing (for operators)')
    .argument('<site>', 'its name')
    .action(acting<PlanFlags>(program, plan));
}

export async function plan(call: Call<PlanFlags>): Promise<Exit> {
  const { args, flags, hub, terminal } = call;
  const [site = ''] = args;
  formatFrom(flags.output);
  await checkSite(hub, site);
  const found = await readDrain(hub, site);
  if (found !== null) return foundPlan(call, found);
  return show(call, await planDrain(hub, site, specFrom(flags), terminal.interrupted));
}

/** Somebody else's dry run is theirs: it is shown, and stays. */
async function foundPlan(call: Call<PlanFlags>, drain: Drain): Promise<Exit> {
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

function show({ flags, terminal }: Call<PlanFlags>, found: DrainView): Exit {
  print(terminal, formatFrom(flags.output), found, (isWide) =>
    planText(found, { isWide, colours: terminal.colours }),
  );
  return 'done';
}
