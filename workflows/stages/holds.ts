// The sentences about why a rollout does nothing more at present, and what would help.
import { lostIn, type StageView } from './sites.ts';
import type { Hold, Target } from './types.ts';
import { clock } from '../types/clock.ts';

const MOST_NAMED = 3;

export function noSites(): Hold {
  const message = 'There is no site. See which sites the placement selects.';
  return { reason: 'NoSites', message, until: null };
}

export function paused(): Hold {
  return { reason: 'Paused', message: 'The rollout is paused. Resume it, and it goes on.', until: null };
}

export function aborted(revision: string): Hold {
  const message = `The rollout of revision ${revision} was aborted: no further site gets it. Edit the spec, undo it, or retry to begin it again at the first stage.`;
  return { reason: 'Aborted', message, until: null };
}

export function sitesFailed(view: StageView): Hold {
  const lost = view.failed.filter(({ reachable, revision }) => !reachable && revision === view.goal);
  const away = lost.length === 0 ? '' : ` ${lostSince(lost)}`;
  const isLeft = view.failed.some(({ isUnselected }) => isUnselected === true);
  const left = isLeft ? ' A site that is no longer selected counts no more once its copy is deleted.' : '';
  const message = `${failuresOf(view)}${away} Mend the sites and retry, edit the spec, or undo it.${left}`;
  return { reason: 'SitesFailed', message, until: null };
}

/** One sentence. */
export function failuresOf({ stage, failed, failedBefore }: StageView): string {
  const all = [...failed, ...failedBefore];
  const [said] = failed.flatMap(({ verification }) => verification?.result ?? []);
  const why = said?.verdict === 'Failed' ? ` ${said.says}` : '';
  return `${all.length} of ${sites(stage.sites.length)} of stage ${stage.name} failed (${named(all)}), and maxFailures allows ${stage.maxFailures}.${why}`;
}

export function rollingBack(cause: string, until: number | null): Hold {
  const message = `${cause} The sites that were changed get the earlier revision, the last stage first.`;
  return { reason: 'RollingBack', message, until };
}

export function rolledBack(cause: string): Hold {
  const message = `${cause} Every site that can be reached has the earlier revision again. Edit the spec, or retry to begin once more at the first stage.`;
  return { reason: 'RolledBack', message, until: null };
}

/** Nothing more is tried: some sites have not become Ready at the earlier revision, or not got it. */
export function notRolledBack(cause: string, failed: readonly Target[]): Hold {
  const stuck = failed.filter(({ leavingSince }) => leavingSince !== undefined);
  const unready = failed.filter(({ leavingSince }) => leavingSince === undefined);
  const message = [
    cause,
    ...(unready.length === 0
      ? []
      : [
          `${named(unready)} did not become Ready at the earlier revision: mend what condition Ready says there, or edit the spec.`,
        ]),
    ...(stuck.length === 0
      ? []
      : [
          `The copy on ${named(stuck)} is being deleted and does not go: see which metadata.finalizers keep it. The earlier revision is written when it is gone.`,
        ]),
    'Every other site that can be reached has the earlier revision again.',
  ].join(' ');
  return { reason: 'SitesFailed', message, until: null };
}

export function awaitsApproval({ stage }: StageView): Hold {
  const { name } = stage;
  const waiting =
    stage.sites.length === 0
      ? `Stage ${name} waits for approval. It has no site now: one that comes into it would get this revision unasked.`
      : `Stage ${name} with ${sites(stage.sites.length)} waits for approval.`;
  return { reason: 'AwaitsApproval', message: `${waiting} Approve it for this revision.`, until: null };
}

export function outsideWindow(until: number | null): Hold {
  const next =
    until === null
      ? 'None of spec.strategy.windows ever opens: correct their timeZone.'
      : `It goes on at ${clock(until)}. Change spec.strategy.windows to go on sooner.`;
  return { reason: 'OutsideWindow', message: `No window is open. ${next}`, until };
}

export interface Deadlines {
  /** Of all sites under way, in milliseconds since the epoch; null if there is none. */
  readonly first: number | null;
  /** Of those that cannot be reached. */
  readonly lost: number | null;
}

