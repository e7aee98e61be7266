// Advice for each reason that the hub gives in a Capp's conditions.
import type { HubReason } from '../../crds/capp/conditions.ts';
import { EDIT, LOOK, MOVE, SITES, WAIT, WATCH, WORK, type Advice } from './advice.ts';
import { NAMES } from './name-reasons.ts';

const NOTHING = 'Nothing has to be done.';
const GOES_ON = 'Nothing has to be done: it goes on by itself.';

export const PLACED: Readonly<Record<PlacedReason, Advice>> = {
  Chosen: { words: 'A placement has chosen the site.', remedy: NOTHING, command: LOOK },
  Pinned: {
    words: 'spec.site names the site, and the Capp stays there.',
    remedy: 'To let it move, change spec.site, or leave it empty for the best site.',
    command: EDIT,
  },
  NoConfig: {
    words: 'The hub has no RCSConfig, which says where Capps may go.',
    remedy: 'Whoever runs the hub creates the RCSConfig that the message names.',
    command: 'kubectl get rcsconfigs -A',
  },
  NoPlacement: {
    words: 'None of the Placements exists that the Capp may use.',
    remedy: 'Whoever runs the hub creates one, or corrects the RCSConfig.',
    command: 'kubectl get placements -A',
  },
  NoDecision: {
    words: 'No Placement has decided for a site yet.',
    remedy: "The Placement's conditions say why; taints, labels or clustersets may exclude every site.",
    command: 'kubectl describe placements -A',
  },
  UnknownSite: {
    words: 'spec.site names neither a placement nor a site.',
    remedy: 'Correct spec.site; the message lists both.',
    command: EDIT,
  },
  PinRefused: {
    words: 'Capps may not be sent by name to the site that spec.site names.',
    remedy: 'Name another site or a placement in spec.site, or leave it empty.',
    command: EDIT,
  },
  NotAccepted: {
    words: 'The hub has not accepted the site yet.',
    remedy: 'Whoever runs the hub accepts the ManagedCluster.',
    command: `kubectl patch managedcluster {site} --type=merge -p '{"spec":{"hubAcceptsClient":true}}'`,
  },
  NoCandidate: {
    words: 'No site that was decided for can take the Capp.',
    remedy: 'The table of sites says why each cannot; the Capp goes on when one can.',
    command: SITES,
  },
  Draining: {
    words: 'Every site that could take the Capp is being drained.',
    remedy: 'Name another site, or wait until the Drain is deleted; whoever ordered it is named there.',
    command: 'kubectl get drains -o wide',
  },
  SelfManaged: {
    words: 'Only the hub itself was decided for, and it cannot run Capps.',
    remedy: 'Whoever runs the hub lets the Placement select another cluster.',
    command: 'kubectl describe placements -A',
  },
  SiteRemoved: {
    words: 'spec.site names a site that is being removed.',
    remedy: 'Name another site in spec.site, or leave it empty.',
    command: EDIT,
  },
  StillLeaving: {
    words: 'An earlier copy has still to leave before a new one may start.',
    remedy: 'Wait, or if that site is lost, make sure that the app is stopped there and confirm it.',
    command: 'kubectl capp move {name} {site} --force -n {namespace}',
  },
};
type PlacedReason =
  | 'Chosen'
  | 'Pinned'
  | 'NoConfig'
  | 'NoPlacement'
  | 'NoDecision'
  | 'UnknownSite'
  | 'PinRefused'
  | 'NotAccepted'
  | 'NoCandidate'
  | 'Draining'
  | 'SelfManaged'
  | 'SiteRemoved'
  | 'StillLeaving';

export const APPLIED: Readonly<Record<AppliedReason, Advice>> = {
  Applied: { words: 'The site has this generation.', remedy: NOTHING, command: LOOK },
  Applying: { words: 'This generation is on its way to the site.', remedy: GOES_ON, command: WATCH },
  MissingReference: {
    words: 'A Secret or ConfigMap that a Pod needs is missing.',
    remedy: 'Create it in the namespace of the Capp; it is then shipped by itself.',
    command: 'kubectl -n {namespace} get secrets,configmaps',
  },
  TooLarge: {
    words: 'The Capp and what it refers to are larger than a ManifestWork may be.',
    remedy: 'Make smaller what the message names as biggest.',
    command: LOOK,
  },
  TooManyReferences: {
    words: 'The Capp refers to more ConfigMaps and Secrets than it may.',
    remedy: 'Put several of them into one.',
    command: EDIT,
  },
  NamespaceReserved: {
    words: "The namespace belongs to the clusters' own parts.",
    remedy: 'Use another namespace.',
    command: 'kubectl get namespaces',
  },
  HostnameTaken: {
    words: 'An older Capp asks for the same hostname.',
    remedy: 'Use another hostname in one of the two.',
    command: EDIT,
  },
  Rejected: {
    words: "The site's work agent could not apply the work.",
    remedy: "The work's conditions say which object, and why.",
    command: WORK,
  },
  Refused: {
    words: "The hub or the site's API server refuses what the Capp asks for.",
    remedy: 'The message says why; correct the Capp.',
    command: EDIT,
  },
  HubUnavailable: {
    words: "The hub's API server does not take the work; it is tried again.",
    remedy: 'What runs keeps running. Whoever runs the hub looks at its API server.',
    command: 'kubectl get --raw /readyz?verbose',
  },
  NotOurs: {
    words: 'The site already has an object of that name that somebody else made.',
    remedy: 'Rename one of them, or hand the object over with the command in the message.',
    command: WORK,
  },
  OtherHub: {
    words: 'The site belongs to another hub.',
    remedy: 'Choose another site, or let whoever runs the hubs hand the site over.',
    command: MOVE,
  },
  SiteUnreachable: {
    words: 'The site cannot be reached; what runs there may go on.',
    remedy: 'It goes on when the site is back. The Capp leaves by itself if its policy allows it.',
    command: 'kubectl describe managedcluster {site}',
  },
};
type AppliedReason =
  | 'Applied'
  | 'Applying'
  | 'MissingReference'
  | 'TooLarge'
  | 'TooManyReferences'
  | 'NamespaceReserved'
  | 'HostnameTaken'
  | 'Rejected'
  | 'Refused'
  | 'HubUnavailable'
  | 'NotOurs'
  | 'OtherHub'
  | 'SiteUnreachable';

