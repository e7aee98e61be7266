// The labels of a site's ManagedCluster: pure.
import { SITE_LABELS } from '../../../../crds/metal/labels.ts';
import type { SipSite } from '../../../../crds/metal/site.ts';
import { LOCAL_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { CLUSTER_SET_LABEL } from '../../../../crds/ocm/placements.ts';

export interface SiteLabels {
  /** Null takes a label away. */
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** By these prefixes OCM and we know what a cluster is and has, and which set it is in. */
const RESERVED = /(^|\.)(open-cluster-management\.io|rcs\.dana\.io)\//;

/** Labels that nobody may ask for who has a cluster made. */
export function foreignLabels({ labels = {} }: Pick<SipSite, 'labels'>): readonly string[] {
  return Object.keys(labels).filter((key) => key === LOCAL_CLUSTER || RESERVED.test(key));
}

export function wantedLabels({ labels = {}, clusterSet }: SipSite): Readonly<Record<string, string>> {
  return { ...labels, ...(clusterSet === undefined ? {} : { [CLUSTER_SET_LABEL]: clusterSet }) };
}

/** The keys that we have written, so that those that are not asked for any more go. */
export function labelsNote(site: SipSite): Readonly<Record<string, string>> {
  return { [SITE_LABELS]: Object.keys(wantedLabels(site)).toSorted().join(',') };
}

/** What is to be written; null: nothing. Labels that others have written stay. */
export function labelsOf(site: SipSite, { metadata }: ManagedCluster): SiteLabels | null {
  const wanted = wantedLabels(site);
  const note = labelsNote(site);
  const { labels: has = {}, annotations = {} } = metadata;
  const before = (annotations[SITE_LABELS] ?? '').split(',').filter((key) => key !== '');
  const isSame =
    Object.entries(wanted).every(([key, value]) => has[key] === value) &&
    annotations[SITE_LABELS] === note[SITE_LABELS];
  if (isSame) return null;
  const gone = before.filter((key) => !Object.hasOwn(wanted, key)).map((key) => [key, null] as const);
  return { labels: { ...Object.fromEntries(gone), ...wanted }, annotations: note };
}
