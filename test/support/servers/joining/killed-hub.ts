// A hub that is killed at each step of a join, and started again.
import { eventually } from '../../../../testbed/eventually.ts';
import type { Begun } from '../hub-command/begun.ts';
import type { HubCommand } from '../hub-command/hub-command.ts';

/** How `cappstan join` says a step: its phase, and a reason if it has one. */
const STEP = /^([A-Z][A-Za-z]+(?:, [A-Z][A-Za-z]+)?): /gm;
const WITHIN_MS = 400_000;

/** Ends with the command, and returns the steps at which the hub was killed. */
export async function killedAtEachStep(joining: Begun, hub: HubCommand): Promise<readonly string[]> {
  const killedAt: string[] = [];
  let [seen, hasEnded] = [0, false];
  void joining.ended.then(() => {
    hasEnded = true;
  });
  /** Undefined: none yet. */
  const newStep = (): string | undefined => {
    const said = [...joining.output().matchAll(STEP)].map(([, step = '']) => step);
    const isNew = said.length > seen;
    seen = said.length;
    return isNew ? said.at(-1) : undefined;
  };
  for (;;) {
    const step = await eventually(() => (hasEnded ? 'ended' : newStep()), {
      withinMs: WITHIN_MS,
      everyMs: 20,
    });
    if (hasEnded) return killedAt;
    await hub.stop('SIGKILL');
    killedAt.push(step);
    await hub.start();
  }
}
