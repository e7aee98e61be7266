// `kubectl capp top`: what the Pods of a Capp use on its sites.
import type { ContainerUsage, ReachedPod } from '../../../reach/pods.ts';
import { noteMissing, readPods, type PodsOfSites } from '../../hub/logs/pods.ts';
import { CommandFailure } from '../../exit.ts';
import { formatFrom, isForPrograms, print } from '../../show/output.ts';
import { table } from '../../show/table.ts';
import { acting, inFormats, onHub, withExamples, type Program } from '../command.ts';

interface Flags {
  readonly output?: string;
  readonly site?: string;
  readonly containers?: true;
}

export function addTop(program: Program): void {
  withExamples(inFormats(onHub(program.root.command('top'))), ['top shop -n team-a', 'top cappset/shop'])
    .description('how much CPU and memory the Pods of a Capp or of a CappSet use now')
    .argument('<capp>', 'its name, namespace/name, or cappset/name')
    .option('--site <site>', 'only on this site')
    .option('--containers', 'a line for each container')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const found = await readPods(hub, name, { site: flags.site, withUsage: true });
        refuseOlder(found);
        noteMissing(terminal, found);
        if (found.pods.length === 0 && found.missing.length === 0)
          terminal.note(`No Pod of ${name} runs now: kubectl capp why ${name} says more.`);
        // Where no site knows anything, the sentences say why, and a table of dashes would say nothing.
        const isSilent = found.missing.length > 0 && !found.pods.some(isKnown);
        if (isForPrograms(format) || (found.pods.length > 0 && !isSilent))
          print(terminal, format, found.pods, () => textOf(found.pods, flags.containers === true));
        return isSilent ? 'failed' : 'done';
      }),
    );
}

function isKnown({ usage }: ReachedPod): boolean {
  return Array.isArray(usage);
}

/** A reader of an earlier version tells of the Pods, as if nothing else had been asked. */
function refuseOlder({ pods }: PodsOfSites): void {
  if (pods.length === 0 || pods.some(({ usage }) => usage !== undefined)) return;
  throw new CommandFailure(
    'failed',
    "The hub's reader is of an earlier version, which does not know what Pods use: whoever runs the hub can renew Cappstan. kubectl capp pods works.",
  );
}

const UNKNOWN = '-';

/** Those that use the most CPU first, as kubectl top does with --sort-by=cpu. */
function textOf(pods: readonly ReachedPod[], byContainer: boolean): string {
  const sorted = pods.toSorted((a, b) => sumOf(b).cpuMillis - sumOf(a).cpuMillis);
  if (!byContainer)
    return table(
      ['SITE', 'POD', 'CPU', 'MEMORY'],
      sorted.map((pod) => [pod.site, pod.name, ...figures(isKnown(pod) ? sumOf(pod) : null)]),
    );
  return table(
    ['SITE', 'POD', 'CONTAINER', 'CPU', 'MEMORY'],
    sorted.flatMap((pod): string[][] => {
      const place = [pod.site, pod.name];
      if (!Array.isArray(pod.usage)) return [[...place, UNKNOWN, ...figures(null)]];
      return pod.usage.map((one: ContainerUsage) => [...place, one.name, ...figures(one)]);
    }),
  );
}

type Amounts = Omit<ContainerUsage, 'name'>;

function sumOf({ usage }: ReachedPod): Amounts {
  const all = usage ?? [];
  return {
    cpuMillis: all.reduce((sum, one) => sum + one.cpuMillis, 0),
    memoryBytes: all.reduce((sum, one) => sum + one.memoryBytes, 0),
  };
}

const MEBIBYTE = 1024 * 1024;

/** As kubectl top has them. */
function figures(amounts: Amounts | null): string[] {
  if (amounts === null) return [UNKNOWN, UNKNOWN];
  return [`${amounts.cpuMillis}m`, `${Math.ceil(amounts.memoryBytes / MEBIBYTE)}Mi`];
}
