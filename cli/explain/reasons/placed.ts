// Advice for the reasons of the condition Placed: how a Capp got its site, or why it has none.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { EDIT, LOOK, NOTHING, SITES, type Advice } from './advice.ts';

export const PLACED = {
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
} as const satisfies Partial<Record<HubReason, Advice>>;
