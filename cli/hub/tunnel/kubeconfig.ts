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
