// The status of a SIPCluster: SIP's condition Ready with its reasons, and what SIP does not say: the hosts.
import { z } from 'zod';
import { Condition } from '../capp/conditions.ts';

/** `Ready` is SIP's. `Provisioned` and `Joined` are there where `spec.site` is. */
export const SIP_CONDITION_TYPES = [
  'HostsReserved',
  'Joined',
  'Provisioned',
  'Ready',
  'ServicesReady',
] as const;
export type SipConditionType = (typeof SIP_CONDITION_TYPES)[number];

/** SIP's reasons of `Ready`. */
export const SIP_READY_REASONS = [
  'Progressing',
  'Unschedulable',
  'InfraServiceFailure',
  'UnableToApplyLabels',
  'UnableToDecommission',
  'ReconciliationSucceeded',
] as const;
export type SipReadyReason = (typeof SIP_READY_REASONS)[number];

/** Reasons of `HostsReserved`. */
export const HOSTS_RESERVED_REASONS = [
  'Reserved',
  'Short',
  'WaitingTurn',
  'NoBareMetalHosts',
  'WriteRefused',
] as const;
export type HostsReservedReason = (typeof HOSTS_RESERVED_REASONS)[number];

/** Reasons of `ServicesReady`. */
export const SERVICES_READY_REASONS = [
  'NotAsked',
  'Serving',
  'Deploying',
  'WaitingForHosts',
  'HostData',
  'NotAllowedHere',
  'BadSpec',
  'Foreign',
  'WriteRefused',
] as const;
export type ServicesReadyReason = (typeof SERVICES_READY_REASONS)[number];

/** Reasons of `Provisioned`: of the hosts of a site. */
export const PROVISIONED_REASONS = [
  'Provisioned',
  'WaitingForHosts',
  'WaitingForSite',
  'Provisioning',
  'Late',
  'HostFailed',
  'HostAway',
  'ForeignImage',
  'NotAllowedHere',
  'BadUserData',
  'WriteRefused',
  'Kept',
  'Wiping',
  'Wiped',
] as const;
export type ProvisionedReason = (typeof PROVISIONED_REASONS)[number];

/** Reasons of `Joined`: of the site. The last six are the way back, all others the way there. */
export const JOINED_REASONS = [
  'Joined',
  'Expected',
  'Asked',
  'Accepted',
  'Registered',
  'Available',
  'Stuck',
  'NameTaken',
  'NameReserved',
  'BadLabels',
  'TokenExpired',
  'NobodyJoins',
  'NoHubAddress',
  'NotAllowedHere',
  'WriteRefused',
  'Draining',
  'DrainHeld',
  'CappsStay',
  'OtherHubs',
  'Detaching',
  'Detached',
] as const;
export type JoinedReason = (typeof JOINED_REASONS)[number];

/** How many hosts are named in a status. */
export const MOST_HOSTS_NAMED = 500;
/** How many hosts are remembered that have failed. */
export const MOST_PASSED_OVER = 100;
/** The length of the sentences beside a reason, in characters. */
export const LONGEST_SIP_MESSAGE = 2_048;

const count = () => z.int().min(0);

export const SipClusterStatus = z.object({
  observedGeneration: z
    .int()
    .describe('The generation of the spec that this status is about.')
    .exactOptional(),
  reservedOfWanted: z.string().describe('Hosts that are reserved, of those that are wanted.').exactOptional(),
  roles: z
    .record(z.string(), z.object({ wanted: count(), reserved: count() }))
    .describe('The hosts of each role, counted.')
    .exactOptional(),
  hosts: z
    .array(
      z.object({
        namespace: z.string(),
        name: z.string(),
        role: z.string(),
        failedSince: z.iso
          .datetime({ offset: true })
          .describe(
            'Since when the host is known to be in error, or about to be deleted. It stands until the host is as it was asked for: an error that Metal³ takes away to try again does not end it.',
          )
          .exactOptional(),
        failure: z.string().describe('What Metal³ could not do the last time.').exactOptional(),
      }),
    )
    .max(MOST_HOSTS_NAMED)
    .describe('The reserved hosts, those that have failed first. 500 at most.')
    .exactOptional(),
  passedOver: z
    .array(
      z.object({
        namespace: z.string(),
        name: z.string(),
        failedSince: z.iso.datetime({ offset: true }).describe('Since when it had failed then.'),
      }),
    )
    .max(MOST_PASSED_OVER)
    .describe(
      'Hosts that it has given back because they had failed, the last 100. Others are taken before them, and of them the one first that failed first.',
    )
    .exactOptional(),
  services: z
    .array(
      z.object({
        name: z.string().describe('Of its Service, Deployment, Secret and ConfigMap.'),
        kind: z.string().describe('The list of spec.services that asks for it.'),
        nodePorts: z.string().describe('The ports of nodes that lead to it, such as 30001 or 30002-30011.'),
      }),
    )
    .max(60)
    .describe('The load balancers and jump hosts that are made.')
    .exactOptional(),
  conditions: z
    .array(Condition)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .exactOptional(),
});
export type SipClusterStatus = z.infer<typeof SipClusterStatus>;
