// What stands for a strategy that nobody can read.
import { Strategy } from '../../../crds/rollout/stages.ts';

/** A strategy. `isUnread`: it only stands for one that cannot be read. No user can write that. */
export type StrategyOrUsual = Strategy & { readonly isUnread?: true };

/**
 * In place of a strategy that cannot be read: no site changes, so only its patience counts. Which stages
 * there are, and which of them have checks, nobody knows then.
 */
export const USUAL_STRATEGY: StrategyOrUsual = { ...Strategy.parse({}), isUnread: true };
