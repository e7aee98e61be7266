// `kubectl capp create bundle`: a Bundle of files, as `clusteradm create work` makes a ManifestWork of them.
import { Option, type Command } from 'commander';
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { checkedManifests } from '../../../crds/bundle/manifests.ts';
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { keyFrom } from '../../hub/objects/capps.ts';
import { objectsIn } from '../../hub/write/files.ts';
import { createObject, editObject } from '../../hub/write/write.ts';
import { bundleFrom, withManifests, type NewBundle } from '../../manifests/bundle.ts';
import { acting, collect, onHub, withExamples, type CommandCall, type Program } from '../command.ts';
import { neededWhere, onSites, whereFrom, type WhereFlags } from './where.ts';
import { checkOutput, dryRunOf, showWritten, writing, type WriteFlags } from './writing.ts';

interface Flags extends WriteFlags, WhereFlags {
  readonly filename: readonly string[];
  readonly overwrite?: true;
}

export function addCreateBundle(program: Program, root: Command): void {
  const command = onSites(writing(onHub(root.command('bundle'))))
    .description('create a Bundle of manifests in files, or give it these manifests')
    .argument('<name>', 'its name, or namespace/name')
    .addOption(
      new Option(
        '-f, --filename <file>',
        'a file, a folder of .yaml, .yml and .json files, or - for standard input; may be repeated',
      )
        .argParser((value: string, before?: readonly string[]) => collect(value, before ?? []))
        .makeOptionMandatory(),
    )
    .option('--overwrite', 'if there is one, replace its spec.manifests, and its sites if you name them')
    .action(acting<Flags>(program, createBundle));
  withExamples(command, [
    'create bundle edge-base -f manifests/ --clusters site-1,site-2 -n platform',
    'create bundle edge-base -f manifests/ --overwrite --dry-run=server -n platform',
  ]);
}

async function createBundle(call: CommandCall<Flags>): Promise<Exit> {
  const { args, flags, hub, terminal } = call;
  checkOutput(flags);
  const { namespace, name } = keyFrom(args[0] ?? '', hub.namespace);
  const where = flags.overwrite === true ? whereFrom(flags) : neededWhere(flags);
  const parts = { namespace, name, where, manifests: await manifestsIn(flags.filename) };
  if (flags.overwrite === true) {
    const found = await hub.kube.get<Bundle>(BUNDLE, { namespace, name });
    if (found !== null) return overwrite(call, parts, found);
  }
  const dryRun = dryRunOf(flags);
  const object = bundleFrom({ ...parts, where: where ?? neededWhere(flags) });
  const after = await createObject(hub, BUNDLE, object, {
    dryRun,
    instead: 'Give it these manifests with --overwrite.',
  });
  const what = `Bundle ${namespace}/${name} with ${countOf(parts)}`;
  showWritten(terminal, flags, after, {
    done: `Created ${what}.`,
    would: `${what} would be created.`,
    next: nextFor(parts),
  });
  return 'done';
}

async function overwrite(
  { flags, hub, terminal }: CommandCall<Flags>,
  parts: NewBundle,
  first: Bundle,
): Promise<Exit> {
  const { namespace, name } = parts;
  const key = { namespace, name };
  let found: Bundle | null = first;
  const { after, isChanged } = await editObject(hub, BUNDLE, {
    dryRun: dryRunOf(flags),
    change: (bundle) => withManifests(bundle, parts) as Bundle,
    read: async () => {
      const bundle = found ?? (await hub.kube.get<Bundle>(BUNDLE, key));
      found = null;
      if (bundle !== null) return bundle;
      throw new CommandFailure('failed', `Somebody has just deleted Bundle ${namespace}/${name}: try again.`);
    },
  });
  const what = `Bundle ${namespace}/${name}`;
  showWritten(terminal, flags, after, {
    done: isChanged
      ? `${what} has these manifests now: ${parts.manifests.length}.`
      : `${what} has these manifests already.`,
    would: isChanged
      ? `${what} would have these manifests: ${parts.manifests.length}.`
      : `${what} has these manifests already.`,
    next: isChanged ? nextFor(parts) : '',
  });
  return 'done';
}

/** Throws CommandFailure for what a Bundle may not hold, naming the file. */
async function manifestsIn(files: readonly string[]): Promise<Manifest[]> {
  const all = (await Promise.all(files.map(objectsIn))).flat();
  if (all.length === 0)
    throw new CommandFailure(
      'usage',
      `There is no object in ${files.join(', ')}: name files with manifests.`,
    );
  const checked = checkedManifests(all);
  if ('manifests' in checked) return checked.manifests;
  const { where, message } = checked;
  throw new CommandFailure('usage', where === null ? message : `${where} ${message}.`);
}

function countOf({ manifests }: NewBundle): string {
  return `${manifests.length} manifest${manifests.length === 1 ? '' : 's'}`;
}

function nextFor({ namespace, name }: NewBundle): string {
  return `See how far it is: kubectl capp rollout status bundle/${name} -n ${namespace}`;
}
