// Which labels of a Capp are in the template of its Knative Service, so that people can select its Pods by
// them: a change of one is a new revision. Pure.

/** Labels of the system itself, of which each rollout would make a new revision. */
const OURS = 'rcs.dana.io/';
/** Labels by which tools find what they manage: some change with each of their releases. */
const TRACKING = [
  'app.kubernetes.io/managed-by',
  'argocd.argoproj.io/',
  'helm.sh/',
  'helm.toolkit.fluxcd.io/',
  'kustomize.toolkit.fluxcd.io/',
] as const;

export function templateLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).filter(([key]) => ![OURS, ...TRACKING].some((prefix) => key.startsWith(prefix))),
  );
}
