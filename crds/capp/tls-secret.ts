// The Secret with the certificate of a Capp's hostname, where its user brings one instead of having one
// issued.
import type { CappSpec } from './capp.ts';

/**
 * The name in `spec.routeSpec.tlsSecret`; null where it has no effect: without a hostname, and without
 * tlsEnabled, there is nothing to serve with it.
 */
export function tlsSecretOf({ routeSpec }: Pick<CappSpec, 'routeSpec'>): string | null {
  const { hostname = '', tlsEnabled = false, tlsSecret = '' } = routeSpec ?? {};
  return hostname === '' || !tlsEnabled || tlsSecret === '' ? null : tlsSecret;
}
