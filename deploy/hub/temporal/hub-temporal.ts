// The Temporal of a hub: one of its own, or somebody else's.
import type { HubConfig } from '../config/config.ts';
import type { ExternalTemporal } from '../config/temporal.ts';
import type { HubFoundation } from '../foundation.ts';
import { embeddedTemporal, type HubTemporal } from './embedded.ts';

/** Starts nothing. Safe to repeat, and renews what is due of its own. */
export function hubTemporal({ temporal }: HubConfig, foundation: HubFoundation): Promise<HubTemporal> {
  return temporal.mode === 'embed'
    ? embeddedTemporal(foundation, temporal.ui)
    : Promise.resolve(external(temporal));
}

/** Our processes read the files, and look at them again while they run. */
function external({ address, namespace, tls }: ExternalTemporal): HubTemporal {
  const { ca, pair, serverName = null } = tls ?? {};
  return {
    address,
    ui: '',
    specs: [],
    values: { 'temporal.namespace': namespace },
    env: {
      ...(ca === undefined ? {} : { TEMPORAL_TLS_CA: ca }),
      ...(pair === undefined ? {} : { TEMPORAL_TLS_CERT: pair.cert, TEMPORAL_TLS_KEY: pair.key }),
      ...(serverName === null ? {} : { TEMPORAL_SERVER_NAME: serverName }),
    },
  };
}
