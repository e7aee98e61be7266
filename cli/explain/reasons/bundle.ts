// Advice for each reason that the hub gives for a Bundle, for a site of one, or for a manifest on a site.
import type { BundleReason } from '../../../crds/bundle/status.ts';
import { GOES_ON, NOTHING, type Advice } from './advice.ts';
import { EDIT_SET, PLACEMENTS, ROLLOUT } from './rollout.ts';

const LOOK = 'kubectl -n {namespace} describe bundle {name}';
const EDIT = 'kubectl -n {namespace} edit bundle {name}';

/** What is said of a set, of a Bundle. */
function ofBundle({ words, remedy, command }: Advice): Advice {
  const asked = command === EDIT_SET ? EDIT : command.replace('{name}', 'bundle/{name}');
  const said = (text: string): string => text.replaceAll('the template', 'the Bundle');
  return { words: said(words), remedy: said(remedy), command: asked };
}

const ROLLOUT_OF_BUNDLE = Object.fromEntries(
  Object.entries(ROLLOUT).map(([reason, advice]) => [reason, ofBundle(advice)]),
) as typeof ROLLOUT;

export const BUNDLES: Readonly<Record<BundleReason, Advice>> = {
  ...ROLLOUT_OF_BUNDLE,
  NoPlacement: {
    words: 'The Placement that spec.placement names does not exist, so no site is added, changed or left.',
    remedy: 'Create it, correct spec.placement, or ask whoever runs the hub.',
    command: PLACEMENTS,
  },
  RemovalHeld: {
    words:
      'More than a tenth of its sites would be left within ten minutes, or a person let only some of them go, so a person is asked first.',
    remedy: 'Select the sites again, or allow the removal of exactly these.',
    command: 'kubectl capp rollout approve-removal bundle/{name} <number of sites> -n {namespace}',
  },
  RevisionGone: {
    words: 'The hub cannot ship that earlier revision again, so the site keeps what it has.',
    remedy: 'Edit the Bundle, so that there is a revision for the site.',
    command: EDIT,
  },
  ChecksFailed: {
    words: 'A Job that checks the Bundle on the site has failed, or came to no verdict in time.',
    remedy: 'Read its words and its log on the site; correct the app or the Job, or have it run once more.',
    command: 'kubectl capp rollout retry bundle/{name} -n {namespace}',
  },
  Ready: { words: 'All manifests are applied and ready.', remedy: NOTHING, command: LOOK },
  Shipping: { words: 'The revision has just been sent, or is next.', remedy: GOES_ON, command: LOOK },
  Applying: { words: 'The site has not applied everything yet.', remedy: GOES_ON, command: LOOK },
  NotReady: {
    words: 'An object is applied and not ready.',
    remedy: 'Wait, or correct the manifest; the message has what the rule of its kind looks at.',
    command: EDIT,
  },
  StillLeaving: {
    words: 'The site still cleans up an earlier work of this name.',
    remedy: GOES_ON,
    command: LOOK,
  },
  Invalid: {
    words: 'A manifest is not whole, or is there twice.',
    remedy: 'Correct the one that the message names.',
    command: EDIT,
  },
  Unreadable: {
    words: 'A key in spec.manifestsFrom holds no YAML.',
    remedy: 'Correct the key that the message names.',
    command: 'kubectl -n {namespace} get configmaps',
  },
  MissingSource: {
    words: 'A ConfigMap or Secret in spec.manifestsFrom does not exist.',
    remedy: 'Create it, or take it out of the Bundle.',
    command: EDIT,
  },
  TooLarge: {
    words: 'The manifests have more than 500 KiB.',
    remedy: 'Make several Bundles of them.',
    command: EDIT,
  },
  ExecutorRefused: {
    words: 'This namespace may not use the rights of the work agent.',
    remedy: 'Leave spec.executor out, or ask whoever runs the hub to list the namespace.',
    command: EDIT,
  },
  SecretNotSealed: {
    words:
      'A Secret is in the Bundle, and Secrets may go to sites only sealed, which those of Bundles cannot be.',
    remedy:
      'Have a Capp refer to the Secret, ship an ExternalSecret in its place, or ask whoever runs the hub to list the namespace in spec.secrets.unsealedBundles of the RCSConfig.',
    command: EDIT,
  },
  UnknownSite: {
    words: 'The hub knows no site of that name, or has not accepted it.',
    remedy: 'Correct spec.sites.clusters, or ask whoever runs the hub to accept the cluster.',
    command: EDIT,
  },
  SiteNotAllowed: {
    words: 'The namespace may not send anything to that site.',
    remedy: 'Name another site, or ask whoever runs the hub to allow it.',
    command: EDIT,
  },
  SiteUnreachable: {
    words: 'The hub does not hear from the site.',
    remedy: 'Whoever runs the site brings it back: it gets the revision then.',
    command: LOOK,
  },
  NameTaken: {
    words: "Somebody's own ManifestWork has the name of the Bundle's.",
    remedy: 'Delete that work, or give the Bundle another name.',
    command: 'kubectl -n {site} get manifestworks',
  },
  Refused: {
    words: 'The hub refuses the ManifestWork.',
    remedy:
      'Whoever runs the hub reads the message: it is about rights of the hub worker, or a webhook of OCM.',
    command: LOOK,
  },
  WriteFailed: {
    words:
      "The hub's API server could not write the ManifestWork just now. It is tried again until the deadline.",
    remedy:
      'Nothing has to be done at first. If it lasts, ask whoever runs the hub which webhook fails, and then retry.',
    command: LOOK,
  },
  NotAllowed: {
    words: 'The site does not let the executor apply an object.',
    remedy: 'An admin of the site gives it the rights that the message names; it is tried again each minute.',
    command: LOOK,
  },
  Conflict: {
    words: 'Somebody else on the site has set a field, and it stays as it is.',
    remedy: 'Take the field out of the Bundle, or have the other give it up.',
    command: EDIT,
  },
  Rejected: {
    words: "The site's API server refuses an object.",
    remedy: 'Correct the manifest; if its kind is missing there, ship the CustomResourceDefinition first.',
    command: EDIT,
  },
  BadRule: {
    words: 'A rule in spec.ready cannot be evaluated.',
    remedy: 'Correct the CEL in spec.ready; the status of the ManifestWork has its words.',
    command: EDIT,
  },
  Failed: {
    words: 'An object on the site says that it has failed for good.',
    remedy: 'Read its words, and correct the manifest; or mend it on the site, and ask for a retry.',
    command: LOOK,
  },
  WrongPlural: {
    words: 'The site calls a kind otherwise.',
    remedy: 'Set spec.plurals as the message says.',
    command: EDIT,
  },
  Progressing: { words: 'Nothing waits for a person.', remedy: GOES_ON, command: LOOK },
  DeadlinePassed: {
    words: 'The revision has been on its way to a site for longer than spec.strategy.deadlineSeconds.',
    remedy: 'The objects below say what keeps them; correct the Bundle, or bring the site back.',
    command: LOOK,
  },
  Leaving: { words: 'It is being deleted, and sites clean up.', remedy: GOES_ON, command: LOOK },
  SiteLost: {
    words: 'It is being deleted, and a site that has still to clean up cannot be reached.',
    remedy: 'Bring the site back, or give up what is there.',
    command: 'kubectl -n {namespace} annotate bundle {name} rcs.dana.io/abandon=<site>',
  },
};
