// What may stand where the person presses Tab: commands, flags, and names that the hub knows.
import type { Command, Option } from 'commander';
import { CAPP } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { contextsIn } from '../../../kube/http/credentials.ts';
import type { Resource } from '../../../kube/resource.ts';
import { openHub, type Hub, type HubFlags } from '../../hub/connection/hub.ts';
import { listCapps } from '../../hub/capps.ts';
import { FORMATS } from '../../show/output.ts';

/** Where the cursor is. */
export interface Place {
  /** The command, or null while it is being typed. */
  readonly command: Command | null;
  /** The flag whose value is being typed, or null. */
  readonly flag: string | null;
  /** Name of the argument that is being typed, `command` for the first word, or null. */
  readonly argument: string | null;
  readonly flags: HubFlags;
}

/** Takes the words behind the program's name; the last one is being typed and may be empty. Pure. */
export function placeOf(root: Command, words: readonly string[]): Place {
  const [name = '', ...rest] = words;
  const command = root.commands.find((one) => one.name() === name || one.aliases().includes(name)) ?? null;
  if (words.length <= 1 || command === null)
    return { command: null, flag: null, argument: words.length <= 1 ? 'command' : null, flags: {} };
  const flags: Record<string, string> = {};
  let position = 0;
  let open: Option | null = null;
  for (const word of rest.slice(0, -1)) {
    if (open !== null) {
      flags[open.attributeName()] = word;
      open = null;
    } else if (word.startsWith('-')) open = valued(command, word);
    else position += 1;
  }
  const args = command.registeredArguments;
  const last = args.at(-1);
  const argument = args[position] ?? (last?.variadic === true ? last : undefined);
  return { command, flag: open?.attributeName() ?? null, argument: argument?.name() ?? null, flags };
}

/** The flag if a value has to follow it. */
function valued({ options }: Command, word: string): Option | null {
  return options.find((one) => (one.short === word || one.long === word) && one.required) ?? null;
}

/** Short: nobody waits for Tab. */
const TIMEOUT_SECONDS = 2;

/** Words that begin with the last one. Never throws: without an answer of the hub there are none. */
export async function candidates(
  root: Command,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const begun = words.at(-1) ?? '';
  const found = await possible(placeOf(root, words), root, { begun, env }).catch(() => []);
  return [...new Set(found)].filter((one) => one.startsWith(begun)).toSorted();
}

async function possible(
  { command, flag, argument, flags }: Place,
  root: Command,
  { begun, env }: { begun: string; env: NodeJS.ProcessEnv },
): Promise<readonly string[]> {
  const commands = root.commands.map((one) => one.name()).filter((name) => !name.startsWith('__'));
  if (command === null) return argument === 'command' ? commands : [];
  if (flag === 'output') return FORMATS;
  if (flag === 'context') return contextsIn(flags);
  if (flag === 'for') return ['ready', 'deleted', 'site='];
  const wanted = flag ?? argument;
  if (flag === null && begun.startsWith('-')) return command.options.flatMap(({ long }) => long ?? []);
  if (wanted === 'shell') return command.registeredArguments[0]?.argChoices ?? [];
  if (wanted !== 'capp' && wanted !== 'site' && wanted !== 'namespace') return [];
  const hub = openHub({ ...flags, requestTimeout: TIMEOUT_SECONDS }, env);
  try {
    return await namesOf(hub, wanted);
  } finally {
    await hub.kube.close();
  }
}

async function namesOf(hub: Hub, what: 'capp' | 'site' | 'namespace'): Promise<string[]> {
  const names = async (resource: Resource): Promise<string[]> =>
    (await hub.kube.list(resource, { metadataOnly: true })).items.map(({ metadata }) => metadata.name);
  if (what === 'namespace') return names(NAMESPACE);
  if (what === 'site') return names(MANAGED_CLUSTER).catch(() => sitesOfCapps(hub));
  const { items } = await hub.kube.list(CAPP, { namespace: hub.namespace, metadataOnly: true });
  return items.map(({ metadata }) => metadata.name);
}

/** For who may not read ManagedClusters: the sites of the Capps that they may read. */
async function sitesOfCapps(hub: Hub): Promise<string[]> {
  const capps = await listCapps(hub, hub.namespace);
  return capps
    .flatMap(({ status }) => [
      status?.applicationLinks?.site ?? [],
      (status?.decisions ?? []).flatMap(({ candidates: all }) => all.map(({ cluster }) => cluster)),
    ])
    .flat(2);
}
