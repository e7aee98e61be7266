// `kubectl capp tree`: from a Capp, a CappSet or a Bundle down to what runs on the sites.
import type { Capp } from '../../crds/capp/capp.ts';
import { keyOf } from '../../kube/resource.ts';
import type { Branch } from '../explain/tree/branch.ts';
import { treeOf } from '../explain/tree/capp.ts';
import { treeOfBundle, treeOfSet } from '../explain/tree/fleet.ts';
import { withPods } from '../explain/tree/pods.ts';
import type { OpenedHub } from '../hub/connection/hub.ts';
import { noteMissing, podsIfTold } from '../hub/logs/pods.ts';
import { cappsOfSet, worksOfBundle } from '../hub/objects/copies.ts';
import { readNamed } from '../hub/objects/named.ts';
import { formatFrom, print } from '../show/output.ts';
import { treeText } from '../show/tree.ts';
import type { Terminal } from '../terminal.ts';
import { acting, inFormats, onHub, withExamples, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

export function addTree(program: Program): void {
  const command = inFormats(onHub(program.root.command('tree')))
    .description(
      'show what a Capp, a CappSet or a Bundle has made on the hub and on its sites, down to Pods, and how each part stands',
    )
    .argument('<capp>', 'its name, namespace/name, cappset/name or bundle/name')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const tree = await treeFor(hub, name, terminal);
        print(terminal, format, tree, (isWide) => treeText(tree, { isWide, colours: terminal.colours }));
        return 'done';
      }),
    );
  withExamples(command, ['tree hello -n team-a', 'tree bundle/edge-base -o wide']);
}

/** Of a set with more Capps no Pods are asked for: `kubectl capp pods` does that. */
const MOST_WITH_PODS = 20;

async function treeFor(hub: OpenedHub, name: string, terminal: Terminal): Promise<Branch> {
  const found = await readNamed(hub, name);
  if (found.is === 'Capp') return downToPods(hub, treeOf(found.object), [found.object], terminal);
  if (found.is === 'CappSet') {
    const capps = await cappsOfSet(hub, found.object);
    return downToPods(hub, treeOfSet(found.object, capps), capps, terminal);
  }
  const works = await worksOfBundle(hub, found.object);
  if (works === null)
    terminal.note(
      'You may not read ManifestWorks: only the sites that the status of the Bundle names are shown, and of their objects those that fail.',
    );
  return treeOfBundle(found.object, works);
}

/** As far as the hub's reader tells them; without one the tree ends with what statuses know. */
async function downToPods(
  hub: OpenedHub,
  tree: Branch,
  capps: readonly Capp[],
  terminal: Terminal,
): Promise<Branch> {
  if (capps.length > MOST_WITH_PODS) return tree;
  const told = await podsIfTold(hub, capps.map(keyOf), terminal.interrupted);
  const missing = [...told.values()].flatMap((one) => one.missing);
  noteMissing(terminal, { pods: [], missing });
  return withPods(tree, (capp, site) => told.get(capp)?.pods.filter((pod) => pod.site === site) ?? null);
}
