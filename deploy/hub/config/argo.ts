// Whether a hub makes its sites clusters of an Argo CD, and by which way: pure.
import { named } from './fields.ts';
import type { FileContent } from './file.ts';
import { isPlain } from './plain-address.ts';
import type { Findings } from './refused.ts';

/** As the processes of a stack take it (`local/cappstan/argo-clusters.ts`). */
export interface HubArgoConfig {
  readonly namespace: string;
  readonly account: string;
  readonly userServer: string;
  /** A path. */
  readonly authority: string;
}

/** The release's; those of Kubernetes and OCM, and the add-on's, by how they begin. */
const TAKEN = /^(?:cappstan-system$|kube-|open-cluster-management)/;
const READER = 'cappstan-reader';

/** Null: the registrar does not run. What the chart refuses is refused here, before anything is written. */
export function argoOf(
  { namespace, account, userServer, userServerCaFile }: FileContent['argocd'],
  { refusals }: Findings,
): HubArgoConfig | null {
  const needed = Object.entries({ namespace, userServer, userServerCaFile });
  const lacking = needed.filter(([, value]) => value === undefined);
  if (lacking.length === needed.length && account === undefined) return null;
  for (const [name] of lacking)
    refusals.push(
      `${named(`argocd.${name}`)} is missing: the registrar needs a namespace, a user server and its authority. Give all three, or none.`,
    );
  if (namespace !== undefined && TAKEN.test(namespace))
    refusals.push(
      `${named('argocd.namespace')} must not be ${namespace}: the registrar may write any Secret there, and there these are those of Kubernetes, of OCM or of Cappstan. Give Argo CD a namespace of its own.`,
    );
  if (account === READER)
    refusals.push(
      `${named('argocd.account')} must not be ${READER}: the reader's account is lent to nobody. Make a ManagedServiceAccount for Argo CD.`,
    );
  if (userServer !== undefined && !isPlain(new URL(userServer)))
    // What it is may be a password.
    refusals.push(
      `${named('argocd.userServer')} must be an https address without user, "?" and "#", such as https://proxy.example:9092: the registrar puts a site's name behind it, and shows itself with a token.`,
    );
  return {
    namespace: namespace ?? '',
    account: account ?? 'argocd',
    userServer: userServer ?? '',
    authority: userServerCaFile ?? '',
  };
}
