// How far the hub is with this cluster, as its agent may see it: by its token until it has a certificate, and
// by that from then on.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tokenSecret } from '../../crds/join/bootstrap-token.ts';
import type { JoinLine } from '../../crds/join/join-line.ts';
import { sightOf } from '../../crds/join/sight.ts';
import { CLUSTER_NAME, SIGNING_REQUEST, type SigningRequest } from '../../crds/join/signing-request.ts';
import { TOKEN_ENDS_AT } from '../../crds/join/labels.ts';
import type { Secret } from '../../crds/kubernetes/core.ts';
import { ADD_ON } from '../../crds/ocm/add-on.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  type ManagedCluster,
  type ManagedClusterAddOn,
} from '../../crds/ocm/ocm.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { joinVerdict, type JoinVerdict } from '../../workflows/join/verdict.ts';

const CALL_MS = 10_000;

export interface AgentCredentials {
  /** Paths of kubeconfigs; that of the agent is there once it has one. */
  readonly bootstrap: string;
  readonly agentDir: string;
}

export type JoinProgress = Pick<JoinVerdict, 'phase' | 'reason' | 'message'>;

/**
 * Null: nothing is known, since the hub does not answer to this credential, or the agent has not come yet.
 * Never throws.
 */
export async function progressOf(
  { cluster, line }: { readonly cluster: string; readonly line: JoinLine },
  of: AgentCredentials,
): Promise<JoinProgress | null> {
  try {
    const own = join(of.agentDir, 'kubeconfig');
    const isOwn = existsSync(own);
    const kube = connect({ kubeconfig: isOwn ? own : of.bootstrap, deadlineMs: CALL_MS });
    try {
      const found = await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: cluster });
      if (found === null && line.cluster === null) return null;
      const requests = found?.spec?.hubAcceptsClient === true ? [] : await requestsOf(kube, cluster);
      const tokens = found === null ? new Map<string, Secret>() : tokenOfLine(line, found);
      const addOn = isOwn ? await addOnOf(kube, cluster) : null;
      return joinVerdict(
        cluster,
        sightOf({ name: cluster, cluster: found, requests, tokens, addOn }),
        Date.now(),
      );
    } finally {
      await kube.close();
    }
  } catch {
    // Files of the agent may be half-written.
    return null;
  }
}

/** What the line says of the token's Secret, which only the hub may read. */
function tokenOfLine(
  { cluster, token }: JoinLine,
  { metadata }: ManagedCluster,
): ReadonlyMap<string, Secret> {
  const endsAt = Date.parse(metadata.annotations?.[TOKEN_ENDS_AT] ?? '');
  if (cluster === null || Number.isNaN(endsAt)) return new Map();
  const bound = { cluster, uid: metadata.uid ?? '' };
  return new Map([[token.id, tokenSecret({ id: token.id, secret: '' }, endsAt, bound)]]);
}

async function requestsOf(kube: Kube, cluster: string): Promise<readonly SigningRequest[]> {
  const labelSelector = `${CLUSTER_NAME}=${cluster}`;
  return (await kube.list<SigningRequest>(SIGNING_REQUEST, { labelSelector })).items;
}

/** By the agent's own certificate: a token may not read it. */
function addOnOf(kube: Kube, cluster: string): Promise<ManagedClusterAddOn | null> {
  return kube.get<ManagedClusterAddOn>(MANAGED_CLUSTER_ADD_ON, { namespace: cluster, name: ADD_ON });
}
