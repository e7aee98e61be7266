// What may stand where the person presses Tab: commands, flags, and names that the hub knows.
import type { Command, Option } from 'commander';
import { CAPP } from '../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { contextsIn } from '../../../kube/http/credentials.ts';
import type { Resource } from '../../../kube/resource.ts';
import { openHub, type ConnectedHub, type HubFlags } from '../../hub/connection/hub.ts';
import { listCapps } from '../../hub/objects/capps.ts';
import { leadingWords, SHARED } from '../../leading-flags.ts';
import { FORMATS } from '../../show/output.ts';

/** Where the cursor is. */
export interface CursorPlace {
  /** The command, or null while the first word of it is being typed. */
  readonly command: Command | null;
  /** The flag whose value is being typed, or null. */
  readonly flag: string | null;
  /** Name of the argument that is being typed, `command` for the first word, or null. */
  readonly argument: string | null;
  readonly flags: HubFlags;
}

/** Takes the words behind the program's name; the last one is being typed and may be empty. Pure. */
export function placeOf(root: Command, words: readonly string[]): CursorPlace {
  const typed = words.slice(0, -1);
  const first = Math.min(leadingWords(typed), typed.length);
  const flags: Record<string, string> = {};
  let command = root;
  let position = 0;
  let open: Option | null = null;
  for (const [index, word] of typed.entries()) {
    if (open !== null) {
      flags[open.attributeName()] = word;
      open = null;
    } else if (word.startsWith('-')) open = valued(index < first ? SHARED : command.options, word);
    else if (command.commands.length > 0) {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (next === undefined) return { command: null, flag: null, argument: null, flags: {} };
      command = next;
    } else position += 1;
  }
  const args = command.registeredArguments;
  const last = args.at(-1);
  const argument = args[position] ?? (last?.variadic === true ? last : undefined);
  const isCommand = command.commands.length > 0;
  return {
    command: command === root ? null : command,
    flag: open?.attributeName() ?? null,
    argument: isCommand ? 'command' : (argument?.name() ?? null),
    flags,
  };
}

/** The flag if a value has to follow it. */
function valued(options: readonly Option[], word: string): Option | null {
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
  place: CursorPlace,
  root: Command,
  { begun, env }: { begun: string; env: NodeJS.ProcessEnv },
): Promise<readonly string[]> {
  const { command, flag, argument, flags } = place;
  const { commands, options, registeredArguments } = command ?? root;
  if (flag !== null) return valuesOf(flag, flags, env);
  if (argument === 'command')
    return commands.map((one) => one.name()).filter((name) => !name.startsWith('__'));
  if (begun.startsWith('-')) return options.flatMap(({ long }) => long ?? []);
  if (argument === 'shell') return registeredArguments[0]?.argChoices ?? [];
  return known(argument, flags, env);
}

async function valuesOf(flag: string, flags: HubFlags, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  if (flag === 'output') return FORMATS;
  if (flag === 'context') return contextsIn(flags);
  if (flag === 'dryRun') return ['client', 'server'];
  if (flag === 'clusters') return known('site', flags, env);
  return flag === 'for' ? ['ready', 'deleted', 'site='] : known(flag, flags, env);
}

const KNOWN = ['capp', 'set', 'site', 'namespace'] as const;

/** What the hub knows of a kind of names; none of any other. */
async function known(what: string | null, flags: HubFlags, env: NodeJS.ProcessEnv): Promise<string[]> {
  const found = KNOWN.find((one) => one === what);
  if (found === undefined) return [];
  const hub = openHub({ ...flags, requestTimeout: TIMEOUT_SECONDS }, env);
  try {
    return await namesOf(hub, found);
  } finally {
    await hub.kube.close();
  }
}

async function namesOf(hub: ConnectedHub, what: (typeof KNOWN)[number]): Promise<string[]> {
  const names = async (resource: Resource): Promise<string[]> =>
    (await hub.kube.list(resource, { metadataOnly: true })).items.map(({ metadata }) => metadata.name);
  if (what === 'namespace') return names(NAMESPACE);
  if (what === 'site') return names(MANAGED_CLUSTER).catch(() => sitesOfCapps(hub));
  const { items } = await hub.kube.list(what === 'set' ? CAPP_SET : CAPP, {
    namespace: hub.namespace,
    metadataOnly: true,
  });
  return items.map(({ metadata }) => metadata.name);
}

/** For who may not read ManagedClusters: the sites of the Capps that they may read. */
async function sitesOfCapps(hub: ConnectedHub): Promise<string[]> {
  const capps = await listCapps(hub, hub.namespace);
  return capps
    .flatMap(({ status }) => [
      status?.applicationLinks?.site ?? [],
      (status?.decisions ?? []).flatMap(({ candidates: all }) => all.map(({ cluster }) => cluster)),
    ])
    .flat(2);
}
