// How a hub is, by what its command, its doors and its processes are: pure.
import { processName } from '../../local/cappstan/processes.ts';
import type { ChildView } from '../../local/supervise/child.ts';

/** `Shut`: it runs, and lets nobody in until a person has admitted its sites. */
export type HubState = 'Running' | 'NotReady' | 'Shut' | 'Stopped';

export interface HubFacts {
  readonly directory: string;
  /** The command runs. */
  readonly isHeld: boolean;
  readonly isShut: boolean;
  /** As the supervisor sees them; null: nobody but the owner of the directory knows. */
  readonly processes: readonly Pick<ChildView, 'name' | 'phase' | 'lastEnd'>[] | null;
}

/** It is started last: without it a start is under way. */
const LAST = processName('hub', 'hub');

/** `problem`: what is not as it should be, and what helps; null when nothing is. */
export function stateOf({ directory, isHeld, isShut, processes }: HubFacts): {
  readonly state: HubState;
  readonly problem: string | null;
} {
  if (processes === null)
    return {
      state: isHeld ? 'Running' : 'Stopped',
      problem: `${directory} cannot be read: it is its owner's alone, or its disk does not answer. Run this as its owner to see more.`,
    };
  if (!isHeld) return { state: 'Stopped', problem: null };
  if (isShut)
    return {
      state: 'Shut',
      problem: `Nobody can come in. See what the sites have: cappstan hub admit --data-dir ${directory}`,
    };
  const waiting = processes.filter(({ phase }) => phase !== 'ready');
  if (waiting.length > 0) {
    const said = waiting.map(({ name, lastEnd }) => (lastEnd === null ? name : `${name} (${lastEnd})`));
    return { state: 'NotReady', problem: `Not ready: ${said.join(', ')}. See ${directory}/logs.` };
  }
  if (!processes.some(({ name }) => name === LAST))
    return { state: 'NotReady', problem: 'It is starting, or stopping.' };
  return { state: 'Running', problem: null };
}
