// Advice for reasons of rollouts over many sites that mean the same to a CappSet and to a Bundle. The
// commands are for a CappSet.
import type { RolloutReason } from '../../../crds/rollout/status.ts';
import { GOES_ON, type Advice } from './advice.ts';

export const STATUS = 'kubectl capp rollout status {name} -n {namespace}';
export const EDIT_SET = 'kubectl -n {namespace} edit cappset {name}';
const UNDO = 'kubectl capp rollout undo {name} -n {namespace}';
export const PLACEMENTS = 'kubectl get placements,placementdecisions -n {namespace}';

/** The others say what would be lost, and that is not the same for each kind. */
type Shared = Exclude<RolloutReason, 'NoPlacement' | 'RemovalHeld'>;

export const ROLLOUT: Readonly<Record<Shared, Advice>> = {
  NoSites: {
    words: 'No site is selected, so there is nothing to change.',
    remedy: 'Look at what its placement selects, or name sites in spec.sites.clusters.',
    command: EDIT_SET,
  },
  Paused: {
    words: 'Somebody has paused it: no site is changed.',
    remedy: 'Resume it.',
    command: 'kubectl capp rollout resume {name} -n {namespace}',
  },
  Aborted: {
    words: 'Somebody has aborted the rollout: no further site gets this revision.',
    remedy: 'Go back to the earlier revision, edit the template, or retry to begin again at the first stage.',
    command: UNDO,
  },
  SitesFailed: {
    words: 'More sites have failed than the strategy allows, and no further site is changed.',
    remedy: 'Mend what the sites below say and retry, edit the template, or go back to the earlier revision.',
    command: UNDO,
  },
  RollingBack: {
    words: 'The sites that were changed get the earlier revision again.',
    remedy: GOES_ON,
    command: STATUS,
  },
  RolledBack: {
    words: 'The sites have the earlier revision again, while the template asks for the other one.',
    remedy: 'Edit the template, or retry to begin once more at the first stage.',
    command: EDIT_SET,
  },
  AwaitsApproval: {
    words: 'The next stage begins only when a person approves it for this revision.',
    remedy: 'Approve it.',
    command: 'kubectl capp rollout approve {name} -n {namespace}',
  },
  OutsideWindow: {
    words: 'The strategy has windows, and none of them is open.',
    remedy: 'Wait until one opens, or change spec.strategy.windows.',
    command: EDIT_SET,
  },
  SitesUnderWay: {
    words: 'Sites are on their way to the revision, as many at once as may be.',
    remedy:
      'Nothing has to be done: it goes on when they are Ready, and a site that takes too long has failed.',
    command: STATUS,
  },
  SitesOffline: {
    words: 'A stage waits for sites that cannot be reached, as spec.strategy.offline asks.',
    remedy: 'Bring them back, or set spec.strategy.offline to Later.',
    command: EDIT_SET,
  },
  Unproven: {
    words:
      'No site of the stage is Ready at this revision, or, of a CappSet, its checks have no app to ask, so nothing speaks for it.',
    remedy:
      'Label a site for the stage, bring one back, enable the app of a CappSet on one, or take the stage, or its verify, out of spec.strategy.stages.',
    command: EDIT_SET,
  },
  Soaking: {
    words: 'The sites of the stage are Ready, and must stay so for a while.',
    remedy: 'Wait, or lower soakSeconds of the stage.',
    command: STATUS,
  },
  Verifying: {
    words: 'The sites of the stage are Ready, and the app is checked there.',
    remedy: 'Wait: the checks of the stage take as long as their interval and count say.',
    command: STATUS,
  },
  VerificationInconclusive: {
    words: 'The checks of the stage came to no verdict on some of its sites.',
    remedy: 'Retry to check once more, or approve the stage for this revision.',
    command: 'kubectl capp rollout retry {name} -n {namespace}',
  },
  LastCopy: {
    words:
      'Its last Ready copy is on a site that is no longer selected, and stays until another copy is Ready.',
    remedy: 'Mend the sites that are selected. Only if the app may be down meanwhile, allow the removal.',
    command: STATUS,
  },
  RemovalRefused: {
    words:
      'The hub refuses to remove a copy whose site is no longer selected, or whose owner is being deleted. The other sites go on.',
    remedy:
      'Ask whoever runs the hub: a webhook, or a missing right of the hub worker, is why. It is tried again each minute.',
    command: STATUS,
  },
  Done: {
    words: 'Every site that can be reached has the revision, or is named in status.failing with its reason.',
    remedy: 'Nothing, unless sites are named there.',
    command: STATUS,
  },
  NoDecision: {
    words: 'The Placement selects no site at present, and that is no reason to leave any.',
    remedy: "The Placement's conditions say why: labels, taints, or a clusterset that is not bound.",
    command: PLACEMENTS,
  },
  DecisionIncomplete: {
    words: 'The decisions of the Placement do not yet add up to what it says itself.',
    remedy: 'Wait a moment; if this lasts, whoever runs the hub looks at the placement controller of OCM.',
    command: PLACEMENTS,
  },
};
