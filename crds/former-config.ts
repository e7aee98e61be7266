// The ConfigMaps by which container-app-operator was configured before its CappConfig (v0.1.5 to v0.3.5).

export const FORMER_NAMESPACE = 'capp-operator-system';

/** What one replica should carry, by metric, and activationScale. */
export const AUTOSCALE_DEFAULTS = { namespace: FORMER_NAMESPACE, name: 'autoscale-defaults' } as const;
/** zone, cname, issuer and provider. */
export const DNS_CONFIG = { namespace: FORMER_NAMESPACE, name: 'dns-config' } as const;
