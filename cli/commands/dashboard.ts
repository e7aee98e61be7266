// `kubectl capp dashboard`: a page on loopback that shows the hub with the person's own rights.
import { serveDashboard } from '../dashboard/serve.ts';
import { CommandFailure } from '../exit.ts';
import { acting, onHub, wholeNumber, type Program } from './command.ts';

interface Flags {
  readonly port?: number;
}

const HELP = `
The address works once, in one browser on this machine. The page stays until
you press Ctrl-C, or until nobody has looked at it for half an hour. It shows
and does what you may do on the hub with kubectl, and nothing else.`;

export function addDashboard(program: Program): void {
  onHub(program.root.command('dashboard'))
    .description('show fleet, apps, rollouts and drains on a page in your browser, and act there')
    .option('--port <number>', 'the port on this machine, instead of any that is free', wholeNumber)
    .addHelpText('after', HELP)
    .action(
      acting<Flags>(program, async ({ flags, hub, terminal }) => {
        const dashboard = await serveDashboard(hub, flags.port ?? 0).catch((error: unknown) => {
          throw isPortTaken(error)
            ? new CommandFailure('failed', `Port ${flags.port} is not free: choose another one with --port.`)
            : error;
        });
        terminal.out(dashboard.address);
        terminal.note(
          'Open this address in a browser on this machine. It works once. Ctrl-C ends the dashboard.',
        );
        terminal.interrupted.addEventListener('abort', dashboard.close, { once: true });
        if (terminal.interrupted.aborted) dashboard.close();
        if ((await dashboard.ended) === 'idle')
          terminal.note('Nobody has looked at the dashboard for half an hour, so it has ended.');
        return 'done';
      }),
    );
}

function isPortTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'EADDRINUSE' || code === 'EACCES' || code === 'ERR_SOCKET_BAD_PORT';
}
