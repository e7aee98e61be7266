// OCM's accounts on sites: managed-serviceaccount makes a ServiceAccount there, and puts its token into a
// Secret of the site's namespace on the hub, under the same name.

export const MANAGED_SERVICE_ACCOUNT = {
  apiVersion: 'authentication.open-cluster-management.io/v1beta1',
  kind: 'ManagedServiceAccount',
  plural: 'managedserviceaccounts',
  namespaced: true,
} as const;

/** Is `true` on the Secrets that it makes, and on the ServiceAccounts of sites. */
export const OF_MANAGED_ACCOUNT = 'authentication.open-cluster-management.io/is-managed-serviceaccount';

/** What a token of a ServiceAccount says of itself. Nobody has checked it here: the site does. */
export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339; null if it says none. */
  readonly goodUntil: string | null;
}

/** The year 9999, in seconds: beyond it there are no dates. */
const LAST_SECOND = 253_402_300_799;

/** Null for what is no token of a ServiceAccount. */
export function accountIn(token: string): TokenClaims | null {
  const [, payload = ''] = token.split('.');
  const { sub, exp } = claimsIn(Buffer.from(payload, 'base64url').toString('utf8'));
  const [, namespace, name] = /^system:serviceaccount:([-a-z0-9]+):([-.a-z0-9]+)$/.exec(String(sub)) ?? [];
  if (namespace === undefined || name === undefined) return null;
  const isDate = typeof exp === 'number' && exp > 0 && exp <= LAST_SECOND;
  return { namespace, name, goodUntil: isDate ? new Date(exp * 1000).toISOString() : null };
}

function claimsIn(text: string): { readonly sub?: unknown; readonly exp?: unknown } {
  try {
    const claims: unknown = JSON.parse(text);
    return claims !== null && typeof claims === 'object' ? claims : {};
  } catch {
    return {};
  }
}
