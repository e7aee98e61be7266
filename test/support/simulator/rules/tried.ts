// What a run of a thousand lives has always tried: where one of these is missing, the lives have become tame,
// and that no rule was broken says little.
import type { Counts } from './tally.ts';

export interface Ways {
  readonly lies?: boolean;
  readonly fleets?: boolean;
}

const ALWAYS = [
  'Temporal is wiped',
  'a process starts anew',
  'a request gets 403',
  'a request gets 409',
  'a request gets 422',
  'a request gets 500',
  'a site is lost',
  'a turn is lost',
  'a work is changed',
  'a work is deleted',
  'capps say Migrating True AwaitsChecks',
  'capps say Stalled True DeadlinePassed',
  'capps say Verified False ChecksFailed',
  'capps say Verified True ChecksPassed',
  'drains say Complete True Done',
  'the next step is abandon',
  'the next step is arrive',
  'the next step is extend',
  'the next step is remove',
  'the next step is requestTurn',
  'the next step is retire',
  'the next step is switch',
] as const;

/** Of lives without a fleet: most with one have no other Capps. */
const CAPPS = [
  'a Capp leaves because it is unhealthy',
  'a Capp leaves because its site is another hub’s',
  'a Capp stays with a site that is another hub’s',
  'another hub has a Namespace',
  'another hub has a name',
  'another hub has a site',
  'another hub has deleted a copy and taken its name',
  'capps say Applied False OtherHub',
  'capps say Migrating False FleetUnhealthy',
  'capps say Stalled True Unhealed',
] as const;

const LIES = [
  'a lie: another site answers, which is refused with PERMISSION_DENIED',
  'a lie: it answers awaitVerdict, which is let through',
  'a lie: it answers inspect, which is let through',
  'a lie: it answers measure, which is let through',
  'a lie: it answers report, which is let through',
  'a lie: it answers report, which is refused with INVALID_ARGUMENT',
  'a lie: it answers report, which is refused with NOT_FOUND',
  'a lie: it marks a work of its namespace as that of another Capp',
  'a lie: it polls the queue of others, which is refused with PERMISSION_DENIED',
  'a lie: it says that a task has Failed, which is let through',
  'a lie: it sends audit, which is let through',
  'a lie: it sends audit, which is refused with PERMISSION_DENIED',
  'a lie: it sends migrate, which is refused with PERMISSION_DENIED',
  'a lie: it sends ring, which is let through',
  'a lie: it sends ring, which is refused with PERMISSION_DENIED',
  'a lie: StartWorkflowExecution, which is refused with PERMISSION_DENIED',
] as const;

const FLEETS = [
  'a copy of a fleet is removed',
  'a running copy is changed in a window',
  'a site gets a revision with offline Fail',
  'a stage that draws its sites is passed',
  'the plot is a canary that is cut off',
  'the plot is a drawn canary that is cut off',
  'the plot is a lost canary',
  ...['bundles', 'cappsets'].flatMap((plural) =>
    [
      'False Aborted',
      'False OutsideWindow',
      'False Paused',
      'False RemovalHeld',
      'False RolledBack',
      'False SitesFailed',
      'False SitesOffline',
      'False Unproven',
      'True RollingBack',
      'True Soaking',
    ].map((how) => `${plural} say Progressing ${how}`),
  ),
  'bundles say Progressing False AwaitsApproval',
  'bundles say Progressing False LastCopy',
] as const;

/** What a run of many lives should have tried, and has not. */
export function untried(counts: Counts, { lies = false, fleets = false }: Ways): readonly string[] {
  const wanted = [...ALWAYS, ...(lies ? LIES : []), ...(fleets ? FLEETS : CAPPS)];
  return wanted.filter((what) => (counts[what] ?? 0) === 0);
}
