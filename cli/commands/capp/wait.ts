// `kubectl capp wait`: ends when a Capp is as it should be, or cannot be.
import { goalFrom, GOALS, verdictOn } from '../../explain/capp/goal.ts';
import { CommandFailure } from '../../exit.ts';
import { keyFrom, readCapp } from '../../hub/objects/capps.ts';
import { acting, onHub, type Program } from '../command.ts';
import { timeout, waitFor, type TimeoutFlag } from './waiting.ts';

interface Flags extends TimeoutFlag {
  readonly for: string;
}

export function addWait(program: Program): void {
  const command = onHub(program.root.command('wait'))
    .description('wait until a Capp is Ready, gone, or on a site')
    .argument('<capp>', 'its name, or namespace/name')
    .option('--for <goal>', `what to wait for: ${GOALS}`, 'ready');
  timeout(command).action(
    acting<Flags>(program, async (call) => {
      const { args, flags, hub, terminal } = call;
      const goal = goalFrom(flags.for);
      if (goal === null) throw new CommandFailure('usage', `"${flags.for}" is none of ${GOALS}.`);
      const key = keyFrom(args[0] ?? '', hub.namespace);
      const capp = await readCapp(hub, `${key.namespace}/${key.name}`).catch((error: unknown) => {
        if (goal.kind === 'deleted' && error instanceof CommandFailure && error.exit === 'notFound')
          return null;
        throw error;
      });
      if (capp !== null)
        return waitFor(call, capp, (now) => verdictOn(goal, now), `${key.name} is not ${flags.for}`);
      terminal.out(`There is no Capp ${key.name} in namespace ${key.namespace}.`);
      return 'done';
    }),
  );
}
