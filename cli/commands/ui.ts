// `kubectl capp ui`: the address of a Capp's workflow in Temporal's UI.
import { cappWorkflowId } from '../../workflows/names.ts';
import { keyFrom } from '../hub/capps.ts';
import { acting, onHub, type Program } from './command.ts';

interface Flags {
  readonly address?: string;
  readonly temporalNamespace: string;
}

export function addUi(program: Program): void {
  onHub(program.root.command('ui'))
    .description("the address of a Capp's workflow in Temporal's UI")
    .argument('<capp>', 'its name, or namespace/name')
    .option('--address <url>', "where Temporal's UI is; the variable TEMPORAL_UI if not given")
    .option('--temporal-namespace <name>', 'the namespace of Temporal', 'default')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const key = keyFrom(name, hub.namespace);
        const id = cappWorkflowId(key.namespace, key.name);
        const address = flags.address ?? terminal.env['TEMPORAL_UI'] ?? '';
        if (address === '') {
          terminal.out(id);
          terminal.note(
            "The hub does not publish where Temporal's UI is: look for this workflow there, or give the address with --address or TEMPORAL_UI.",
          );
        } else terminal.out(addressOf(address, flags.temporalNamespace, id));
        return 'done';
      }),
    );
}

export function addressOf(ui: string, temporalNamespace: string, workflowId: string): string {
  const [namespace, id] = [temporalNamespace, workflowId].map(encodeURIComponent);
  return `${ui.replace(/\/+$/, '')}/namespaces/${namespace}/workflows/${id}`;
}
