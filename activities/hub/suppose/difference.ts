// What would go otherwise after an edit of a Placement or of the RCSConfig: on each site what its review and
// its selection say in both worlds, and who would get a site that has none. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { select } from '../../../workflows/placement/select.ts';
import type { ChoiceCaches } from '../caches.ts';
import { claimOf, knownWorks, recordedSite } from '../claim.ts';
import type { ChooseOptions } from '../place/ground.ts';
import { placementInputs } from '../place/placement-inputs.ts';
import { decidedBy, decisionFor, placementKey } from '../rollout/decision.ts';
import { afterEdit, type SupposedEdit } from './edit.ts';
import { NOBODY_WAITS, outlooksIn, type Outlook, type SpreadObject, type Worlds } from './outlook.ts';
import type { Estimate } from './world.ts';

/**
 * Only what differs: Capps, sets and Bundles of all sites, site by site; then Capps that wait for a site, and
 * what would come to a site. `now` in milliseconds since the epoch.
 */
export function differencesBy(
  present: ChooseOptions,
  edit: SupposedEdit,
  spreads: readonly SpreadObject[],
  now: number,
): Outlook[] {
  const supposed = { ...present, caches: afterEdit(present.caches, edit) };
  const worlds = { present, supposed };
  const estimates = estimatesOf(present.caches, edit);
  const sites = present.caches.clusters.list().map(({ metadata }) => metadata.name);
  const looked = { estimates, spreads, waitingFor: '' };
  const onSites = sites.toSorted().flatMap((site) => {
    const before = outlooksIn({ present, supposed: present }, { ...looked, estimates: [], site }, now);
    const after = outlooksIn(worlds, { ...looked, site }, now);
    return after.filter((one) => isOther(one, before)).map((one) => placed(one, site));
  });
  return [...onSites, ...placedNow(worlds, estimates, now), ...arrivals(worlds, estimates, spreads)];
}

/**
 * What a trial cannot know, since it has no sites that it could keep: which of them OCM keeps under a number,
 * and that it keeps one with a taint against new selections.
 */
function estimatesOf(caches: ChoiceCaches, edit: SupposedEdit): Estimate[] {
  if (edit.of !== 'Placement') return [];
  const { namespace = '', name } = edit.object.metadata;
  const placement = `${namespace}/${name}`;
  const isCounted = edit.object.spec?.numberOfClusters !== undefined;
  const mayStay = decidedBy(caches, placement).clusters.some(
    (site) => !edit.clusters.includes(site) && isForNew(caches.clusters.get({ namespace: null, name: site })),
  );
  return isCounted || mayStay ? [{ placement, afterSeconds: 0, selectsAnother: isCounted }] : [];
}

function isForNew(cluster: ManagedCluster | undefined): boolean {
  return cluster?.spec?.taints?.some(({ effect }) => effect === 'NoSelectIfNew') === true;
}

function isOther(after: Outlook, before: readonly Outlook[]): boolean {
  const former = before.find(({ kind, name }) => kind === after.kind && name === after.name);
  return former?.does !== after.does || former.to !== after.to || former.reason !== after.reason;
}

function placed(one: Outlook, site: string): Outlook {
  return one.does === 'Stays' ? { ...one, to: site } : one;
}

/** Capps without a site, in the order of their names. */
function placedNow({ present, supposed }: Worlds, estimates: readonly Estimate[], now: number): Outlook[] {
  return present.caches.capps
    .list()
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((capp) => {
      const [before, after] = [present, supposed].map((options) => siteFor(options, capp, now));
      if (before === null || after === null || before?.to === after?.to) return [];
      return after === undefined ? [] : [{ ...after, isEstimate: estimates.length > 0 }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Null for a Capp that has a site: it is told of above. */
function siteFor(options: ChooseOptions, capp: Capp, now: number): Outlook | null {
  const { namespace = '', name } = capp.metadata;
  const claim = claimOf(options.caches, { namespace, name }, null);
  const works = knownWorks(options.caches, claim);
  if (works.length > 0 || recordedSite(capp) !== null) return null;
  const ask = { minimumVersions: {}, present: null, avoid: {}, works: [], history: null };
  const key = `${namespace}/${name}`;
  const subject = { key, capp, works, doubtful: [], isRivalled: claim.rivals.length > 0, ask };
  const found = select(placementInputs(options, NOBODY_WAITS, subject), now);
  const who = { kind: 'Capp', name: key, afterSeconds: 0, isEstimate: false } as const;
  return found.cluster === null
    ? { ...who, does: 'Waits', to: null, reason: found.reason, message: found.message }
    : { ...who, does: 'Arrives', to: found.cluster, reason: 'Placed', message: found.message };
}

function arrivals(
  { present, supposed }: Worlds,
  estimates: readonly Estimate[],
  spreads: readonly SpreadObject[],
): Outlook[] {
  return spreads.flatMap((one) => {
    const before = decisionFor(present, one).clusters;
    const { namespace, name } = placementKey(supposed, one);
    const isEstimate = estimates.some(({ placement }) => placement === `${namespace}/${name}`);
    return decisionFor(supposed, one)
      .clusters.filter((cluster) => !before.includes(cluster))
      .map((to) => ({
        kind: one.kind,
        name: `${one.metadata.namespace ?? ''}/${one.metadata.name}`,
        does: 'Arrives' as const,
        to,
        afterSeconds: 0,
        isEstimate,
        reason: 'Selected',
        message: `Its Placement would select ${to} too. Its stages and windows say when the copy comes.`,
      }));
  });
}
