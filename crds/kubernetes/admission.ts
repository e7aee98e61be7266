// Kinds by which a cluster decides what is written.

const ADMISSION = { apiVersion: 'admissionregistration.k8s.io/v1', namespaced: false } as const;

export const VALIDATING_WEBHOOKS = {
  ...ADMISSION,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
} as const;
export const MUTATING_WEBHOOKS = {
  ...ADMISSION,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
} as const;
export const ADMISSION_POLICY = {
  ...ADMISSION,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
} as const;
export const ADMISSION_POLICY_BINDING = {
  ...ADMISSION,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
} as const;
