// Advice for the reasons in decision records and moves: why a site was left out, and why a Capp left one.
import type { ExclusionReason } from '../../../workflows/placement/exclude.ts';
import type { LeaveReason } from '../../../workflows/types/leave-reasons.ts';
import { MOVE, NOTHING, SITES, WATCH, type Advice } from './advice.ts';

export const EXCLUSIONS: Readonly<Record<ExclusionReason, Advice>> = {
  Hub: {
    words: 'is the hub itself, which runs no Capps',
    remedy: 'Whoever runs the hub lets the Placement select other clusters.',
    command: 'kubectl describe placements -A',
  },
  Removed: {
    words: 'is being removed, or is no managed cluster any more',
    remedy: 'Nothing has to be done, unless the site should be there.',
    command: SITES,
  },
  NotAccepted: {
    words: 'has not been accepted on the hub',
    remedy: 'Whoever runs the hub accepts the ManagedCluster.',
    command: SITES,
  },
  Unfit: {
    words: 'does not fit spec.requires',
    remedy: 'Correct spec.requires, or let the label or claim be given to a site.',
    command: 'kubectl get managedclusters --show-labels',
  },
  Draining: {
    words: 'is being drained, and nothing new is placed there',
    remedy: 'Wait until the Drain is deleted; whoever ordered it is named there.',
    command: 'kubectl get drains -o wide',
  },
  Avoided: {
    words: 'failed this Capp a short while ago, and is avoided for ten minutes',
    remedy: 'Wait, or ask for the site by name: that is tried at once.',
    command: 'kubectl capp move {name} <site> -n {namespace}',
  },
  StillLeaving: {
    words: 'is still removing an earlier copy',
    remedy: 'Wait until it has; if the site never returns, give the copy up.',
    command: 'kubectl capp abandon {name} <site> -n {namespace}',
  },
  NotHealthy: {
    words: 'cannot be reached or is tainted, and an unhealthy Capp needs a healthy site',
    remedy: 'Wait until it is in order again.',
    command: SITES,
  },
  ToBeLeft: {
    words: 'is the site that the Capp should leave',
    remedy: NOTHING,
    command: WATCH,
  },
};

export const LEAVING: Readonly<Record<LeaveReason, Advice>> = {
  SiteGone: {
    words: 'its site was no managed cluster any more',
    remedy: NOTHING,
    command: SITES,
  },
  SiteLost: {
    words: 'its site could not be reached',
    remedy: 'If that site never returns, give up the copy there.',
    command: 'kubectl capp abandon {name} <site> -n {namespace}',
  },
  Tainted: { words: 'its site was tainted NoSelect', remedy: NOTHING, command: SITES },
  NotSelected: {
    words: 'no placement selected its site any more',
    remedy: 'To keep a Capp where it is, set spec.migration.policy to Evacuate or Manual.',
    command: 'kubectl -n {namespace} edit capp {name}',
  },
  Unfit: {
    words: 'its site did not fit spec.requires any more',
    remedy: 'To keep a Capp where it is, set spec.migration.policy to Evacuate or Manual.',
    command: 'kubectl -n {namespace} edit capp {name}',
  },
  Unhealthy: {
    words: 'its site called it unhealthy for longer than spec.migration.unhealthy allows',
    remedy: 'See what that site said of it; to keep a Capp where it is, leave spec.migration.unhealthy out.',
    command: 'kubectl describe capp {name} -n {namespace}',
  },
  OtherHub: {
    words: 'its site, or the namespace or the name there, belongs to another hub',
    remedy:
      'The message names that hub. Have whoever runs the site let this hub in, if the Capp is to be there.',
    command: 'kubectl describe capp {name} -n {namespace}',
  },
  SiteEdited: {
    words: 'spec.site was changed',
    remedy: 'To go back, change spec.site again.',
    command: 'kubectl -n {namespace} edit capp {name}',
  },
  Asked: { words: 'somebody asked for it', remedy: 'To go back, ask again.', command: MOVE },
  Failback: {
    words: 'the site that it had to leave was good again',
    remedy: 'To stay, set spec.migration.failback to Never.',
    command: 'kubectl -n {namespace} edit capp {name}',
  },
};
