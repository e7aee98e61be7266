// Which placements count for a Capp, and which clusters they have decided for. Pure.
import type { PlacementInputs } from './inputs.ts';

/** The placements that count for the Capp: all, or the one that `spec.site` names. */
export function placementsFor({
  placements,
  site,
}: Pick<PlacementInputs, 'placements' | 'site'>): readonly string[] {
  return (placements ?? []).filter((name) => site === '' || name === site);
}

/** Whether a placement that counts has decided for the cluster. */
export function isDecided(inputs: PlacementInputs, cluster: string): boolean {
  return placementsFor(inputs).some((name) => decidedFor(inputs, name).includes(cluster));
}

/** The union of a Placement's decisions. */
export function decidedFor(inputs: PlacementInputs, placement: string): readonly string[] {
  return inputs.byPlacement[placement]?.clusters ?? [];
}
