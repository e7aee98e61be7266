// `kubectl capp tree`: from a Capp, a CappSet or a Bundle down to what runs on the sites.
import type { Branch } from '../explain/tree/branch.ts';
import { treeOf } from '../explain/tree/capp.ts';
import { treeOfBundle, treeOfSet } from '../explain/tree/fleet.ts';
import type { ConnectedHub } from '../hub/connection/hub.ts';
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

async function treeFor(hub: ConnectedHub, name: string, { note }: Pick<Terminal, 'note'>): Promise<Branch> {
  const found = await readNamed(hub, name);
  if (found.is === 'Capp') return treeOf(found.object);
  if (found.is === 'CappSet') return treeOfSet(found.object, await cappsOfSet(hub, found.object));
  const works = await worksOfBundle(hub, found.object);
  if (works === null)
    note(
      'You may not read ManifestWorks: only the sites that the status of the Bundle names are shown, and of their objects those that fail.',
    );
  return treeOfBundle(found.object, works);
}
