// The status of a ClusterJoin: nothing of a token but its id.
import {
  CLUSTER_JOIN,
  JOINED_CONDITION,
  lineSecretName,
  type ClusterJoin,
  type ClusterJoinStatus,
  type HeldReason,
} from '../../../crds/join/cluster-join.ts';
import { conditionSince } from '../../../crds/condition.ts';
import { conditionOf } from '../../../crds/kubernetes/core.ts';
import { TOKEN_ENDS_AT } from '../../../crds/join/labels.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import type { JoinStanding } from '../../../workflows/join/declared.ts';

const LONGEST_MESSAGE = 1_024;

/** The token that was made for it. */
export interface Minted {
  readonly id: string;
  readonly managed: ManagedCluster | null;
}

export interface JoinNews {
  readonly standing: JoinStanding;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Without it, what was said before. */
  readonly minted?: Minted;
}

/** Writes nothing that is unchanged, and nothing over what was read before another write. Throws ApiError. */
export async function publishJoin(kube: Kube, join: ClusterJoin, told: JoinNews): Promise<void> {
  const status = statusOf(join, told);
  if (JSON.stringify(status) === JSON.stringify(inOrder(join.status ?? {}))) return;
  await applyStatus(kube, CLUSTER_JOIN, join, { status, fieldManager: 'cappstan-join', asRead: true });
}

function statusOf({ metadata, status: before = {} }: ClusterJoin, told: JoinNews): ClusterJoinStatus {
  const { standing, now, minted } = told;
  const { state, reason, message } = standing;
  const truth = state === 'Joined' ? 'True' : state === 'Waiting' ? 'Unknown' : 'False';
  const said = {
    type: JOINED_CONDITION,
    status: truth,
    reason,
    message: settledWords(before, { reason, message: message.slice(0, LONGEST_MESSAGE) }),
    observedGeneration: metadata.generation ?? 0,
  } as const;
  const at = new Date(now).toISOString();
  const tokenId = minted?.id ?? before.tokenId;
  const endsAt = minted?.managed?.metadata.annotations?.[TOKEN_ENDS_AT] ?? before.tokenEndsAt;
  return inOrder({
    observedGeneration: metadata.generation ?? 0,
    state,
    ...(state === 'Waiting' && tokenId !== undefined ? { secretName: lineSecretName({ metadata }) } : {}),
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(endsAt === undefined ? {} : { tokenEndsAt: endsAt }),
    conditions: [conditionSince(before.conditions, said, at)],
  });
}

/**
 * What refuses may quote the time or the number of each request: each would be another status, and each
 * status rings.
 */
function settledWords(
  { conditions }: ClusterJoinStatus,
  { reason, message }: { readonly reason: string; readonly message: string },
): string {
  const { reason: was, message: known = '' } = conditionOf(conditions, JOINED_CONDITION) ?? {};
  const refuses: HeldReason = 'HubRefuses';
  const isSame = reason === refuses && was === reason && gist(known) === gist(message);
  return isSame ? known : message;
}

/** Without numbers, and without what has numbers in it. */
function gist(message: string): string {
  return message.replaceAll(/[\w.:-]*\d[\w.:-]*/g, '#');
}

/** So that two are the same text if they say the same. */
function inOrder(status: ClusterJoinStatus): ClusterJoinStatus {
  const { conditions = [] } = status;
  const sorted = (fields: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return { ...sorted(status), conditions: conditions.map((one) => sorted(one)) } as ClusterJoinStatus;
}
