// `kubectl capp pods`: the Pods of a Capp on its sites.
import type { ReachedPod } from '../../../reach/pods.ts';
import { noteMissing, readPods } from '../../hub/logs/pods.ts';
import { age } from '../../show/age.ts';
import { formatFrom, print } from '../../show/output.ts';
import { table } from '../../show/table.ts';
import { acting, inFormats, onHub, type Program } from '../command.ts';

interface Flags {
  readonly output?: string;
  readonly site?: string;
}

export function addPods(program: Program): void {
  inFormats(onHub(program.root.command('pods')))
    .description('the Pods of a Capp on its site, or of a CappSet on all its sites')
    .argument('<capp>', 'its name, namespace/name, or cappset/name')
    .option('--site <site>', 'only on this site')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const found = await readPods(hub, name, { site: flags.site });
        noteMissing(terminal, found);
        print(terminal, format, found.pods, (isWide) => textOf(found.pods, isWide, Date.now()));
        return 'done';
      }),
    );
}

const HEADS = ['SITE', 'POD', 'READY', 'PHASE', 'RESTARTS', 'AGE'];

function textOf(pods: readonly ReachedPod[], isWide: boolean, now: number): string {
  const rows = pods.map((pod) => [
    pod.site,
    pod.name,
    pod.ready ? 'yes' : 'no',
    pod.phase,
    String(pod.restarts),
    age(pod.createdAt ?? undefined, now),
    ...(isWide ? [pod.revision ?? '', pod.containers.join(',')] : []),
  ]);
  return table([...HEADS, ...(isWide ? ['REVISION', 'CONTAINERS'] : [])], rows);
}