/** Everything else that the hub says: of what runs, of moves, of deadlines and of deletions. */
export const AFTERWARDS: Readonly<Record<Exclude<HubReason, PlacedReason | AppliedReason>, Advice>> = {
  Serving: { words: 'A revision answers requests.', remedy: NOTHING, command: LOOK },
  NoSiteOperator: {
    words: 'Nothing looks at Capps on the site.',
    remedy: 'Whoever runs the site checks that the Deployment cappstan-site runs there.',
    command: 'kubectl -n {site} describe managedclusteraddon cappstan',
  },
  AgentSilent: {
    words: 'The agent on the site does not answer; the app may still run.',
    remedy: 'Whoever runs the site checks that cappstan-agent runs there and can reach Temporal.',
    command: 'kubectl -n {site} describe managedclusteraddon cappstan',
  },
  Missing: {
    words: 'The site does not have what was sent to it.',
    remedy: "The work agent puts it back within minutes; if not, the work's conditions say why.",
    command: WORK,
  },
  NotObserved: {
    words: 'The agent on the site has not seen this generation yet.',
    remedy: GOES_ON,
    command: WATCH,
  },
  Moving: { words: 'The Capp is moving to another site.', remedy: GOES_ON, command: WATCH },
  PermitAsked: {
    words: 'The Capp leaves with others, and waits for its turn.',
    remedy: 'If this lasts, the drain of the site is paused or its lanes are full.',
    command: WATCH,
  },
  NotMoving: { words: 'The Capp has no reason to leave its site.', remedy: NOTHING, command: LOOK },
  NotSelected: {
    words: 'No placement selects the site any more, and the Capp stays all the same.',
    remedy: 'Ask for a move, or set spec.migration.policy to Follow.',
    command: MOVE,
  },
  Manual: {
    words: 'The Capp should leave, and its policy is Manual.',
    remedy: 'Ask for a move.',
    command: MOVE,
  },
  Stabilising: {
    words: 'The reason to leave has to hold for a while.',
    remedy: 'Wait, or ask for a move.',
    command: MOVE,
  },
  CoolDown: {
    words: 'The Capp moved a short while ago, and stays for now.',
    remedy: 'Wait, or ask for a move: the cool-down does not hold that back.',
    command: MOVE,
  },
  AwaitsConfirmation: {
    words: 'The old copy may still run on a site that cannot be reached, and only one may run.',
    remedy: 'Make sure that it is stopped there, and then confirm it.',
    command: 'kubectl capp move {name} <new site> --force -n {namespace}',
  },
  MoveRefused: {
    words: 'The move that was asked for cannot be made.',
    remedy: 'The message says why; ask for another site.',
    command: MOVE,
  },
  Paused: {
    words: 'Somebody has paused the Capp: nothing is changed on any site.',
    remedy: 'Resume it.',
    command: 'kubectl capp resume {name} -n {namespace}',
  },
  WorkflowFailing: {
    words: "The Capp's own workflow fails again and again; what runs keeps running.",
    remedy: "Whoever runs the hub reads the hub worker's log, and restarts the workflow.",
    command: 'kubectl capp ui {name} -n {namespace}',
  },
  DeadlinePassed: {
    words: 'The Capp was not Ready in time.',
    remedy: 'Correct the Capp; a new generation has a new deadline.',
    command: EDIT,
  },
  Progressing: { words: 'No deadline has passed.', remedy: GOES_ON, command: WAIT },
  ...NAMES,
  Leaving: {
    words: 'The Capp is being deleted, and a site has still to remove its copy.',
    remedy: 'Wait; if it takes long, the klusterlet agent of that site does not run.',
    command: 'kubectl capp wait {name} --for deleted -n {namespace}',
  },
  AbandonRefused: {
    words: 'A copy was given up whose site can be reached.',
    remedy: 'Nothing has to be done: the site removes its copy by itself.',
    command: 'kubectl capp wait {name} --for deleted -n {namespace}',
  },
};

export const HUB: Readonly<Record<HubReason, Advice>> = { ...PLACED, ...APPLIED, ...AFTERWARDS };
