// The SIPCluster of Airship's SIP (airshipit/sip, 1f88a95a): which hosts a tenant's cluster gets, by role.
// Group, version, fields, labels and finalizer are SIP's, so that its manifests apply unchanged.
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';
import { rules } from '../definitions/rules.ts';
import { FEW_LABELS } from '../kubernetes/label-rules.ts';
import { SipServices } from './services.ts';
import { SipSite } from './site.ts';
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

export const NodeSet = z.object({
  labelSelector: z
    .object({
      matchLabels: z.record(z.string(), z.string().max(63)).meta(FEW_LABELS).exactOptional(),
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
  site: SipSite.exactOptional(),
});
export type SipClusterSpec = z.infer<typeof SipClusterSpec>;

const SERVICES = ['loadBalancerControlPlane', 'loadBalancerWorker', 'jumpHost'] as const;
const inServices = (text: (name: string) => string, between: string): string =>
  SERVICES.map((name) => `(has(self.spec.services.${name}) && ${text(`self.spec.services.${name}`)})`).join(
    between,
  );

export const SIP_CLUSTER_RULES = [
  {
    rule: `self.metadata.name.size() <= ${LONGEST_NAME}`,
    message: `metadata.name must have ${LONGEST_NAME} characters at most: load balancers get it with loadbalancer-controlplane- before it`,
  },
  {
    rule: `!(${inServices((list) => `${list}.size() > 1`, ' || ')}) || self.metadata.name.size() <= ${LONGEST_NAME - 3}`,
    message: `metadata.name must have ${LONGEST_NAME - 3} characters at most where a list of spec.services has several items: the later ones get a number behind it`,
  },
  {
    rule: `!(${inServices((list) => `${list}.size() > 0`, ' || ')}) || !self.metadata.name.contains('.')`,
    message:
      'metadata.name must have no dot where spec.services asks for anything: Services get it in their names',
  },
  {
    rule: 'has(self.spec.site) == has(oldSelf.spec.site)',
    message:
      'spec.site may not come or go: whether hosts are wiped before they are given back depends on it. Delete the SIPCluster, and write another',
  },
] as const;

export interface SipCluster {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: SipClusterSpec;
  readonly status?: SipClusterStatus;
}
