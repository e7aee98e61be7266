// How much a quantity is in an object that nobody has checked yet.
import { amountOf } from '../crds/kubernetes/quantity.ts';

/** NaN for what is no quantity, which is neither more nor less than anything. */
export function amount(quantity: unknown): number {
  if (typeof quantity !== 'number' && typeof quantity !== 'string') return Number.NaN;
  try {
    return amountOf(quantity);
  } catch {
    return Number.NaN;
  }
}
