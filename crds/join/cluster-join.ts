// The ClusterJoin: a cluster is to join the hub, and its token lies beside this object.
import { z } from 'zod';
import { Condition } from '../capp/conditions.ts';
import { rules } from '../definitions/rules.ts';
import { conditionOf } from '../kubernetes/core.ts';
import { LABEL_KEYS, LABEL_VALUE } from '../kubernetes/label-rules.ts';
import type { ObjectMeta } from '../../kube/resource.ts';

export const CLUSTER_JOIN = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'ClusterJoin',
  plural: 'clusterjoins',
  namespaced: true,
} as const;

/** While it may have to revoke a token, or to take back a ManagedCluster that nobody has joined as. */
export const JOIN_FINALIZER = 'rcs.dana.io/cluster-join';

/** The condition of a ClusterJoin. */
export const JOINED_CONDITION = 'Joined';
/** Its reason while something cannot be deleted that should go: it is tried again, whatever the state. */
export const NOT_TAKEN_BACK = 'NotTakenBack';

const SHORTEST_SECONDS = 60;
/** How long a token of a ClusterJoin may be good. */
export const LONGEST_SECONDS = 30 * 86_400;
export const USUAL_SECONDS = 86_400;
const MOST_LABELS = 50;

/** A token that is handed out stays what it was. */
export const CLUSTER_JOIN_RULES = [
  {
    rule: 'self.spec == oldSelf.spec',
    message: 'a ClusterJoin does not change: delete it, and write another',
  },
  { rule: 'self.metadata.name.size() <= 63', message: 'metadata.name must have 63 characters at most' },
];

export const ClusterJoinSpec = z.object({
  cluster: z
    .string()
    .max(63)
    .meta(
      rules([
        "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        'must be the name of a ManagedCluster: at most 63 of a-z, 0-9 and -, such as shop-7',
      ]),
    )
    .describe('The cluster, as the hub is to call it. It must not be there yet.'),
  clusterSet: z
    .string()
    .max(63)
    .describe('The ManagedClusterSet of the cluster. Without it, the default one.')
    .exactOptional(),
  labels: z
    .record(z.string(), z.string().max(63).meta(LABEL_VALUE))
    .meta({ maxProperties: MOST_LABELS, ...LABEL_KEYS })
    .describe('Labels of the ManagedCluster, by which Placements choose it.')
    .exactOptional(),
  ttlSeconds: z
    .int()
    .refine((value) => value >= SHORTEST_SECONDS && value <= LONGEST_SECONDS)
    .meta(
      rules([
        `self >= ${SHORTEST_SECONDS} && self <= ${LONGEST_SECONDS}`,
        `must be from ${SHORTEST_SECONDS} to ${LONGEST_SECONDS}, such as ${USUAL_SECONDS}`,
      ]),
    )
    .describe(`How long the token is good. Without it, ${USUAL_SECONDS}: a day.`)
    .exactOptional(),
  reuseName: z
    .boolean()
    .describe(
      'true: although an agent of a former ManagedCluster of this name may still have a certificate, which is good again then.',
    )
    .exactOptional(),
});
export type ClusterJoinSpec = z.infer<typeof ClusterJoinSpec>;

/** `Expired` and `Refused` may not become anything else; `Joined` says of later troubles nothing. */
export const JOIN_STATES = ['Waiting', 'Joined', 'Expired', 'Refused'] as const;
export type JoinState = (typeof JOIN_STATES)[number];

/** Why a ClusterJoin is refused. While it waits, its reasons are those of `cappstan joins`. */
export const REFUSED_REASONS = [
  'NamespaceNotServed',
  'ClusterSetNotAllowed',
  'LabelReserved',
  'NameReserved',
  'FormerCertificate',
  'ClusterExists',
  'ClusterGone',
  'SecretTaken',
  'Superseded',
  'TokenRevoked',
  'Invalid',
] as const;
export type RefusedReason = (typeof REFUSED_REASONS)[number];

/** Why one waits until somebody has mended the hub. */
export const HELD_REASONS = ['NoHubAddress', 'HubRefuses', NOT_TAKEN_BACK] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

export const ClusterJoinStatus = z.object({
  observedGeneration: z.int().exactOptional(),
  state: z.enum(JOIN_STATES).exactOptional(),
  secretName: z
    .string()
    .describe('The Secret of this namespace with the line for cappstan join, as long as its token is good.')
    .exactOptional(),
  tokenId: z.string().describe('The public part of the token.').exactOptional(),
  tokenEndsAt: z.iso.datetime({ offset: true }).exactOptional(),
  conditions: z
    .array(Condition)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .exactOptional(),
});
export type ClusterJoinStatus = z.infer<typeof ClusterJoinStatus>;

export interface ClusterJoin {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: ClusterJoinSpec;
  readonly status?: ClusterJoinStatus;
}

/** The type of the Secret with the line. */
export const JOIN_LINE_TYPE = 'rcs.dana.io/join-line';

export function lineSecretName({ metadata: { name } }: Pick<ClusterJoin, 'metadata'>): string {
  return `${name}-join`;
}

/** Nobody comes by it any more: it has come to an end, or is being deleted. */
export function isOverJoin({ metadata, status }: ClusterJoin): boolean {
  const isFinal = status?.state !== undefined && status.state !== 'Waiting';
  return isFinal || metadata.deletionTimestamp !== undefined;
}

/** Nothing of it is to be done any more, until it is deleted. */
export function isSettledJoin(join: ClusterJoin): boolean {
  const { metadata, status } = join;
  const { reason } = conditionOf(status?.conditions, JOINED_CONDITION) ?? {};
  return isOverJoin(join) && metadata.deletionTimestamp === undefined && reason !== NOT_TAKEN_BACK;
}
