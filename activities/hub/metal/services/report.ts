// How the services of a SIPCluster are, in words. Pure.
import type { ServicesReadyReason, SipReadyReason, SipClusterStatus } from '../../../../crds/metal/status.ts';
import type { HostFault } from './hosts.ts';

export type MadeService = NonNullable<SipClusterStatus['services']>[number];

export interface ServicesReport {
  readonly reason: ServicesReadyReason;
  readonly message: string;
  /** Those that are made, and those that were made earlier and may still run. */
  readonly services: readonly MadeService[];
  /**
   * All that runs is of the present spec and hosts, and nothing else of the SIPCluster's does: no Pod leads
   * to a host beside these. Only then a host is given back.
   */
  readonly isCurrent: boolean;
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

export const NOT_ASKED: ServicesReport = { reason: 'NotAsked', message: '', services: [], isCurrent: true };
export const WAITING_FOR_HOSTS: ServicesReport = {
  reason: 'WaitingForHosts',
  message: 'They are made once hosts are reserved.',
  services: [],
  isCurrent: true,
};

export function notAllowedIn(namespace: string): ServicesReport {
  return {
    reason: 'NotAllowedHere',
    message: `spec.services asks for load balancers or jump hosts, and the hub workers may make none in namespace ${namespace}: add it to metal.serviceNamespaces of the chart.`,
    services: [],
    isCurrent: true,
  };
}

/** The hub workers may not even see whether they run. */
export function stillRunIn(namespace: string, services: readonly MadeService[]): ServicesReport {
  const message = `${madeEarlierIn(namespace, services)}.`;
  return { reason: 'NotAllowedHere', message, services, isCurrent: false };
}

/** Without a full stop. */
export function madeEarlierIn(namespace: string, services: readonly MadeService[]): string {
  const names = services.map(({ name }) => name).join(', ');
  return `Made earlier, and still running: ${names}. The hub workers may write nothing in namespace ${namespace} any more: add it to metal.serviceNamespaces of the chart again, and empty spec.services before you take it off`;
}

/** Without a full stop. */
export function goingWords(names: readonly string[]): string {
  return `Taken away as soon as its last Pod has ended, and unless a finalizer of somebody else keeps some of it: ${names.join(', ')}`;
}

export function goingReport(names: readonly string[], services: readonly MadeService[]): ServicesReport {
  return { reason: 'Deploying', message: `${goingWords(names)}.`, services, isCurrent: false };
}

/** How many are named. */
const MOST_NAMED = 5;

export function ofHosts(faults: readonly HostFault[]): string {
  return `${faultWords(faults)} What serves leaves such a host out. It is looked at again each minute.`;
}

/**
 * Of free hosts that are not reserved for that; without any, ''. `lookedAt`: how many were read, where others
 * were not.
 */
export function leftOut(faults: readonly HostFault[], lookedAt: number | null = null): string {
  if (faults.length === 0) return '';
  const others =
    lookedAt === null
      ? ''
      : ` Only ${lookedAt} free hosts were looked at. The others are left out, and it looks at some of them in five minutes.`;
  return `Left out, since what spec.services asks for could not lead there: ${faultWords(faults)}${others}`;
}

function faultWords(faults: readonly HostFault[]): string {
  const named = faults
    .slice(0, MOST_NAMED)
    .map(({ host, field, message }) => `BareMetalHost ${host}, ${field}: ${message}.`);
  const more = faults.length > named.length ? ` And ${faults.length - named.length} more.` : '';
  return `${named.join(' ')}${more}`;
}
