// The command by which a person drains a site: a Drain object, since rights on that kind say who may.

/** A line for a shell that creates the Drain of a cluster; with `dryRun` it only says what would happen. */
export function drainCommand(cluster: string, spec: { readonly dryRun?: true } = {}): string {
  const drain = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Drain', metadata: { name: cluster }, spec };
  return `echo '${JSON.stringify(drain)}' | kubectl create -f -`;
}
