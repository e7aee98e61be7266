// `kubectl capp drill`: checks for each Capp of a site whether it could run where a drain would move it.
import type { Drain } from '../../../crds/drain/drain.ts';
import { drillView, type DrillView } from '../../explain/drill.ts';
import type { Exit } from '../../exit.ts';
import { awaitDrill, drillSite } from '../../hub/acts/drain-drill.ts';
import { underWay } from '../../hub/acts/dry-run.ts';
import { checkSite, drainView, readDrain, withoutOldAnswer } from '../../hub/objects/drains.ts';
import { age } from '../../show/age.ts';
import { drillText } from '../../show/drill.ts';
import { formatFrom, print } from '../../show/output.ts';
import { acting, inFormats, onHub, type CommandCall, type Program } from '../command.ts';

interface Flags {
  readonly output?: string;
}

const HELP = `
For each Capp: where it would go, and whether what it refers to, the quotas, the nodes and the
images there would do. The hub asks the agents of these sites, which read and change nothing.
It ends with 0 if no check failed, and with 6 if one did.`;

export function addDrill(program: Program): void {
  inFormats(onHub(program.root.command('drill')))
    .description('check whether the Capps of a site could run where a drain would move them (for operators)')
    .argument('<site>', 'the site that would be drained')
    .addHelpText('after', HELP)
    .action(acting<Flags>(program, drill));
}

/** Throws CommandFailure and ApiError. */
async function drill({ args, flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const [site = ''] = args;
  const format = formatFrom(flags.output);
  await checkSite(hub, site);
  const found = await withoutOldAnswer(hub, await readDrain(hub, site), isDrilled);
  if (found !== null && !(found.spec.dryRun && found.spec.rehearse)) throw underWay(site);
  const view =
    found === null
      ? await drillSite(hub, site, terminal.interrupted)
      : await awaitDrill(hub, site, terminal.interrupted);
  print(terminal, format, view, (isWide) => drillText(view, { isWide, colours: terminal.colours }));
  // Somebody else's drill is theirs: it is shown, and stays.
  if (found !== null) terminal.note(stays(view));
  return view.rehearsal.failed === 0 ? 'done' : 'notSo';
}

function isDrilled(drain: Drain): boolean {
  return drillView(drain, drainView(drain)) !== null;
}

function stays({ site, rehearsal }: DrillView): string {
  return `This is what Drain ${site} said ${age(rehearsal.rehearsedAt, Date.now())} ago. For another drill, delete it: kubectl delete drain ${site}.`;
}
