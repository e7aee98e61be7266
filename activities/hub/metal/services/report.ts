// How the services of a SIPCluster are, in words. Pure.
import type { ServicesReadyReason, SipReadyReason, SipClusterStatus } from '../../../../crds/metal/status.ts';
import type { HostFault } from './hosts.ts';

export type MadeService = NonNullable<SipClusterStatus['services']>[number];

export interface ServicesReport {
  readonly reason: ServicesReadyReason;
  readonly message: string;
  readonly services: readonly MadeService[];
}

/** SIP's reason of `Ready` for each of ours; null where services do not keep it from being Ready. */
export const READY_BY_SERVICES: Readonly<Record<ServicesReadyReason, SipReadyReason | null>> = {
  NotAsked: null,
  Serving: null,
  Deploying: 'Progressing',
  WaitingForHosts: 'Progressing',
  HostData: 'Unschedulable',
  NotAllowedHere: 'InfraServiceFailure',
  BadSpec: 'InfraServiceFailure',
  Foreign: 'InfraServiceFailure',
  WriteRefused: 'InfraServiceFailure',
};

export const NOT_ASKED: ServicesReport = { reason: 'NotAsked', message: '', services: [] };
export const WAITING_FOR_HOSTS: ServicesReport = {
  reason: 'WaitingForHosts',
  message: 'They are made once hosts are reserved.',
  services: [],
};

export function notAllowedIn(namespace: string): ServicesReport {
  return {
    reason: 'NotAllowedHere',
    message: `spec.services asks for load balancers or jump hosts, and the hub workers may make none in namespace ${namespace}: add it to metal.serviceNamespaces of the chart.`,
    services: [],
  };
}

/** How many are named. */
const MOST_NAMED = 5;

export function ofHosts(faults: readonly HostFault[]): string {
  const named = faults
    .slice(0, MOST_NAMED)
    .map(({ host, field, message }) => `BareMetalHost ${host}, ${field}: ${message}.`);
  const more = faults.length > named.length ? ` And ${faults.length - named.length} more.` : '';
  return `${named.join(' ')}${more} What serves leaves such a host out. It is looked at again each minute.`;
}
