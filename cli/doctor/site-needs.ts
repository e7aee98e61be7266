// What the administrators of a site have to do for its Capps: settings that moved, switches of Knative, and
// autoscalers. Pure.
import { KNATIVE_FEATURES } from '../../crds/kubernetes/knative.ts';
import type { Reason } from '../../crds/capp/conditions.ts';
import { FORMER_CONFIG_CLAIM, KNATIVE_CLAIM } from '../../crds/ocm/cluster-claim.ts';
import { conditionIn } from '../explain/capp/phase.ts';
import type { DoctorFacts, Fault } from './facts.ts';

export function siteNeeds(facts: DoctorFacts): Fault[] {
  return [...formerConfigs(facts), ...switchesOff(facts), ...unservedClasses(facts)];
}

function formerConfigs({ clusters }: DoctorFacts): Fault[] {
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

/** As the message of `FeatureOff` names them; a container may be called like one. */
const SWITCH =
  /(?<=\b(?:needs|and) )(?:kubernetes\.(?:pod|container)spec-[a-z-]{1,63}|multi-container-probing)/g;

function switchesOff(facts: DoctorFacts): Fault[] {
  return lacks(facts, 'FeatureOff', SWITCH).map(({ site, capps, names }) => ({
    about: `site ${site}`,
    problem: `Knative does not take there what ${shown(capps)} asks for: ${names.join(' and ')} is off.`,
    remedy: `On the site: ${commandFor(names)}.`,
  }));
}

const AUTOSCALER_CLASS = /(?<=autoscaler class )[a-z0-9./-]{1,63}/g;

function unservedClasses(facts: DoctorFacts): Fault[] {
  return lacks(facts, 'NoAutoscaler', AUTOSCALER_CLASS).map(({ site, capps, names }) => ({
    about: `site ${site}`,
    problem: `Nobody serves there the autoscaler class that ${shown(capps)} asks for: ${names.join(' and ')}.`,
    remedy: names.some((name) => name.startsWith('hpa.'))
      ? `On the site: ${installOf(knativeOn(facts, site))}.`
      : "Start Knative's autoscaler on the site, or correct the annotation autoscaling.knative.dev/class of these Capps.",
  }));
}

function knativeOn({ clusters }: DoctorFacts, site: string): string {
  const found = (clusters ?? []).find(({ metadata: { name } }) => name === site);
  const claimed = found?.status?.clusterClaims?.find(({ name }) => name === KNATIVE_CLAIM)?.value ?? '';
  return /^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(claimed) ? claimed : '<version>';
}

/** Where Knative publishes its releases. */
function installOf(version: string): string {
  return `kubectl apply -f https://github.com/knative/serving/releases/download/knative-v${version}/serving-hpa.yaml`;
}

export interface Lack {
  readonly site: string;
  readonly capps: readonly string[];
  readonly names: readonly string[];
}

/** For each site, the Capps whose `Available` has this reason, and what it names. */
export function lacks({ capps }: DoctorFacts, wanted: Reason, pattern: RegExp): Lack[] {
  const sites = new Map<string, { readonly capps: string[]; readonly names: Set<string> }>();
  for (const capp of capps ?? []) {
    const { reason = '', message = '' } = conditionIn(capp, 'Available') ?? {};
    const site = capp.status?.applicationLinks?.site ?? '';
    if (reason !== wanted || site === '') continue;
    const known = sites.get(site) ?? { capps: [], names: new Set<string>() };
    known.capps.push(`${capp.metadata.namespace}/${capp.metadata.name}`);
    for (const [name] of message.matchAll(pattern)) known.names.add(name);
    sites.set(site, known);
  }
  return [...sites].map(([site, found]) => ({ site, capps: found.capps, names: [...found.names] }));
}

/** Three of them. */
export function shown(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `${names.slice(0, 3).join(', ')}${more}`;
}

function commandFor(switches: readonly string[]): string {
  const data = Object.fromEntries(switches.map((name) => [name, 'enabled']));
  const { namespace, name } = KNATIVE_FEATURES;
  return `kubectl patch --namespace ${namespace} configmap/${name} --type merge --patch '${JSON.stringify({ data })}'`;
}
