// Looks at the hubs of this machine. Nothing is written, and nobody but their API servers is asked.
import { readFileSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { CAPP } from '../../../crds/capp/capp.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { pathOf, type Resource } from '../../../kube/resource.ts';
import { HUB, layoutOf } from '../../local/layout.ts';
import { processesFile, type Observed } from '../../local/supervise/desired.ts';
import { folderId } from '../../local/supervise/folder-id.ts';
import { readJson } from '../../local/supervise/json-file.ts';
import { isHeld } from '../../local/supervise/lock.ts';
import { stackFolders, stackProcesses } from '../../local/supervise/stack-processes.ts';
import { isShut } from '../admit/restored.ts';
import { configuredIn } from '../backup/configured.ts';
import { DATA_DIRECTORY } from '../config/config.ts';
import { ConfigRefused } from '../config/refused.ts';
import { hubLock } from '../data-directory.ts';
import { gatewayOf, urlOf } from '../doors.ts';
import { HUB_COMMAND_TIMES } from '../times.ts';
import { disbelief } from './believed.ts';
import { isHub, knownHubs, versionOf } from './known.ts';
import { stateOf, type HubState } from './state.ts';

/** What programs get of a hub. Null: nobody knows, or the hub does not run. */
export interface SeenHub {
  /** That of its data directory. */
  readonly name: string;
  readonly state: HubState;
  /** What is not as it should be, and what helps. */
  readonly problem: string | null;
  /** Where people and sites reach its API server. */
  readonly address: string | null;
  /** host:port. */
  readonly gateway: string | null;
  /** Of the program with which it was started last. */
  readonly version: string | null;
  readonly sites: number | null;
  readonly capps: number | null;
  /** Of all its processes, each with what it shares. */
  readonly memoryBytes: number | null;
  readonly dataDirectory: string;
}

/** By their names. Throws ConfigRefused for one of `given` in which there is no hub. */
export async function lookAtHubs(given: readonly string[], known = knownHubs()): Promise<readonly SeenHub[]> {
  for (const directory of given)
    if (isHub(directory) === false)
      throw new ConfigRefused([
        `--data-dir: there is no hub in ${directory}. Give the directory with which one was started.`,
      ]);
  // Of a stack of sites the folder is no hub's.
  const all = new Set([...given, ...known, ...(await stackFolders()), DATA_DIRECTORY]);
  const hubs = onePathEach([...all].filter((directory) => isHub(directory) !== false));
  const seen = await Promise.all(hubs.map(lookAt));
  const place = ({ name, dataDirectory }: SeenHub): string => `${name}\0${dataDirectory}`;
  return seen.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** Of a directory that was given by several paths, the first. */
function onePathEach(directories: readonly string[]): readonly string[] {
  const byFolder = new Map(
    directories.toReversed().map((directory) => [folderId(directory) ?? directory, directory]),
  );
  return [...byFolder.values()];
}

async function lookAt(directory: string): Promise<SeenHub> {
  const held = await isHeld(hubLock(directory));
  const facts = { directory, isHeld: held, isShut: false, processes: null };
  const outside = { name: basename(directory), ...stateOf(facts), ...UNKNOWN, dataDirectory: directory };
  if (isHub(directory) !== true) return outside;
  try {
    // What is looked at is what is read afterwards: nobody leads a link elsewhere in between.
    const real = realpathSync(directory);
    const problem = disbelief(real);
    return problem === null ? await lookInto(outside, real, held) : { ...outside, problem };
  } catch (error) {
    // One that cannot be read hides no other.
    return { ...outside, problem: reasonOf(error) };
  }
}

async function lookInto(outside: SeenHub, real: string, held: boolean): Promise<SeenHub> {
  const { dataDirectory: directory } = outside;
  const config = await configuredIn(real);
  const { state, problem } = stateOf({
    directory,
    isHeld: held,
    isShut: isShut(real),
    processes: await processesIn(real),
  });
  const counts = state === 'Running' ? await countsIn(real) : UNCOUNTED;
  return {
    ...outside,
    state,
    problem: problem ?? counts.problem,
    address: config === null ? null : urlOf(config),
    gateway: config === null ? null : gatewayOf(config),
    version: await versionOf(real),
    sites: counts.sites,
    capps: counts.capps,
    memoryBytes: held ? await memoryOf(directory) : null,
  };
}

/** What only the owner of its directory can tell. */
const UNKNOWN = {
  address: null,
  gateway: null,
  version: null,
  sites: null,
  capps: null,
  memoryBytes: null,
} as const;
const UNCOUNTED: Counts = { sites: null, capps: null, problem: null };

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function processesIn(directory: string): Promise<Observed['processes']> {
  return (await readJson<Observed>(processesFile(layoutOf(directory))))?.processes ?? [];
}

type Counts = Pick<SeenHub, 'sites' | 'capps' | 'problem'>;

async function countsIn(directory: string): Promise<Counts> {
  const kube = connect({
    kubeconfig: layoutOf(directory).kubeconfig(HUB),
    userAgent: 'cappstan-hubs',
    deadlineMs: HUB_COMMAND_TIMES.counting.ms,
  });
  try {
    const [sites, capps] = await Promise.all([count(kube, MANAGED_CLUSTER), count(kube, CAPP)]);
    return { sites, capps, problem: null };
  } catch (error) {
    return { ...UNCOUNTED, problem: `Its API server does not say what it has: ${reasonOf(error)}` };
  } finally {
    await kube.close();
  }
}

const EVERYWHERE = { namespace: null, name: null };

/** Without reading them all: the API server says how many it has left out. */
async function count(kube: Kube, resource: Resource): Promise<number> {
  const { items, metadata } = (await kube.raw('GET', `${pathOf(resource, EVERYWHERE)}?limit=1`)) as {
    readonly items: readonly unknown[];
    readonly metadata: { readonly remainingItemCount?: number };
  };
  return items.length + (metadata.remainingItemCount ?? 0);
}

/** In bytes. A process that ends meanwhile counts nothing. */
async function memoryOf(directory: string): Promise<number> {
  const all = (await stackProcesses(directory)).map(({ pid }) => residentBytes(pid));
  return all.reduce((sum, bytes) => sum + bytes, 0);
}

function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
