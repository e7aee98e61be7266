// What a round of the registrar writes, by what it has read. Pure.
import { accountIn } from '../crds/ocm/managed-service-account.ts';
import type { Secret } from '../crds/kubernetes/core.ts';
import { clusterSecret, secretNameOf, serverOf, siteOf, textIn, type ClusterSecret } from './cluster.ts';

export interface LabelledSite {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** By the hub. */
  readonly isAccepted: boolean;
}

export interface ClustersSeen {
  /** The sites that are to be clusters of Argo CD. */
  readonly sites: readonly LabelledSite[];
  /** The sites with the add-on cluster-proxy. */
  readonly tunnels: ReadonlySet<string>;
  /** By site: what managed-serviceaccount has for the account. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Argo CD's clusters, whoever has made them, and all Secrets of ours. */
  readonly clusters: readonly Secret[];
  /** PEM. */
  readonly authority: string;
}

export interface ClusterRules {
  /** Argo CD's namespace. */
  readonly namespace: string;
  /** The ManagedServiceAccount of each site. */
  readonly account: string;
  readonly userServer: string;
  /** Milliseconds without a way after which a Secret goes. */
  readonly noWayMs: number;
}

export type RegistrarAct =
  | { readonly do: 'make' | 'change'; readonly site: string; readonly write: ClusterWrite }
  | { readonly do: 'remove'; readonly site: string; readonly found: FoundSecret };

export interface ClusterWrite extends ClusterSecret {
  /** Null where there is none yet. */
  readonly found: FoundSecret | null;
  /** Labels that go. */
  readonly without: readonly string[];
}

/** What is written over or removed: exactly that, and no later version of it. */
export interface FoundSecret {
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface ClusterPlan {
  readonly acts: readonly RegistrarAct[];
  /** By site: the sentence why it has no Secret, or will lose it. */
  readonly remarks: ReadonlyMap<string, string>;
  /** By site: since when it has no way, to be given to the next plan. */
  readonly noWaySince: ReadonlyMap<string, number>;
}

/** `before` and `now` in milliseconds of one clock. */
export function planned(
  seen: ClustersSeen,
  rules: ClusterRules,
  before: ReadonlyMap<string, number>,
  now: number,
): ClusterPlan {
  const acts: RegistrarAct[] = [];
  const remarks = new Map<string, string>();
  const noWaySince = new Map<string, number>();
  const ours = oursIn(seen.clusters);
  for (const { name: site, labels, isAccepted } of seen.sites) {
    const found = ours.get(site) ?? null;
    const why = isAccepted ? whyNoWay(seen, rules, site) : unaccepted(site);
    if (why !== null) {
      const since = before.get(site) ?? now;
      noWaySince.set(site, since);
      const isOver = now - since >= rules.noWayMs;
      remarks.set(site, found === null || isOver ? `${why}.` : leavingAfter(why, rules.noWayMs));
      if (found !== null && isOver) acts.push({ do: 'remove', site, found: foundOf(found) });
      continue;
    }
    const taken = takenBy(seen, rules, site);
    if (taken !== null) remarks.set(site, taken);
    // Where ours was first, the other one is for a person to delete: without ours nothing would deploy.
    if (taken !== null && found === null) continue;
    const token = seen.tokens.get(site) ?? '';
    const wanted = clusterSecret({ site, labels, token, ...rules, authority: seen.authority });
    const write = writeOf(found, wanted);
    if (write !== null) acts.push({ do: found === null ? 'make' : 'change', site, write });
  }
  return { acts: [...acts, ...removals(ours, seen.sites)], remarks, noWaySince };
}

/** Of the Secrets whose sites nobody wants any more. */
function removals(ours: ReadonlyMap<string, Secret>, sites: readonly LabelledSite[]): RegistrarAct[] {
  const wanted = new Set(sites.map(({ name }) => name));
  const left = [...ours].filter(([site]) => !wanted.has(site));
  return left.map(([site, secret]) => ({ do: 'remove', site, found: foundOf(secret) }));
}

function oursIn(clusters: readonly Secret[]): ReadonlyMap<string, Secret> {
  return new Map(
    clusters.flatMap((secret) => {
      const site = siteOf(secret);
      return site === null || secret.metadata.deletionTimestamp !== undefined ? [] : [[site, secret]];
    }),
  );
}

function unaccepted(site: string): string {
  return `spec.hubAcceptsClient of ManagedCluster ${site} is not true`;
}

/** Null if there is one. */
function whyNoWay({ tunnels, tokens }: ClustersSeen, { account }: ClusterRules, site: string): string | null {
  if (!tunnels.has(site)) return `${site} has no add-on cluster-proxy`;
  const token = tokens.get(site);
  if (token === undefined)
    return `managed-serviceaccount has made no token of ManagedServiceAccount ${account} for ${site}: make that account in namespace ${site} (docs/argo.md)`;
  // Whatever the Secret is called: a token says itself whose it is.
  if (accountIn(token)?.name === account) return null;
  return `Secret ${account} in namespace ${site} has no token of ServiceAccount ${account}`;
}

function leavingAfter(why: string, ms: number): string {
  return `${why}; its Secret goes once this has been so for ${ms / 60_000} minutes on end.`;
}

/** It has this cluster without a Secret. */
const OWN_CLUSTER = 'in-cluster';

/** The sentence, where Argo CD has the site under this name or address by somebody else's Secret. */
function takenBy(
  { clusters }: ClustersSeen,
  { namespace, userServer }: ClusterRules,
  site: string,
): string | null {
  if (site === OWN_CLUSTER)
    return `${site} is what Argo CD calls the cluster in which it runs, so the site gets no Secret. Take the label off ManagedCluster ${site}, or join the site by another name.`;
  const server = serverOf(userServer, site);
  const other = clusters.find(
    (one) =>
      siteOf(one) === null &&
      (one.metadata.name === secretNameOf(site) ||
        textIn(one, 'name') === site ||
        textIn(one, 'server') === server),
  );
  return other === undefined ? null : refusal(namespace, other.metadata.name, site);
}

/** Two Secrets of one cluster would make Argo CD refuse both. */
export function refusal(namespace: string, secret: string, site: string): string {
  return `Secret ${namespace}/${secret}, which is not Cappstan's, is in the way of ${site}: it is not touched. Delete it, so that ${site} has one of Cappstan's alone, or take the label off ManagedCluster ${site}.`;
}

/** Null where nothing is to be written. */
function writeOf(found: Secret | null, { labels, data }: ClusterSecret): ClusterWrite | null {
  if (found === null) return { labels, data, found: null, without: [] };
  const has = found.metadata.labels ?? {};
  const without = Object.keys(has).filter((name) => !(name in labels));
  const isSame =
    without.length === 0 &&
    Object.entries(labels).every(([name, value]) => has[name] === value) &&
    Object.entries(data).every(([key, value]) => found.data?.[key] === value);
  return isSame ? null : { labels, data, found: foundOf(found), without };
}

function foundOf({ metadata: { uid = '', resourceVersion = '' } }: Secret): FoundSecret {
  return { uid, resourceVersion };
}
