// Whether a hub makes its sites clusters of an Argo CD, and by which way: pure.
import { named } from './fields.ts';
import type { FileContent } from './file.ts';
import type { Findings } from './refused.ts';

/** As the processes of a stack take it (`local/cappstan/argo-clusters.ts`). */
export interface HubArgoConfig {
  readonly namespace: string;
  readonly account: string;
  readonly userServer: string;
  /** A path. */
  readonly authority: string;
}

/** Null: the registrar does not run. */
export function argoOf(
  { namespace, account = 'argocd', userServer, userServerCaFile }: FileContent['argocd'],
  { refusals }: Findings,
): HubArgoConfig | null {
  const needed = Object.entries({ namespace, userServer, userServerCaFile });
  const lacking = needed.filter(([, value]) => value === undefined);
  if (lacking.length === needed.length) return null;
  for (const [name] of lacking)
    refusals.push(
      `${named(`argocd.${name}`)} is missing: the registrar needs a namespace, a user server and its authority. Give all three, or none.`,
    );
  return {
    namespace: namespace ?? '',
    account,
    userServer: userServer ?? '',
    authority: userServerCaFile ?? '',
  };
}
