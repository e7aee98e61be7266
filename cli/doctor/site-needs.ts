// What the administrators of a site have to do for its Capps: settings that moved, and switches of Knative.
// Pure.
import { KNATIVE_FEATURES } from '../../crds/kubernetes/knative.ts';
import { FORMER_CONFIG_CLAIM } from '../../crds/ocm/cluster-claim.ts';
import { conditionIn } from '../explain/capp/phase.ts';
import type { Facts, Fault } from './facts.ts';

export function siteNeeds(facts: Facts): Fault[] {
  return [...formerConfigs(facts), ...switchesOff(facts)];
}

function formerConfigs({ clusters }: Facts): Fault[] {
  return (clusters ?? []).flatMap(({ metadata: { name }, status }): Fault[] => {
    const claim = status?.clusterClaims?.find((one) => one.name === FORMER_CONFIG_CLAIM)?.value ?? '';
    const names = claim.split('+').filter((one) => /^[a-z-]{1,63}$/.test(one));
    if (names.length === 0) return [];
    return [
      {
        about: `site ${name}`,
        problem: `It is configured by ConfigMap ${names.join(' and ')} in capp-operator-system, which a CappConfig supersedes.`,
        remedy:
          'Write a CappConfig there, and delete them (docs/install.md#the-configmaps-before-the-cappconfig).',
      },
    ];
  });
}

const SWITCH = /kubernetes\.podspec-[a-z-]{1,63}/g;

/** A Capp says it in `Available`, by the names of the switches. */
function switchesOff({ capps }: Facts): Fault[] {
  const off = new Map<string, { readonly capps: string[]; readonly switches: Set<string> }>();
  for (const capp of capps ?? []) {
    const { reason = '', message = '' } = conditionIn(capp, 'Available') ?? {};
    const site = capp.status?.applicationLinks?.site ?? '';
    if (reason !== 'FeatureOff' || site === '') continue;
    const known = off.get(site) ?? { capps: [], switches: new Set<string>() };
    known.capps.push(`${capp.metadata.namespace}/${capp.metadata.name}`);
    for (const [name] of message.matchAll(SWITCH)) known.switches.add(name);
    off.set(site, known);
  }
  return [...off].map(([site, found]) => ({
    about: `site ${site}`,
    problem: `Knative does not take there what ${shown(found.capps)} asks for: ${[...found.switches].join(' and ')} is off.`,
    remedy: `On the site: ${commandFor([...found.switches])}.`,
  }));
}

function shown(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${names.slice(0, 3).join(', ')}${more}`;
}

function commandFor(switches: readonly string[]): string {
  const data = Object.fromEntries(switches.map((name) => [name, 'enabled']));
  const { namespace, name } = KNATIVE_FEATURES;
  return `kubectl patch --namespace ${namespace} configmap/${name} --type merge --patch '${JSON.stringify({ data })}'`;
}
