// Messages for when no cluster can be chosen: what is missing, and what to do about it.
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

const EXCUSES: Record<ExclusionReason, string> = {
  Hub: 'is the hub itself',
  Removed: 'is being removed or is no managed cluster',
  NotAccepted: 'has not been accepted on the hub (spec.hubAcceptsClient)',
  Draining: 'is being drained',
  Avoided: 'failed to take over this Capp a short while ago',
  StillLeaving: 'is still removing an earlier copy',
  ToBeLeft: 'is the site that the Capp should leave',
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
      return `No Placement named ${listed(wantedPlacements(inputs))} exists in namespace ${namespace}. Create one, or correct spec.placements of the RCSConfig.`;
    case 'NoDecision':
      return `Placement ${listed(wantedPlacements(inputs))} in namespace ${namespace} has selected no cluster yet. Look at its conditions: kubectl -n ${namespace} describe placement.`;
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
      return `${excluded.map(namesOf).join(', ')} is being drained, and nothing new is placed there. Name another site, or wait until the Drain is deleted: kubectl get drain ${first} -o wide says who ordered it, and why.`;
    }
    case 'NoCandidate':
      return `No selected cluster can take the Capp: ${excluded.map(excuseText).join('; ')}.`;
  }
}

function wantedPlacements(inputs: PlacementInputs): readonly string[] {
  return inputs.site === '' ? (inputs.placements ?? []) : [inputs.site];
}

function sites(inputs: PlacementInputs): string[] {
  return Object.keys(inputs.clusters)
    .filter((name) => inputs.clusters[name]?.isHub === false)
    .toSorted();
}

function excuseText(entry: Excluded): string {
  return `${namesOf(entry)} ${EXCUSES[entry.reason]}`;
}

function namesOf({ count, examples }: Excluded): string {
  const more = count - examples.length;
  return `${examples.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - NAMES;
  return names.slice(0, NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
