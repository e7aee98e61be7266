// The workflow that keeps the identity of one site's agent. A Schedule starts it; it keeps nothing between
// runs.
import { ApplicationFailure } from '@temporalio/common';
import { Failure } from '../failures.ts';
import { hub } from '../engine/proxies.ts';
import { readIdentityOrder } from '../parse/start.ts';
import type { Identified, IdentityOrder } from './order.ts';

/** Returns what became of the identity. Fails at once when it cannot read its input. */
export async function identity(order: IdentityOrder): Promise<Identified> {
  const { cluster } = begin(order);
  return hub(`Identity of the agent on ${cluster}`).identify(cluster);
}

function begin(order: unknown): IdentityOrder {
  try {
    return readIdentityOrder(order);
  } catch (error) {
    throw ApplicationFailure.create({
      type: Failure.Invalid,
      message: (error as Error).message,
      nonRetryable: true,
    });
  }
}
