// `kubectl capp pods`: the Pods of a Capp on its sites.
import { pathTo } from '../../../reach/names.ts';
import { reachFailure } from '../../hub/logs/failures.ts';
import { membersOf, readWithLogs } from '../../hub/logs/members.ts';
import { age } from '../../show/age.ts';
import { formatFrom, print } from '../../show/output.ts';
import { printable } from '../../show/printable.ts';
import { table } from '../../show/table.ts';
import { acting, inFormats, onHub, type Program } from '../command.ts';

interface Flags {
  readonly output?: string;
  readonly site?: string;
}

/** As the reader gives it (reach/answer/pods.ts). */
interface PodList {
  readonly items: readonly {
    readonly site: string;
    readonly name: string;
    readonly revision: string | null;
    readonly phase: string;
    readonly ready: boolean;
    readonly restarts: number;
    readonly createdAt: string | null;
    readonly containers: readonly string[];
  }[];
  readonly missing: readonly { readonly site: string; readonly why: string }[];
}

export function addPods(program: Program): void {
  inFormats(onHub(program.root.command('pods')))
    .description('the Pods of a Capp on its site, or of a CappSet on all its sites')
    .argument('<capp>', 'its name, namespace/name, or cappset/name')
    .option('--site <site>', 'only on this site')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const query = flags.site === undefined ? '' : `?site=${encodeURIComponent(flags.site)}`;
        const lists: PodList[] = [];
        for (const capp of await membersOf(hub, await readWithLogs(hub, name))) {
          const asked = hub.kube.raw('GET', `${pathTo(capp, 'pods')}${query}`);
          lists.push(
            (await asked.catch((error: unknown) => {
              throw reachFailure(error, capp, hub) ?? error;
            })) as PodList,
          );
        }
        const pods = lists.flatMap(({ items }) => items);
        for (const { why } of lists.flatMap(({ missing }) => missing))
          terminal.note(printable(`${why.charAt(0).toUpperCase()}${why.slice(1)}.`));
        const now = Date.now();
        print(terminal, format, pods, (isWide) =>
          table(
            [
              'SITE',
              'POD',
              'READY',
              'PHASE',
              'RESTARTS',
              'AGE',
              ...(isWide ? ['REVISION', 'CONTAINERS'] : []),
            ],
            pods.map((pod) => [
              pod.site,
              pod.name,
              pod.ready ? 'yes' : 'no',
              pod.phase,
              String(pod.restarts),
              age(pod.createdAt ?? undefined, now),
              ...(isWide ? [pod.revision ?? '', pod.containers.join(',')] : []),
            ]),
          ),
        );
        return 'done';
      }),
    );
}
