// What ends a simulated world: a rule that does not hold.
import type { World } from '../world/world.ts';

/** Says which rule, and what showed it. */
export interface Breach {
  readonly message: string;
}

/** The world ends with the first breach. */
export function fail(world: Pick<World, 'fail'>, rule: string, what: unknown): void {
  world.fail({ message: `${rule}: ${typeof what === 'string' ? what : JSON.stringify(what)}` });
}

export function breachOf(error: unknown): Breach {
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
