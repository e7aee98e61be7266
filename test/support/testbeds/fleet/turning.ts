// The hub worker's activity for objects on many sites, for tests that have one kind of them.
import { bundleTurn, type BundleOptions } from '../../../../activities/hub/bundle/kind.ts';
import { hubFleets } from '../../../../activities/hub/rollout/turn.ts';
import { setTurn, type SetOptions } from '../../../../activities/hub/set/kind.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
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

/** By a hub worker with these names. */
export function turningBundles(stage: Pick<BundleOptions, 'caches' | 'events'> & Through): Fleets {
  const names = { hubUid: 'hub', config: RCS_CONFIG_KEY, siteNamespace: 'add-on', hubId: 'hub-a' };
  const turn = bundleTurn({ ...names, ...stage });
  return hubFleets(stage.kube, { CappSet: turn, Bundle: turn });
}
