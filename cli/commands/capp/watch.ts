// `kubectl capp watch`: the steps of a Capp as they happen, until Ctrl-C or the Capp is gone.
import { PAUSED } from '../../../crds/labels.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { phaseOf } from '../../explain/capp/phase.ts';
import { stepsOf, type CappStep } from '../../explain/capp/steps.ts';
import { readCapp } from '../../hub/objects/capps.ts';
import { follow } from '../../hub/follow/follow.ts';
import { cutTo, drawer } from '../../show/drawer.ts';
import { printable } from '../../show/printable.ts';
import type { Colours, Terminal } from '../../terminal.ts';
import { acting, onHub, type Program } from '../command.ts';

export function addWatch(program: Program): void {
  onHub(program.root.command('watch'))
    .description('follow the steps of a Capp as they happen; Ctrl-C ends it')
    .argument('<capp>', 'its name, or namespace/name')
    .action(
      acting<object>(program, async ({ args: [name = ''], hub, terminal }) => {
        const { metadata } = await readCapp(hub, name);
        const key = { resource: CAPP, namespace: metadata.namespace ?? '', name: metadata.name };
        const show = terminal.isLive ? stepDrawer(terminal) : lineWriter(terminal);
        const look = (seen: KubeObject | null): 'gone' | undefined => {
          show(seen as Capp | null);
          return seen === null ? 'gone' : undefined;
        };
        await follow(hub, key, look, { withinMs: null, signal: terminal.interrupted });
        return 'done';
      }),
    );
}

const SIGNS: Readonly<Record<CappStep['state'], string>> = {
  done: '✓',
  'under way': '…',
  failed: '✗',
  'not yet': '·',
};

/** Draws over what it drew before. */
export function stepDrawer(
  terminal: Pick<Terminal, 'out' | 'colours' | 'width'>,
): (capp: Capp | null) => void {
  const draw = drawer(terminal);
  return (capp) => draw([...headOf(capp), ...stepsOf(capp).map((step) => stepLine(step, terminal))]);
}

function headOf(capp: Capp | null): string[] {
  if (capp === null) return [];
  const { namespace, name } = capp.metadata;
  const site = capp.status?.applicationLinks?.site ?? 'no site';
  return [`${namespace}/${name}: ${phaseOf(capp, PAUSED)} on ${site}`];
}

/** Cut to the width, so that one step is one line. */
export function stepLine(
  { name, state, reason, message }: CappStep,
  { width, colours }: { width: number; colours: Colours },
): string {
  const text = printable(`${SIGNS[state]} ${name.padEnd(9)} ${reason}: ${message}`);
  return { done: colours.green, 'under way': colours.cyan, failed: colours.red, 'not yet': colours.dim }[
    state
  ](cutTo(width, text));
}

/** For pipes: a line for each step that has changed. */
function lineWriter({ out }: Terminal): (capp: Capp | null) => void {
  const said = new Map<string, string>();
  return (capp) => {
    const steps = stepsOf(capp);
    for (const { name, state, reason, message } of steps) {
      const line = printable(`${name} ${state} ${reason}: ${message}`);
      if (said.get(name) !== line) out(`${new Date().toISOString()} ${line}`);
      said.set(name, line);
    }
    for (const name of said.keys()) if (!steps.some((step) => step.name === name)) said.delete(name);
  };
}
