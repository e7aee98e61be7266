// The turns of a CappSet in a world of many sites, for as long as a test wants. Time is Jest's.
import { jest } from '@jest/globals';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import type { SetWorld } from './set-world.ts';
import { turningSets } from './turning.ts';

const REF = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;
const TURN_MS = 15_000;

/** Turns again and again for so many milliseconds, as often as rings would have it. */
export function setTurns({ options }: Pick<SetWorld, 'options'>): (ms: number) => Promise<void> {
  const { turnFleet } = turningSets(options);
  let memory: RolloutMemory | null = null;
  return async (ms) => {
    const until = Date.now() + ms;
    while (Date.now() < until) {
      const turned = await turnFleet(REF, { memory, minimumVersions: {}, most: 100, isAgain: false });
      if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
      memory = turned.memory;
      await jest.advanceTimersByTimeAsync(turned.isMore ? 1 : TURN_MS);
    }
  };
}
