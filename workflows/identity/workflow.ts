// The workflow that keeps the identity of one site's agent. A Schedule starts it; it keeps nothing between
// runs.
import { inputOf } from '../engine/input.ts';
import { hub } from '../engine/proxies.ts';
import { readIdentityOrder } from '../parse/start.ts';
import type { Identified, IdentityOrder } from './order.ts';

/** Returns what became of the identity. Fails at once when it cannot read its input. */
export async function identity(order: IdentityOrder): Promise<Identified> {
  const { cluster } = inputOf(() => readIdentityOrder(order));
  return hub(`Identity of the agent on ${cluster}`).identify(cluster);
}
