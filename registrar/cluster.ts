// The Secret by which Argo CD knows a site: its name, what is in it, and whether one that is there is ours.
// Pure.
import type { Secret } from '../crds/kubernetes/core.ts';
import { isOfTool } from '../crds/capp/travelling.ts';
import { isOurs, MANAGED_BY, MANAGED_BY_REGISTRAR } from '../crds/labels.ts';

/** By this label Argo CD finds the Secrets of its clusters. */
export const SECRET_TYPE = 'argocd.argoproj.io/secret-type';
export const OF_CLUSTER = 'cluster';

const PREFIX = 'cappstan-site-';

export interface SiteAsCluster {
  readonly site: string;
  /** Of the ManagedCluster. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of cluster-proxy's user server: https, without the site. */
  readonly userServer: string;
  /** PEM: what has signed that server's certificate. */
  readonly authority: string;
  /** Which the site accepts. It goes into the Secret, and nowhere else. */
  readonly token: string;
}

export interface ClusterSecret {
  readonly labels: Readonly<Record<string, string>>;
  /** Base64, as in a Secret. */
  readonly data: Readonly<Record<string, string>>;
}

export function secretNameOf(site: string): string {
  return `${PREFIX}${site}`;
}

/** The site of a Secret that the registrar has made; null of any other. */
export function siteOf({ metadata: { name, labels } }: Secret): string | null {
  const isMade = name.startsWith(PREFIX) && labels?.[MANAGED_BY] === MANAGED_BY_REGISTRAR;
  return isMade ? name.slice(PREFIX.length) : null;
}

/** Where Argo CD finds the site: cluster-proxy's user server has each site below its name. */
export function serverOf(userServer: string, site: string): string {
  return `${userServer.replace(/\/+$/, '')}/${site}`;
}

/** As Argo CD documents it (Declarative Setup, Clusters). */
export function clusterSecret({ site, labels, userServer, authority, token }: SiteAsCluster): ClusterSecret {
  const config = { bearerToken: token, tlsClientConfig: { caData: base64(authority) } };
  return {
    labels: {
      ...selectable(labels),
      [SECRET_TYPE]: OF_CLUSTER,
      [MANAGED_BY]: MANAGED_BY_REGISTRAR,
    },
    data: {
      name: base64(site),
      server: base64(serverOf(userServer, site)),
      config: base64(JSON.stringify(config)),
    },
  };
}

/** A value of a Secret's data; empty where there is none. */
export function textIn({ data }: Pick<Secret, 'data'>, key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
}

/**
 * Labels by which tools know what they manage, and those that change by themselves. With Argo CD's own mark
 * on it, the Secret would be pruned as a part of the Application that has made the ManagedCluster.
 */
const NOT_COPIED = ['app.kubernetes.io/', 'helm.sh/', 'feature.open-cluster-management.io/'];

/** What ApplicationSets may select clusters by. */
function selectable(labels: Readonly<Record<string, string>>): Record<string, string> {
  const isCopied = (name: string): boolean =>
    !isOurs(name) && !isOfTool(name) && !NOT_COPIED.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(labels).filter(([name]) => isCopied(name)));
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
