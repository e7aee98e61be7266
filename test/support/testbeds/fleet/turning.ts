// The hub worker's activity for objects on many sites, for tests that have one kind of them.
import { bundleTurn, type BundleParts } from '../../../../activities/hub/bundle/kind.ts';
import { hubFleets } from '../../../../activities/hub/rollout/turn.ts';
import { setTurn, type SetOptions } from '../../../../activities/hub/set/kind.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Fleets } from '../../../../workflows/fleet/port.ts';

interface Through {
  readonly kube: Kube;
}

export type SetParts = SetOptions & Through;

export function turningSets(parts: SetParts): Fleets {
  const turn = setTurn(parts);
  return hubFleets(parts.kube, { CappSet: turn, Bundle: turn });
}

export function turningBundles(parts: BundleParts & Through): Fleets {
  const turn = bundleTurn(parts);
  return hubFleets(parts.kube, { CappSet: turn, Bundle: turn });
}
