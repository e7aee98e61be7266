// Faults of where Capps may go: the RCSConfig, its Placements, the sites. Pure.
import { PLACEMENT_LABEL } from '../../crds/ocm/placements.ts';
import type { Site } from '../explain/sites.ts';
import type { DoctorFacts, Fault } from './facts.ts';

export function configFaults({ configs, placements, decisions }: DoctorFacts): Fault[] {
  if (configs === null) return [];
  const about = 'placements';
  const [config] = configs;
  if (config === undefined)
    return [
      {
        about,
        problem: 'There is no RCSConfig, so no Capp can be placed.',
        remedy: 'Create one that lists the Placements that Capps may use (docs/install.md).',
      },
    ];
  const { placements: names, placementsNamespace: namespace } = config.spec;
  return names.flatMap((name): Fault[] => {
    if (placements !== null && !placements.some(isPlacementOf(namespace, name)))
      return [
        {
          about,
          problem: `The RCSConfig lists Placement ${name}, which does not exist in namespace ${namespace}.`,
          remedy: 'Create it, or correct the RCSConfig.',
        },
      ];
    if (decisions === null || hasDecided(decisions, namespace, name)) return [];
    return [
      {
        about,
        problem: `Placement ${name} in namespace ${namespace} has decided for no site.`,
        remedy: `kubectl -n ${namespace} describe placement ${name} says why: a clusterset without a binding, labels, or taints.`,
      },
    ];
  });
}

export function isPlacementOf(
  namespace: string,
  name: string,
): (one: { readonly metadata: { readonly name: string; readonly namespace?: string } }) => boolean {
  return ({ metadata }) => metadata.namespace === namespace && metadata.name === name;
}

function hasDecided(
  decisions: NonNullable<DoctorFacts['decisions']>,
  namespace: string,
  name: string,
): boolean {
  return decisions.some(
    ({ metadata, status }) =>
      metadata.namespace === namespace &&
      metadata.labels?.[PLACEMENT_LABEL] === name &&
      (status?.decisions?.length ?? 0) > 0,
  );
}

/** `now` in milliseconds since the epoch. */
export function siteFaults(sites: readonly Site[], { addOns, clusters }: DoctorFacts, now: number): Fault[] {
  if (clusters === null) return [];
  if (sites.length === 0)
    return [
      {
        about: 'sites',
        problem: 'No cluster has joined this hub, so there is no site.',
        remedy: 'Join one with clusteradm (docs/install.md).',
      },
    ];
  return sites.flatMap((site) => siteFault(site, addOns !== null, now));
}

/** What hinders a site first: a site that is unreachable has no fresh score either. */
function siteFault(
  { name, state, since, addOn, agent, scoredUntil }: Site,
  knowsAddOns: boolean,
  now: number,
): Fault[] {
  const fault = (problem: string, remedy: string): Fault[] => [{ about: `site ${name}`, problem, remedy }];
  const describe = `kubectl describe managedcluster ${name}`;
  if (state === 'NotAccepted')
    return fault(
      'The hub has not accepted it.',
      `kubectl patch managedcluster ${name} --type=merge -p '{"spec":{"hubAcceptsClient":true}}'.`,
    );
  if (state === 'Leaving') return fault('It is being removed.', `${describe} says what it waits for.`);
  if (state !== 'Ready')
    return fault(
      `OCM does not reach it${since === null ? '' : ` since ${since}`}.`,
      `Check its klusterlet agent; ${describe} says more.`,
    );
  if (knowsAddOns && addOn === 'Missing')
    return fault(
      'It does not have the add-on cappstan, so no agent answers there.',
      'Check the Placement of the add-on: kubectl describe placement -A cappstan-agents.',
    );
  if (knowsAddOns && addOn === 'Unavailable')
    return fault(
      'Its add-on cappstan is not available.',
      `kubectl -n ${name} describe managedclusteraddon cappstan.`,
    );
  if (agent.is === 'Silent')
    return fault(
      agent.lastSeen === null
        ? 'Its agent has not asked Temporal for work since the bridge began to look.'
        : `Its agent has not asked Temporal for work since ${agent.lastSeen}.`,
      'Check that cappstan-agent runs there and can reach Temporal.',
    );
  if (scoredUntil !== null && Date.parse(scoredUntil) <= now)
    return fault(
      `Its scores expired at ${scoredUntil}, so nobody measures it.`,
      `Check cappstan-agent there, and the Schedule score/${name} in Temporal.`,
    );
  return [];
}
