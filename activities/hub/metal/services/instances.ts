// What a SIPCluster asks for, item by item, with the names that SIP gives to what it makes. Pure.
import { MANAGED_BY } from '../../../../crds/labels.ts';
import { MANAGED_BY_SIP, SIP_CLUSTER_NAME } from '../../../../crds/metal/labels.ts';
import type {
  ControlPlaneBalancer,
  JumpHost,
  ServiceKind,
  WorkerBalancer,
} from '../../../../crds/metal/services.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { OwnerReference } from '../../../../kube/resource.ts';

interface Named {
  /**
   * Of all objects of the item. SIP gives one name to all items of a list; here the later ones get a number.
   */
  readonly name: string;
  /** Such as `spec.services.jumpHost[0]`. */
  readonly field: string;
}
export type Instance = Named &
  (
    | { readonly kind: 'loadBalancerControlPlane'; readonly item: ControlPlaneBalancer }
    | { readonly kind: 'loadBalancerWorker'; readonly item: WorkerBalancer }
    | { readonly kind: 'jumpHost'; readonly item: JumpHost }
  );

const PREFIXES: Readonly<Record<ServiceKind, string>> = {
  loadBalancerControlPlane: 'loadbalancer-controlplane',
  loadBalancerWorker: 'loadbalancer-worker',
  jumpHost: 'jumphost',
};
/** In the order in which SIP makes them. */
const KINDS = ['loadBalancerControlPlane', 'loadBalancerWorker', 'jumpHost'] as const;
/** Whose hosts a load balancer leads to. */
export const BALANCED_ROLES = {
  loadBalancerControlPlane: 'ControlPlane',
  loadBalancerWorker: 'Worker',
} as const;

export function instancesOf({ metadata, spec }: Pick<SipCluster, 'metadata' | 'spec'>): Instance[] {
  return KINDS.flatMap((kind) =>
    (spec.services[kind] ?? []).map((item, index) => {
      const number = index === 0 ? '' : `-${index + 1}`;
      const name = `${PREFIXES[kind]}-${metadata.name}${number}`;
      return { kind, item, name, field: `spec.services.${kind}[${index}]` } as Instance;
    }),
  );
}

/** SIP's four, by which Services and Deployments select, and which never change. */
export function selectorOf({ kind, name }: Instance): Readonly<Record<string, string>> {
  const isJumpHost = kind === 'jumpHost';
  return {
    'app.kubernetes.io/part-of': 'sip',
    'app.kubernetes.io/component': isJumpHost ? 'jumphost' : 'loadbalancer',
    'app.kubernetes.io/name': isJumpHost ? 'jumphost' : 'haproxy',
    'app.kubernetes.io/instance': name,
  };
}

export interface OwnedMeta {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerReferences: readonly OwnerReference[];
}

/** By the owner reference Kubernetes removes what is left where the SIPCluster has gone by force. */
export function ownedMeta({ metadata }: Pick<SipCluster, 'metadata'>, instance: Instance): OwnedMeta {
  const { name, namespace = '', uid = '' } = metadata;
  return {
    name: instance.name,
    namespace,
    labels: { ...selectorOf(instance), ...ownLabels(name) },
    ownerReferences: [
      { apiVersion: SIP_CLUSTER.apiVersion, kind: SIP_CLUSTER.kind, name, uid, controller: true },
    ],
  };
}

export function ownLabels(cluster: string): Readonly<Record<string, string>> {
  return { [MANAGED_BY]: MANAGED_BY_SIP, [SIP_CLUSTER_NAME]: cluster };
}
