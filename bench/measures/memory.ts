// The memory of the hub's processes, and of those of a site, when many Capps, created at once, are Ready.
//
// The processes are restarted from the build of the image: on the local stack the hub worker also holds the
// bundler, and each process the code that strips types.
//
// Usage: node bench/measures/memory.ts [Capps]
import { execFile } from 'node:child_process';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { copyFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  awaitReady,
  observedProcesses,
  addProcesses,
  desiredProcesses,
} from '../../deploy/local/supervise/desired.ts';
import type { Layout } from '../../deploy/local/layout.ts';
import { ROOT } from '../../deploy/local/cappstan/processes.ts';
import type { ProcessSpec } from '../../deploy/local/supervise/process-spec.ts';
import { mebibytes } from '../conditions/resident-memory.ts';
import { measure } from '../measure.ts';
import { DISABLED, numbered, type Testbed } from '../load/testbed.ts';

const HUB = ['hub-worker', 'bridge', 'webhook'];
/** One of two sites that are alike. */
const SITE = ['site-1-agent', 'site-1-operator'];
const PROCESSES = [...HUB, ...SITE];
/** Time for the last requests. */
const SETTLE_MS = 30_000;

interface Footprint {
  readonly process: string;
  readonly pid: number;
  readonly readySince: string;
  /** Node's heap flags. */
  readonly heap: readonly string[];
  readonly residentMiB: number;
  /** The part of it that is not shared file pages such as the node program. */
  readonly anonymousMiB: number;
  /** The maximum since the process started. */
  readonly peakMiB: number;
}

await measure('memory', 1_000, async (testbed, count) => {
  const { layout } = testbed.stack;
  await restartFromBuild(testbed);
  const before = await footprints(layout);
  const names = numbered('app', count);
  await Promise.all(names.map((name) => testbed.create(name, DISABLED)));
  await testbed.allReady(names);
  await pause(SETTLE_MS);
  const after = await footprints(layout);
  const other = after.find(({ process, pid }) =>
    before.every((one) => one.process !== process || one.pid !== pid),
  );
  if (other !== undefined)
    throw new Error(`${other.process} restarted during the benchmark. See ${layout.logOf(other.process)}.`);
  const hub = takenTogether(after, HUB);
  const site = takenTogether(after, SITE);
  return {
    ours: `${hub.said}; a site with half of the Capps: ${site.said}; ${count} Capps, created at once`,
    figures: { capps: count, hub: hub.figures, site: site.figures, before, after },
  };
});

interface Together {
  readonly said: string;
  readonly figures: {
    readonly countedOnceMiB: number;
    readonly togetherMiB: number;
    readonly peaksMiB: number;
  };
}

function takenTogether(found: readonly Footprint[], names: readonly string[]): Together {
  const those = found.filter(({ process }) => names.includes(process));
  const togetherMiB = those.reduce((sum, { residentMiB }) => sum + residentMiB, 0);
  const peaksMiB = those.reduce((sum, { peakMiB }) => sum + peakMiB, 0);
  const countedOnceMiB = countedOnce(those);
  const each = those.map(({ process, residentMiB }) => `${process} ${residentMiB}`).join(', ');
  const said = `${countedOnceMiB} MiB together, ${togetherMiB} if the node program counts for each (${each}; peaks ${peaksMiB})`;
  return { said, figures: { countedOnceMiB, togetherMiB, peaksMiB } };
}

/** File pages are those of the node program above all, which processes on one machine share. */
function countedOnce(found: readonly Footprint[]): number {
  const own = found.reduce((sum, { anonymousMiB }) => sum + anonymousMiB, 0);
  return own + Math.max(...found.map(({ residentMiB, anonymousMiB }) => residentMiB - anonymousMiB));
}

async function restartFromBuild({ stack: { layout }, afterwards }: Testbed): Promise<void> {
  await promisify(execFile)('npm', ['run', 'build'], { cwd: ROOT });
  // As in the image: our processes read their version from it.
  await copyFile(join(ROOT, 'package.json'), join(ROOT, 'dist', 'app', 'package.json'));
  const former = (await desiredProcesses(layout)).filter(({ name }) => PROCESSES.includes(name));
  afterwards(() => replace(layout, former));
  await replace(layout, former.map(asInTheImage));
}

/** Without Node's compile cache, which an image does not have. */
function asInTheImage(spec: ProcessSpec): ProcessSpec {
  const built = {
    WORKFLOW_BUNDLE: join(ROOT, 'dist', 'workflow-bundle.js'),
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  const env = { ...spec.env, ...built, STARTED_FOR: new Date().toISOString() };
  return { ...spec, args: spec.args.map(builtFrom), env };
}

/** The image's file for a main in workers/. */
function builtFrom(argument: string): string {
  return argument.startsWith(ROOT)
    ? join(ROOT, 'dist', 'app', relative(ROOT, argument)).replace(/\.ts$/, '.js')
    : argument;
}

async function replace(layout: Layout, specs: readonly ProcessSpec[]): Promise<void> {
  await addProcesses(layout, specs);
  await awaitReady(layout, specs);
}

async function footprints(layout: Layout): Promise<Footprint[]> {
  const [views, specs] = [await observedProcesses(layout), await desiredProcesses(layout)];
  return PROCESSES.map((process) => {
    const view = views.find(({ name }) => name === process);
    const spec = specs.find(({ name }) => name === process);
    if (view?.pid == null || spec === undefined)
      throw new Error(`${process} does not run. Run "make up" to repair the stack.`);
    const heap = [...spec.args, ...(spec.env?.['NODE_OPTIONS'] ?? '').split(' ')].filter((flag) =>
      flag.startsWith('--'),
    );
    return {
      process,
      pid: view.pid,
      readySince: view.since,
      heap,
      residentMiB: mebibytes(view.pid, 'VmRSS'),
      anonymousMiB: mebibytes(view.pid, 'RssAnon'),
      peakMiB: mebibytes(view.pid, 'VmHWM'),
    };
  });
}
