// The kinds of which a life can be.
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import { BUNDLES } from './lived-bundle.ts';
import { SETS } from './lived-set.ts';
import type { Lived } from './lived.ts';

export const LIVED: Readonly<Record<FleetKind, Lived>> = { CappSet: SETS, Bundle: BUNDLES };
