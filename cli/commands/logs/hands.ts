// `kubectl capp exec` and `port-forward`: what people of kubectl look for, and where they get it.
import { CommandFailure } from '../../exit.ts';
import type { Program } from '../command.ts';

const ACTS = { exec: 'get a shell', 'port-forward': 'reach a port' } as const;

/** They end with the way to a shell: the hub has no rights on sites that it could lend. */
export function addHands({ root }: Program): void {
  for (const [name, aim] of Object.entries(ACTS))
    root
      .command(name)
      .description(`not through the hub: says how to ${aim} on a site`)
      .argument('<capp...>', 'its name, and what kubectl would take')
      .allowUnknownOption()
      .action((words: readonly string[]) => {
        const capp = words.find((word) => !word.startsWith('-')) ?? '<capp>';
        throw new CommandFailure('forbidden', sentence(name, capp));
      });
}

function sentence(act: string, capp: string): string {
  return `${act} needs rights of your own on the site, which the hub has not and cannot lend. kubectl capp pods ${capp} names site and Pod; with an account there, kubectl capp kubeconfig <site> writes a kubeconfig (or ask that site's admins), and with it run: kubectl ${act} <pod> (docs/logs.md).`;
}
