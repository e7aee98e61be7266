// `kubectl capp version`: of this program, of the hub and of the agents, and what to do where they differ.
import { LOCAL_CLUSTER, MANAGED_CLUSTER, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { slimCluster } from '../../crds/ocm/slim-cluster.ts';
import { isForbidden } from '../../kube/failure.ts';
import { versionsFrom, type Known } from '../explain/versions.ts';
import type { ConnectedHub } from '../hub/connection/hub.ts';
import { readHubStatus } from '../hub/objects/status.ts';
import { formatFrom, print } from '../show/output.ts';
import { versionsText } from '../show/versions.ts';
import { acting, inFormats, onHub, withExamples, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

export function addVersion(program: Program): void {
  const command = inFormats(onHub(program.root.command('version')))
    .description('show the versions of this program, of the hub and of the agents, and where they differ')
    .action(
      acting<Flags>(program, async ({ flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const client = program.root.version() ?? '';
        const show = (known: Omit<Known, 'client'>): void => {
          const versions = versionsFrom({ client, ...known });
          print(terminal, format, versions, () => versionsText(versions, terminal.colours));
        };
        const [status, clusters] = await Promise.all([readHubStatus(hub), clustersOf(hub)]).catch(
          (error: unknown) => {
            show({ status: null, clusters: null });
            throw error;
          },
        );
        const unread = [
          ...(status === null ? ['hubstatuses, which say the version of the hub'] : []),
          ...(clusters === null ? ['managedclusters, which say those of the agents'] : []),
        ];
        if (unread.length > 0) terminal.note(`You may not read ${unread.join(', nor ')}.`);
        show({ status, clusters });
        return 'done';
      }),
    );
  withExamples(command, ['version', 'version -o json']);
}

/** Null if the person may not read them. Throws ApiError. */
async function clustersOf({ kube }: ConnectedHub): Promise<ManagedCluster[] | null> {
  try {
    const { items } = await kube.list<ManagedCluster>(MANAGED_CLUSTER, { keep: slimCluster });
    return items.filter(({ metadata }) => metadata.name !== LOCAL_CLUSTER);
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}
