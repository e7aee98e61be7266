// What the Go operators leave behind on the hub: add-ons, and the rights that these make again while they are
// there. Pure.
import type { DoctorFacts, Fault } from './facts.ts';

/** The names of their add-ons. */
export const FORMER_ADD_ONS = ['capp-status-addon', 'rcs-score'] as const;
/** By these the agent of each cluster may write and delete every Capp of the hub. */
const OF_AGENTS = /^open-cluster-management:capp-status-addon:(.+):agent$/;
/** The operators' own, as their charts name them, and those of agents on a hub that is a site as well. */
const OF_OPERATORS = /^(?:(?:.+-)?rcs-ocm-(?:deployer|addons)|capp-status-addon|rcs-score)(?:-.+)?$/;
const SHOWN = 3;
const REMEDY = '(docs/install.md#remove-the-go-operators-add-ons).';

export function predecessorFaults(facts: DoctorFacts): Fault[] {
  const roles = namesOf([...(facts.clusterRoles ?? []), ...(facts.clusterRoleBindings ?? [])]);
  const clusters = roles.flatMap((name) => OF_AGENTS.exec(name)?.[1] ?? []);
  const own = roles.filter((name) => OF_OPERATORS.test(name));
  const sites = (facts.formerAddOns ?? []).map(({ metadata }) => `${metadata.name} of ${metadata.namespace}`);
  const addOns = [...namesOf(facts.formerClusterAddOns ?? []), ...sites];
  return [
    ...faultOf(
      addOns,
      (some) => `The add-ons of rcs-ocm-deployer are still here and make their rights again: ${some}.`,
      `Remove them first ${REMEDY}`,
    ),
    ...faultOf(
      clusters,
      (some) =>
        `The add-on capp-status-addon of rcs-ocm-deployer lets ${some} change and delete every Capp of this hub.`,
      `Remove it and its ClusterRoles ${REMEDY}`,
    ),
    ...faultOf(
      own,
      (some) => `The Go operators have left ClusterRoles or bindings: ${some}.`,
      `Remove them ${REMEDY}`,
    ),
  ];
}

function namesOf(objects: readonly { readonly metadata: { readonly name: string } }[]): string[] {
  return [...new Set(objects.map(({ metadata }) => metadata.name))];
}

function faultOf(names: readonly string[], problem: (some: string) => string, remedy: string): Fault[] {
  if (names.length === 0) return [];
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return [{ about: 'rights', problem: problem(`${names.slice(0, SHOWN).join(', ')}${more}`), remedy }];
}
