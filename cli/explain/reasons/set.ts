// Advice for each reason that the hub gives for a CappSet, and for a site of one.
import type { SetReason, SetSiteReason } from '../../../crds/set/status.ts';
import { GOES_ON, NOTHING, type Advice } from './advice.ts';
import { EDIT_SET, PLACEMENTS, ROLLOUT, STATUS } from './rollout.ts';

export const SET: Readonly<Record<SetReason, Advice>> = {
  ...ROLLOUT,
  SitesReady: {
    words: 'Every site that can be reached is Ready at this revision.',
    remedy: NOTHING,
    command: STATUS,
  },
  SitesNotReady: {
    words: 'Every site has the revision, and not all of them are Ready with it.',
    remedy: 'Mend what the sites below say.',
    command: STATUS,
  },
  Invalid: {
    words: 'The hub worker cannot read the set, so none of its Capps is changed.',
    remedy: 'Correct the field that the message names; after an upgrade apply the CRDs of that version.',
    command: STATUS,
  },
  Progressing: { words: 'Nothing waits for a person.', remedy: GOES_ON, command: STATUS },
  NoPlacement: {
    words: 'The Placement that spec.placement names does not exist, so no site is added and none is left.',
    remedy: 'Create it, correct spec.placement, or ask whoever runs the hub.',
    command: PLACEMENTS,
  },
  RemovalHeld: {
    words:
      'More than a tenth of its Capps would be removed within ten minutes, or a person let only some of them go, so a person is asked first.',
    remedy: 'Select the sites again, or allow the removal of exactly these.',
    command: 'kubectl capp rollout approve-removal {name} <number of Capps> -n {namespace}',
  },
  Deleting: {
    words: 'It is being deleted, and its Capps go first, each in its ordinary way.',
    remedy:
      'Wait; if a site never returns, annotate the CappSet with rcs.dana.io/abandon=<site> to give up the copy there.',
    command: 'kubectl -n {namespace} get capps -l rcs.dana.io/set={name}',
  },
};

const SITES = 'Take the site out of the selection, or ask whoever runs the hub.';

/** `{site}` is the site, and `{name}` the set. */
export const SET_SITES: Readonly<Record<SetSiteReason, Advice>> = {
  NotWritten: {
    words: 'The site has no Capp of the set yet.',
    remedy: 'Nothing has to be done: it gets one in its turn.',
    command: STATUS,
  },
  NotObserved: {
    words: 'The hub has not looked at its Capp yet.',
    remedy: GOES_ON,
    command: STATUS,
  },
  Progressing: {
    words: 'What its Capp says is about an earlier generation.',
    remedy: GOES_ON,
    command: STATUS,
  },
  Deleting: {
    words: 'Its Capp is being deleted, and is written again when it is gone.',
    remedy: 'Nothing has to be done; a site that cannot be reached has to come back first.',
    command: 'kubectl -n {namespace} get capps -l rcs.dana.io/set={name}',
  },
  NameTaken: {
    words: 'A Capp that is not of the set already has the name, and is not taken over.',
    remedy: 'Delete or rename that Capp, and then retry.',
    command: 'kubectl capp rollout retry {name} {site} -n {namespace}',
  },
  Overridden: {
    words: 'Somebody has changed fields of the Capp that the set writes.',
    remedy: 'Undo that or delete the Capp, and then retry.',
    command: 'kubectl capp rollout retry {name} {site} -n {namespace}',
  },
  Rejected: {
    words: 'The API server or a webhook refuses the Capp.',
    remedy: 'Correct what the message names, and then retry.',
    command: 'kubectl capp rollout retry {name} {site} -n {namespace}',
  },
  MissingLabel: {
    words: 'The template names a label that the site does not have.',
    remedy: 'Whoever runs the hub labels the ManagedCluster; or leave the placeholder out of the template.',
    command: EDIT_SET,
  },
  RevisionGone: {
    words: 'The revision that the site should get is no longer kept.',
    remedy: 'Edit the template, or go to a revision that is still kept.',
    command: 'kubectl capp history cappset/{name} -n {namespace}',
  },
  WriteFailed: {
    words: "The hub's API server could not write the Capp just now. It is tried again until the deadline.",
    remedy:
      'Nothing has to be done at first. If it lasts, ask whoever runs the hub which webhook fails, and then retry.',
    command: 'kubectl capp rollout retry {name} {site} -n {namespace}',
  },
  UnknownSite: {
    words: 'The hub knows no site of that name.',
    remedy: 'Correct spec.sites.clusters, or let the cluster join the hub.',
    command: EDIT_SET,
  },
  SelfManaged: {
    words: 'That cluster is the hub itself, which runs no Capps.',
    remedy: SITES,
    command: EDIT_SET,
  },
  PinRefused: { words: 'No Capp may be sent to that site by name.', remedy: SITES, command: EDIT_SET },
};
