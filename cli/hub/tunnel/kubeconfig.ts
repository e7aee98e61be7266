// A kubeconfig that leads to a site through cluster-proxy's user server. Pure.

export interface SiteEntry {
  readonly site: string;
  readonly account: string;
  /** https, without the site. */
  readonly server: string;
  /**
   * By which its certificate is checked, where it is reached by another one; null for that of the address.
   */
  readonly tlsName: string | null;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
}

/** With one context, which has the site's name. kubectl reads it as it is. */
export function siteKubeconfig({ site, account, ...way }: SiteEntry): object {
  const user = `${account}@${site}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': site,
    clusters: [
      {
        name: site,
        cluster: {
          server: `${way.server.replace(/\/+$/, '')}/${site}`,
          ...(way.tlsName === null ? {} : { 'tls-server-name': way.tlsName }),
          'certificate-authority-data': Buffer.from(way.authority).toString('base64'),
        },
      },
    ],
    users: [{ name: user, user: { token: way.token } }],
    contexts: [{ name: site, context: { cluster: site, user } }],
  };
}

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
