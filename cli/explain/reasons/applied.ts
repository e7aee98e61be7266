// Advice for the reasons of the condition Applied: whether the site has the newest generation, or what keeps
// it from it.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { EDIT, GOES_ON, LOOK, MOVE, NOTHING, WATCH, WORK, type Advice } from './advice.ts';

export const APPLIED = {
  Applied: { words: 'The site has this generation.', remedy: NOTHING, command: LOOK },
  Applying: { words: 'This generation is on its way to the site.', remedy: GOES_ON, command: WATCH },
  MissingReference: {
    words: 'A Secret or ConfigMap that a Pod needs is missing.',
    remedy: 'Create it in the namespace of the Capp; it is then shipped by itself.',
    command: 'kubectl -n {namespace} get secrets,configmaps',
  },
  NoSealingKey: {
    words: 'Secrets go to sites only sealed, and the site claims no key for that.',
    remedy: 'Whoever runs the site brings its add-on up to date; or name another site in spec.site.',
    command: 'kubectl get managedclusteraddons -A',
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
  HostnameClosed: {
    words: 'The hostname is in a domain that is not open to the namespace.',
    remedy: 'Use another hostname, or have whoever runs the hub name the namespace in the RCSConfig.',
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
  NamespaceClosed: {
    words:
      'The site has a Namespace of this name that no hub made, and has not opened it to the Capps of a hub.',
    remedy:
      'Use another namespace or another site, or have whoever runs the site open it with the command in the message.',
    command: MOVE,
  },
  NotAllowed: {
    words: "The site does not let the account as which the hub's Capps are applied apply an object.",
    remedy:
      'It is tried again each minute. Whoever runs the site looks at the ClusterRole and the ClusterRoleBinding that the message names: the add-on brings both back.',
    command: WORK,
  },
  OtherHub: {
    words: 'The site, the namespace there or the name there belongs to another hub.',
    remedy:
      'Take another name or another site, or have whoever runs the site let this hub in, as the message says.',
    command: MOVE,
  },
  SiteUnreachable: {
    words: 'The site cannot be reached; what runs there may go on.',
    remedy: 'It goes on when the site is back. The Capp leaves by itself if its policy allows it.',
    command: 'kubectl describe managedcluster {site}',
  },
} as const satisfies Partial<Record<HubReason, Advice>>;