/** `views` with sites under way; `going` is told to be so now. */
export function sitesUnderWay(
  views: readonly StageView[],
  going: readonly string[],
  { first, lost: lostUntil }: Deadlines,
): Hold {
  const lost = lostIn(views);
  const waiting = views
    .flatMap(({ underWay }) => underWay.filter(({ reachable }) => reachable))
    .map(({ cluster }) => cluster)
    .concat(going);
  const leaving = views.flatMap((view) => view.leaving);
  const parts = [
    ...(waiting.length > 0 ? [`The rollout waits for ${namedOf(waiting)} to become Ready.`] : []),
    ...(lostUntil === null ? [] : [`${lostSince(lost)} ${lostSaid(lost.length, lostUntil)}`]),
    ...(leaving.length > 0
      ? [`The copy on ${named(leaving)} is being deleted, and is written again when it is gone.`]
      : []),
  ];
  const message = parts.length === 0 ? 'Sites wait for their turn.' : parts.join(' ');
  return { reason: 'SitesUnderWay', message, until: first };
}

/** One sentence. */
function lostSince(lost: readonly Target[]): string {
  return `${named(lost)} cannot be reached since ${lost.length === 1 ? 'it' : 'they'} got the revision.`;
}

function lostSaid(count: number, until: number): string {
  const which = count === 1 ? 'it' : 'the first of them';
  return `At ${clock(until)} ${which} has failed, unless it is Ready again.`;
}

export function sitesOffline({ stage, offline }: StageView): Hold {
  const message = `Stage ${stage.name} waits for ${named(offline)}, which cannot be reached. Bring them back, or set spec.strategy.offline to Later.`;
  return { reason: 'SitesOffline', message, until: null };
}

export function unproven({ stage }: StageView): Hold {
  const why = stage.sites.length === 0 ? 'has no site' : 'has no site that is Ready at this revision';
  const message = `Stage ${stage.name} ${why}, so it proves nothing. Label a site for it, bring one back, or take the stage out of spec.strategy.stages.`;
  return { reason: 'Unproven', message, until: null };
}

/** It has checks, and no site that is Ready runs an app that they could ask. */
export function unchecked({ stage }: StageView): Hold {
  const message = `The app is disabled on every site of stage ${stage.name} that is Ready, so its checks prove nothing to the stages behind it. Enable the app on one of its sites, label another site for it, or take verify out of the stage.`;
  return { reason: 'Unproven', message, until: null };
}

export function soaking({ stage }: StageView, until: number): Hold {
  const message = `The sites of stage ${stage.name} are Ready, and must stay so until ${clock(until)}. Lower its soakSeconds to go on sooner.`;
  return { reason: 'Soaking', message, until };
}

/** `until`: when the first verdict is overdue; null before the checks have begun. */
export function verifying({ stage }: StageView, waiting: readonly Target[], until: number | null): Hold {
  const checks = (stage.verify ?? []).map(({ name }) => name).join(', ');
  const late = until === null ? '' : ` A verdict that has not come by ${clock(until)} is none.`;
  const message = `The sites of stage ${stage.name} are Ready, and the app is checked (${checks}) on ${named(waiting)}.${late}`;
  return { reason: 'Verifying', message, until };
}

export function inconclusive({ stage }: StageView, unknown: readonly Target[]): Hold {
  const [said] = unknown.flatMap(({ verification }) => verification?.result ?? []);
  const why = said === undefined || said.says === '' ? 'No verdict has come in time.' : said.says;
  const message = `The checks of stage ${stage.name} came to no verdict on ${named(unknown)}. ${why} A person decides: approve the stage for this revision, or retry to check once more.`;
  return { reason: 'VerificationInconclusive', message, until: null };
}

function named(targets: readonly Target[]): string {
  return namedOf(targets.map(({ cluster }) => cluster));
}

function namedOf(clusters: readonly string[]): string {
  const first = clusters.slice(0, MOST_NAMED).join(', ');
  const more = clusters.length - MOST_NAMED;
  return more > 0 ? `${first} and ${more} more` : first;
}

function sites(count: number): string {
  return count === 1 ? '1 site' : `${count} sites`;
}
