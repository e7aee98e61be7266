// `kubectl capp ui`: the address of a Capp's workflow in Temporal's UI.
import { cappWorkflowId } from '../../../workflows/names.ts';
import { keyFrom } from '../../hub/objects/capps.ts';
import { readHubStatus } from '../../hub/objects/status.ts';
import { acting, onHub, type Program } from '../command.ts';

interface Flags {
  readonly address?: string;
  readonly temporalNamespace?: string;
}

export function addUi(program: Program): void {
  onHub(program.root.command('ui'))
    .description("the address of a Capp's workflow in Temporal's UI")
    .argument('<capp>', 'its name, or namespace/name')
    .option(
      '--address <url>',
      "where Temporal's UI is, if not where the hub says or the variable TEMPORAL_UI",
    )
    .option('--temporal-namespace <name>', 'the namespace of Temporal, if not the one that the hub says')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const key = keyFrom(name, hub.namespace);
        const id = cappWorkflowId(key.namespace, key.name);
        const status = await readHubStatus(hub);
        const { temporal } = status ?? {};
        const address = flags.address ?? terminal.env['TEMPORAL_UI'] ?? temporal?.ui ?? '';
        const namespace = flags.temporalNamespace ?? temporal?.namespace ?? 'default';
        terminal.out(address === '' ? id : addressOf(address, namespace, id));
        if (address === '') terminal.note(status === null ? UNREAD : UNKNOWN);
        return 'done';
      }),
    );
}

const UNKNOWN =
  "The hub does not say where Temporal's UI is (temporal.ui in the chart). Look for this workflow there, or give the address with --address or TEMPORAL_UI.";

const UNREAD =
  "You may not read HubStatus hub, which says where Temporal's UI is. Look for this workflow there, give the address with --address or TEMPORAL_UI, or have whoever runs the hub bind the ClusterRole cappstan-hub-status-view to you.";

export function addressOf(ui: string, temporalNamespace: string, workflowId: string): string {
  const [namespace, id] = [temporalNamespace, workflowId].map(encodeURIComponent);
  return `${ui.replace(/\/+$/, '')}/namespaces/${namespace}/workflows/${id}`;
}
