// Faults of the policies by which the API server itself keeps to who asked. Pure.
import type { DoctorFacts, Fault } from './facts.ts';

/** Those that the chart installs on the hub. */
export const AUTHOR_POLICIES = [
  'cappstan-capp-authors',
  'cappstan-set-authors',
  'cappstan-drain-authors',
] as const;

export function policyFaults({ policies, policyBindings, validating }: DoctorFacts): Fault[] {
  // Without the webhook nobody writes who asked.
  if (policies === null || policyBindings === null || validating?.length === 0) return [];
  return AUTHOR_POLICIES.flatMap((name): Fault[] => {
    if (!policies.some(({ metadata }) => metadata.name === name))
      return [fault(`There is no ValidatingAdmissionPolicy ${name}`)];
    const binding = policyBindings.find(({ spec }) => spec?.policyName === name);
    if (binding === undefined) return [fault(`No ValidatingAdmissionPolicyBinding puts ${name} into effect`)];
    const denies = binding.spec?.validationActions?.includes('Deny') === true;
    return denies ? [] : [fault(`The binding of ${name} does not deny`)];
  });
}

function fault(problem: string): Fault {
  return {
    about: 'policies',
    problem: `${problem}, so who asked for something can be forged while no webhook answers.`,
    remedy: 'Install or upgrade Cappstan with its chart (docs/install.md).',
  };
}
