// Whether a Capp that is unhealthy on its site leaves for another one. Pure.
import { clock } from '../types/clock.ts';
import type { Healing } from '../types/health.ts';
import { withoutStop } from '../types/sentences.ts';
import type { PlacedInputs } from './inputs.ts';
import type { FleetHealth, Go, PlacementHistory, CappMoveRules, Stay } from './outcome.ts';
import { poolOf, select } from './select.ts';
import { elsewhere, goes, stays } from './stay-or-go.ts';

/** Together: of three Capps, one is a third already, and shares its fault with nobody. */
const FEWEST = 2;

/**
 * Takes what the review says of a Capp that has no other reason to leave, and whose site can be reached and
 * is not tainted.
 */
export function onceIll(
  inputs: PlacedInputs,
  { illness }: PlacementHistory,
  { rules, now, outcome }: { readonly rules: CappMoveRules; readonly now: number; readonly outcome: Stay },
): Stay | Go {
  if (illness === undefined || rules.unhealthyMs === undefined) return outcome;
  const { present } = inputs;
  const { since, says, fleet, healing } = illness;
  const { handled } = outcome;
  const what = `the Capp is unhealthy on ${present} since ${clock(since)} (${withoutStop(says)})`;
  const but = (reason: Stay['reason'], why: string): Stay =>
    stays(reason, `Although ${what}, it stays: ${why}.`, handled);
  const pool = poolOf(inputs);
  if (typeof pool !== 'string' && pool.placement === null)
    return but('Pinned', 'spec.site names its site. Change spec.site to move it');
  if (rules.policy === 'Manual') return but('Manual', 'spec.migration.policy is Manual');
  if (healing !== undefined && !mayGoBack(healing, present))
    return stays('Unhealed', bothSay(healing, present, says), handled);
  const held = heldBy(fleet);
  if (held !== null) return but('FleetUnhealthy', held);
  const message = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  const healthy = { ...inputs, onlyHealthy: true } as const;
  const to =
    healing === undefined
      ? elsewhere(healthy, now)
      : select({ ...healthy, present: null, left: present, only: healing.from }, now);
  return goes('Unhealthy', message, to, { rules, handled });
}

/** It has gone once, and is where it went: the site that it left is the only other one. */
function mayGoBack({ moves, to }: Healing, present: string): boolean {
  return moves === 1 && present === to;
}

/** Why nobody moves for it now; null if the Capp is unhealthy by itself. */
function heldBy({ ill, of, percent, sameElsewhere }: FleetHealth): string | null {
  if (percent === 0) return 'unhealthyPercent of the RCSConfig is 0, so no Capp moves for that';
  if (percent === 100) return null;
  if (sameElsewhere !== undefined)
    return `Capp ${sameElsewhere.name} with the same images is unhealthy on ${sameElsewhere.site}, too, so what they share is to blame, such as the image or a database. Mend that, or move it by hand: kubectl capp move`;
  if (ill < FEWEST || ill * 100 < percent * of) return null;
  // Without their number: it changes with each of them, and each change would be another status.
  return `${percent} % of all Capps or more (unhealthyPercent of the RCSConfig) have turned unhealthy with it, so what they share is to blame, such as a registry or a dependency. Mend that, or move it by hand: kubectl capp move`;
}

/** What both sites say of it, and what a person can do. */
function bothSay({ from, to, said }: Healing, present: string, says: string): string {
  const words = { ...said, [present]: says };
  const all = [...new Set([from, to, present])].map(
    (site) => `${site}: ${withoutStop(words[site] ?? 'nothing was said')}`,
  );
  return `The Capp is unhealthy on ${present}, and a move did not heal it. ${all.join('. ')}. It stays on ${present} until somebody asks for a move or changes its spec.`;
}
