// The SIPCluster of Airship's SIP (airshipit/sip, 1f88a95a): which hosts a tenant's cluster gets, by role.
// Group, version, fields, labels and finalizer are SIP's, so that its manifests apply unchanged.
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';
import { rules } from '../definitions/rules.ts';
import type { SipClusterStatus } from './status.ts';

export const SIP_CLUSTER = {
  apiVersion: 'airship.airshipit.org/v1',
  kind: 'SIPCluster',
  plural: 'sipclusters',
  namespaced: true,
} as const;

/** SIP never adds it; we do, before the first host is reserved. */
export const SIP_FINALIZER = 'sip.airship.airshipit.org/finalizer';

const MOST_HOSTS = 1_000;
const MOST_ROLES = 16;
const MOST_SERVICES = 20;
const MOST_TEXTS = 100;
/**
 * Of the names that SIP derives, `loadbalancer-controlplane-<name>` is the longest, and a Service's has 63.
 */
const LONGEST_NAME = 37;

const labelKey = () => z.string().max(317);
const count = () =>
  z
    .int()
    .refine((value) => value >= 0 && value <= MOST_HOSTS)
    .meta(
      rules([
        `self >= 0 && self <= ${MOST_HOSTS}`,
        `must be a whole number from 0 to ${MOST_HOSTS}, such as 3`,
      ]),
    );
const port = (least: number) =>
  z
    .int()
    .refine((value) => value >= least && value <= 65_535)
    .meta(
      rules([`self >= ${least} && self <= 65535`, `must be a port from ${least} to 65535, such as 30001`]),
    );

export const NodeSet = z.object({
  labelSelector: z
    .object({
      matchLabels: z.record(z.string(), z.string().max(63)).exactOptional(),
      matchExpressions: z
        .array(
          z.object({
            key: labelKey(),
            operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
            values: z.array(z.string().max(63)).max(MOST_TEXTS).exactOptional(),
          }),
        )
        .max(20)
        .exactOptional(),
    })
    .describe('Which BareMetalHosts qualify, by their labels. Without it, all of them.')
    .exactOptional(),
  topologyKey: labelKey()
    .describe(
      'A label of hosts. Of the hosts with the same value, the role gets one at most; hosts without the label are not limited.',
    )
    .exactOptional(),
  count: z
    .object({
      active: count().describe('Hosts that the role needs. Without it, none.').exactOptional(),
      standby: count().describe('Hosts beside those. They are reserved in the same way.').exactOptional(),
    })
    .describe('How many hosts. Without it, none.')
    .exactOptional(),
});
export type NodeSet = z.infer<typeof NodeSet>;

const service = {
  image: z.string().max(512),
  nodeLabels: z.record(z.string(), z.string().max(63)).exactOptional(),
  nodeInterfaceId: z.string().max(63).exactOptional(),
  clusterIP: z.string().max(64).exactOptional(),
};

export const SipServices = z
  .object({
    loadBalancerControlPlane: z
      .array(z.object({ ...service, nodePort: port(0) }))
      .max(MOST_SERVICES)
      .exactOptional(),
    loadBalancerWorker: z
      .array(
        z.object({
          ...service,
          nodePortRange: z.object({ start: port(1), end: port(1) }),
        }),
      )
      .max(MOST_SERVICES)
      .exactOptional(),
    jumpHost: z
      .array(
        z.object({
          ...service,
          nodePort: port(0),
          bmc: z.object({ proxy: z.boolean().exactOptional() }).exactOptional(),
          sshAuthorizedKeys: z.array(z.string().max(16_384)).max(MOST_TEXTS).exactOptional(),
          nodeSSHPrivateKeys: z.string().max(253),
        }),
      )
      .max(MOST_SERVICES)
      .exactOptional(),
  })
  .describe('Load balancers and jump hosts. They are kept as they are written, and not made.');

export const SipClusterSpec = z.object({
  nodes: z
    .record(z.string(), NodeSet)
    .meta({
      maxProperties: MOST_ROLES,
      ...rules([
        'self.all(role, role.size() <= 63 && role.matches("^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"))',
        'each role must be the value of a label: up to 63 letters, digits, - _ and ., such as Worker',
      ]),
    })
    .describe('The hosts of each role, such as ControlPlane and Worker.')
    .exactOptional(),
  services: SipServices,
});
export type SipClusterSpec = z.infer<typeof SipClusterSpec>;

export const SIP_CLUSTER_RULES = [
  {
    rule: `self.metadata.name.size() <= ${LONGEST_NAME}`,
    message: `metadata.name must have ${LONGEST_NAME} characters at most: load balancers get it with loadbalancer-controlplane- before it`,
  },
] as const;

export interface SipCluster {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: SipClusterSpec;
  readonly status?: SipClusterStatus;
}

/** The kinds of services that the cluster asks for. */
export function servicesAskedFor({ services }: SipClusterSpec): string[] {
  return (['loadBalancerControlPlane', 'loadBalancerWorker', 'jumpHost'] as const).filter(
    (name) => (services[name]?.length ?? 0) > 0,
  );
}
