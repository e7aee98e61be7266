// `kubectl capp plan`: what a drain of a site would do. It makes a Drain that is a dry run, and takes it away
// again.
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { DrainView } from '../../explain/drain.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { checkSite, createDrain, deleteDrain, drainView, readDrain } from '../../hub/drains.ts';
import { follow } from '../../hub/follow.ts';
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
  const { args, flags, hub } = call;
  const [site = ''] = args;
  formatFrom(flags.output);
  await checkSite(hub, site);
  const found = await readDrain(hub, site);
  if (found !== null) return foundPlan(call, found);
  const made = await createDrain(hub, site, { ...specFrom(flags), dryRun: true }).catch((error: unknown) => {
    throw isAlreadyExists(error) ? underWay(site) : error;
  });
  try {
    return await show(call, made);
  } finally {
    await deleteDrain(hub, made);
  }
}

function underWay(site: string): CommandFailure {
  return new CommandFailure(
    'failed',
    `There is a Drain ${site}, and a dry run would end it. See how far it is: kubectl capp drain ${site}.`,
  );
}

/** Somebody else's dry run is theirs: it is shown, and stays. */
async function foundPlan(call: Call<PlanFlags>, drain: Drain): Promise<Exit> {
  const { name } = drain.metadata;
  if (!drain.spec.dryRun) throw underWay(name);
  const exit = await show(call, drain);
  const { reportedAt } = drainView(drain);
  call.terminal.note(
    `This is what Drain ${name} said ${reportedAt === null ? 'just now' : `${age(reportedAt, Date.now())} ago`}. To plan once more, delete it: kubectl delete drain ${name}.`,
  );
  return exit;
}

/** How long a plan of many Capps may take, in milliseconds. */
const WITHIN_MS = 120_000;

async function show({ flags, hub, terminal }: Call<PlanFlags>, { metadata: { name } }: Drain): Promise<Exit> {
  const look = (drain: KubeObject | null): DrainView | 'gone' | undefined => {
    if (drain === null) return 'gone';
    const view = drainView(drain as Drain);
    return view.isOver ? view : undefined;
  };
  const target = { resource: DRAIN, namespace: null, name };
  const { interrupted: signal } = terminal;
  const found = await follow(hub, target, look, { withinMs: WITHIN_MS, signal });
  if (found === 'gone')
    throw new CommandFailure('failed', `Somebody deleted Drain ${name} before the plan was ready.`);
  if (found === null && signal.aborted)
    throw new CommandFailure('interrupted', 'Interrupted. Nothing was changed.');
  if (found === null)
    throw new CommandFailure(
      'notSo',
      'The hub did not answer the plan within two minutes. See why: kubectl capp doctor.',
    );
  print(terminal, formatFrom(flags.output), found, (isWide) =>
    planText(found, { isWide, colours: terminal.colours }),
  );
  return 'done';
}
