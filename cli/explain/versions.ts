// Which versions of Cappstan a person, the hub and the sites run, and what to do where they differ. Pure.
import type { HubStatusReport } from '../../crds/hub/hub-status.ts';
import { SITE_OPERATOR_CLAIM } from '../../crds/ocm/cluster-claim.ts';
import type { ManagedCluster } from '../../crds/ocm/ocm.ts';

export interface Versions {
  /** Of this program. */
  readonly client: string;
  /** What the bridge has published of itself; null where that is not known. */
  readonly hub: string | null;
  /** The builds of the hub workers: the one that runs the workflows first. Empty where they are not known. */
  readonly builds: readonly string[];
  /** What agents have claimed, the version of most sites first; null if the person may not read sites. */
  readonly sites: readonly SitesOfVersion[] | null;
  /** A sentence for each difference, with what helps. */
  readonly skew: readonly string[];
}

export interface SitesOfVersion {
  /**
   * Null: the site claims none, since no agent of ours has been there, or another operator runs its Capps.
   */
  readonly version: string | null;
  /** Sorted by name. */
  readonly sites: readonly string[];
}

export interface Known {
  readonly client: string;
  /** Null: the person may not read it. */
  readonly status: HubStatusReport | null;
  readonly clusters: readonly ManagedCluster[] | null;
}

export function versionsFrom({ client, status, clusters }: Known): Versions {
  const hub = status?.bridge ?? null;
  const { current, others = [] } = status?.hubWorkers ?? {};
  const builds = [...(current === undefined ? [] : [current]), ...others];
  const sites = clusters === null ? null : sitesBy(clusters);
  const skew = [...clientSkew(client, hub), ...hubSkew(hub, builds), ...siteSkew(hub, sites ?? [])];
  return { client, hub, builds, sites, skew };
}

function sitesBy(clusters: readonly ManagedCluster[]): SitesOfVersion[] {
  const found = new Map<string | null, string[]>();
  for (const { metadata, status } of clusters) {
    const claim = status?.clusterClaims?.find(({ name }) => name === SITE_OPERATOR_CLAIM)?.value ?? null;
    found.set(claim, [...(found.get(claim) ?? []), metadata.name]);
  }
  return [...found]
    .map(([version, sites]) => ({ version, sites: sites.toSorted() }))
    .toSorted((a, b) => b.sites.length - a.sites.length);
}

/** As the chart writes the name of a build, which has no `-`. */
function plain(version: string): string {
  return version.replace(/^v(?=\d)/, '').replaceAll('-', '.');
}

/** A program that runs from its sources has no version, and neither has a hub without builds. */
const UNNAMED: ReadonlySet<string> = new Set(['from sources', 'dev']);

function differ(one: string | null, other: string | null): boolean {
  if (one === null || other === null || UNNAMED.has(one) || UNNAMED.has(other)) return false;
  return plain(one) !== plain(other);
}

function clientSkew(client: string, hub: string | null): string[] {
  return differ(client, hub)
    ? [
        `This program is ${client}, and the hub ${hub}: what one of them does not know yet it does not show. Get the program of the hub's version.`,
      ]
    : [];
}

function hubSkew(hub: string | null, builds: readonly string[]): string[] {
  const [current, ...others] = builds;
  const strange = current !== undefined && differ(hub, current.replace(/-\d+$/, ''));
  return [
    ...(strange
      ? [
          `The bridge is ${hub}, and build ${current} runs the workflows. Wait until the upgrade is done, or upgrade the whole chart.`,
        ]
      : []),
    ...(others.length === 0
      ? []
      : [
          `Hub workers of ${others.join(', ')} still run beside the current build ${current}. Wait until the upgrade is done, or stop them.`,
        ]),
  ];
}

const NAMED = 5;

function siteSkew(hub: string | null, sites: readonly SitesOfVersion[]): string[] {
  return sites
    .filter(({ version }) => differ(version, hub))
    .map(({ version, sites: names }) => {
      const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
      return `The agents of ${names.slice(0, NAMED).join(', ')}${more} are ${version}, and the hub is ${hub}. They may be older or newer for a while; OCM brings the hub's version to each site that it reaches.`;
    });
}
