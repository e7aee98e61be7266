// Whether a Capp leaves a site that has refused it because the site, the namespace or the name is another
// hub's. Pure.
import type { PlacedInputs } from './inputs.ts';
import type { CappMoveRules, Go, Stay } from './outcome.ts';
import type { Handled } from '../types/moves.ts';
import { withoutStop } from '../types/sentences.ts';
import { elsewhere, goes, stays } from './stay-or-go.ts';

/** Takes a Capp of which nothing serves there, and that is not pinned. `says` has the other hub's id. */
export function turnedAway(
  inputs: PlacedInputs,
  says: string,
  {
    rules,
    now,
    handled,
  }: { readonly rules: CappMoveRules; readonly now: number; readonly handled: Handled | null },
): Stay | Go {
  const what = `${inputs.present} refuses the Capp (${withoutStop(says)})`;
  if (rules.policy === 'Manual')
    return stays('Manual', `Although ${what}, the Capp stays: spec.migration.policy is Manual.`, handled);
  return goes('OtherHub', what, elsewhere(inputs, now), { rules, handled });
}
