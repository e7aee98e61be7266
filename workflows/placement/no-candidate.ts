// Messages for when no cluster can be chosen: what is missing, and what to do about it.
import { placementsFor } from './decided.ts';
import type { Excluded, ExclusionReason } from './exclude.ts';
import type { PlacementInputs } from './inputs.ts';

export type NoneReason =
  | 'NoConfig'
  | 'NoPlacement'
  | 'NoDecision'
  | 'UnknownSite'
  | 'PinRefused'
  | 'NotAccepted'
  | 'Draining'
  | 'NoCandidate'
  | 'SelfManaged'
  | 'SiteRemoved';

const NAMES = 10;

/** Of one site, and of several. */
const EXCUSES: Record<ExclusionReason, readonly [string, string]> = {
  Hub: ['is the hub itself', 'are the hub itself'],
  Removed: ['is being removed or is no managed cluster', 'are being removed or are no managed clusters'],
  NotAccepted: [
    'has not been accepted on the hub (spec.hubAcceptsClient)',
    'have not been accepted on the hub (spec.hubAcceptsClient)',
  ],
  Unfit: ['does not fit spec.requires', 'do not fit spec.requires'],
  Draining: ['is being drained', 'are being drained'],
  Avoided: [
    'failed to take over this Capp a short while ago',
    'failed to take over this Capp a short while ago',
  ],
  StillLeaving: ['is still removing an earlier copy', 'are still removing earlier copies'],
  NotHealthy: ['cannot be reached or is tainted', 'cannot be reached or are tainted'],
  ToBeLeft: ['is the site that the Capp should leave', 'are the sites that the Capp should leave'],
};

export function describeNone(
  reason: NoneReason,
  inputs: PlacementInputs,
  excluded: readonly Excluded[],
): string {
  const namespace = inputs.placementsNamespace;
  switch (reason) {
    case 'NoConfig':
      return `There is no RCSConfig that lists placements. Create RCSConfig ${inputs.config.name} in namespace ${inputs.config.namespace}.`;
    case 'NoPlacement':
      return `No Placement named ${listed(placementsFor(inputs))} exists in namespace ${namespace}. Create one, or correct spec.placements of the RCSConfig.`;
    case 'NoDecision':
      return `Placement ${listed(placementsFor(inputs))} in namespace ${namespace} has selected no cluster yet. Look at its conditions: kubectl -n ${namespace} describe placement.`;
    case 'UnknownSite':
      return `spec.site names ${inputs.site}, which is neither a placement (${listed(inputs.placements ?? [])}) nor a managed cluster (${listed(sites(inputs))}). Correct spec.site, or leave it empty.`;
    case 'PinRefused': {
      const open = sites(inputs).filter((name) => inputs.clusters[name]?.mayPin === true);
      const remedy = `Name a site that is (${listed(open)}), or let a placement choose`;
      return `${inputs.site} is in no clusterset of the placements, so no Capp can be sent there by name. ${remedy}; an administrator of the hub may allow all sites with pinning: Any in RCSConfig ${inputs.config.namespace}/${inputs.config.name}.`;
    }
    case 'SelfManaged':
      return 'The placements select only the hub itself, which cannot run Capps. Let a Placement select another cluster.';
    case 'SiteRemoved':
      return `spec.site names ${inputs.site}, which is being removed. Name another site, or leave spec.site empty.`;
    case 'NotAccepted': {
      const names = excluded.flatMap(({ examples }) => examples);
      const remedy = `kubectl patch managedcluster ${names[0]} --type=merge -p '{"spec":{"hubAcceptsClient":true}}'`;
      return `The hub has not accepted ${excluded.map(namesOf).join(', ')} (spec.hubAcceptsClient). To let it run Capps: ${remedy}.`;
    }
    case 'Draining': {
      const [first] = excluded.flatMap(({ examples }) => examples);
      return `${excluded.map(excuseText).join('; ')}, and nothing new is placed there. Name another site, or wait until the Drain is deleted: kubectl get drain ${first} -o wide says who ordered it, and why.`;
    }
    case 'NoCandidate':
      if (excluded.length === 0 && inputs.only !== undefined)
        return `No placement selects ${inputs.only}, which the Capp has left, and it goes to no third site by itself. Let a Placement select ${inputs.only}, or move it by hand: kubectl capp move.`;
      return `No selected cluster can take the Capp: ${excluded.map(excuseText).join('; ')}.${unfitRemedy(excluded)}`;
  }
}

function sites(inputs: PlacementInputs): string[] {
  return Object.keys(inputs.clusters)
    .filter((name) => inputs.clusters[name]?.isHub === false)
    .toSorted();
}

function excuseText(entry: Excluded): string {
  const failed = entry.failed === undefined ? '' : ` (${entry.failed})`;
  const [one, several] = EXCUSES[entry.reason];
  return `${namesOf(entry)} ${entry.count === 1 ? one : several}${failed}`;
}

function unfitRemedy(excluded: readonly Excluded[]): string {
  if (!excluded.some(({ reason }) => reason === 'Unfit')) return '';
  return ' Correct spec.requires, or let a Placement select a site that fits; the Capp goes on when one does.';
}

function namesOf({ count, examples }: Excluded): string {
  const more = count - examples.length;
  const [last, ...others] = examples.toReversed();
  if (more > 0 || others.length === 0) return `${examples.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${others.toReversed().join(', ')} and ${last}`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - NAMES;
  return names.slice(0, NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
