// The status of a SIPCluster: what it has, what it lacks and why. Pure, but for `publish`.
import { isDeepStrictEqual } from 'node:util';
import { conditionSince } from '../../../crds/condition.ts';
import { cutText } from '../../../crds/cut-text.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import {
  LONGEST_SIP_MESSAGE,
  MOST_HOSTS_NAMED,
  type HostsReservedReason,
  type SipClusterStatus,
  type SipConditionType,
  type SipReadyReason,
} from '../../../crds/metal/status.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import type { HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { inOrder, type RoleAsk, type SeenHost } from '../../../workflows/metal/plan/inventory.ts';
import { shortage } from '../../../workflows/metal/plan/words.ts';
import { passedOver } from './failing.ts';
import { readyByChain, type ChainReport } from './chain/report.ts';
import type { FitPlan } from './fitness.ts';
import { leftOut, NOT_ASKED, READY_BY_SERVICES, type ServicesReport } from './services/report.ts';

/** How it stands, as the two conditions say it. */
export interface SipReport {
  readonly reserved: HostsReservedReason;
  readonly ready: SipReadyReason;
  readonly message: string;
}

export const NO_HOSTS_SERVED: SipReport = {
  reserved: 'NoBareMetalHosts',
  ready: 'Unschedulable',
  message:
    'The hub serves no BareMetalHosts of metal3.io/v1alpha1. Install the CRDs of Metal³: it goes on by itself then.',
};

/** The same of a SIPCluster with a site that is being deleted. */
export const UNSEEN: SipReport = { ...NO_HOSTS_SERVED, ready: 'UnableToDecommission' };

/** While a SIPCluster with a site is being deleted: what it waits for. */
export function siteLeaves({ provisioned, joined }: ChainReport): SipReport {
  const { message } = joined.reason === 'Detached' ? provisioned : joined;
  return { reserved: 'Reserved', ready: 'UnableToDecommission', message };
}

/** A write of a host that the hub has refused. */
export function refusedBy(host: string, error: Error, ready: SipReadyReason): SipReport {
  const message = `The hub refuses a write of BareMetalHost ${host} (${error.message}). Are the hub workers allowed to patch it (metal.hosts in the chart), and does no policy forbid it? It is tried again each minute.`;
  return { reserved: 'WriteRefused', ready, message };
}

/** While a SIPCluster is being deleted. `why` has no full stop. */
export function servicesLeft(why: string): SipReport {
  return {
    reserved: 'Reserved',
    ready: 'UnableToDecommission',
    message: `Its hosts are given back when its services are gone. ${why}. It is tried again each minute.`,
  };
}

/** How many are named. */
const MOST_HELD = 10;

/** Hosts that are to be given back, while services may still lead to them. */
export function surplusHeld({ message, ...standing }: SipReport, hosts: readonly string[]): SipReport {
  const named = hosts.slice(0, MOST_HELD).join(', ');
  const more = hosts.length > MOST_HELD ? ` and ${hosts.length - MOST_HELD} more` : '';
  const held = `${named}${more}: given back when no load balancer or jump host leads there any more, which ServicesReady says. It is looked at again each minute. Without services (an empty spec.services) nothing does once their Pods have ended.`;
  return { ...standing, message: `${message} ${held}`.trim() };
}

/** What the status says of services. */
export function servicesBefore({ status }: Pick<SipCluster, 'status'>): ServicesReport {
  const found = status?.conditions?.find(({ type }) => type === 'ServicesReady');
  if (found === undefined) return NOT_ASKED;
  const reason = found.reason as ServicesReport['reason'];
  return { reason, message: found.message, services: status?.services ?? [], isCurrent: false };
}

export function standingOf(
  cluster: Pick<SipCluster, 'spec' | 'status' | 'metadata'>,
  hosts: readonly SeenHost[],
  plan: HostPlan,
): SipReport {
  if (plan.short !== null)
    return { reserved: 'Short', ready: 'Unschedulable', message: shortage(hosts, plan) };
  if (plan.add.length > 0)
    return (
      refusedBefore(cluster) ?? {
        reserved: 'WaitingTurn',
        ready: 'Progressing',
        message: `${plan.add.length} free hosts match what is missing. They are reserved when it has its turn.`,
      }
    );
  return { reserved: 'Reserved', ready: 'ReconciliationSucceeded', message: failedWords(plan) };
}

/** Why hosts that are free are not reserved. */
export function withLeftOut(
  { message, ...standing }: SipReport,
  { faults, lookedAt }: Pick<FitPlan, 'faults' | 'lookedAt'>,
): SipReport {
  return { ...standing, message: `${message} ${leftOut(faults, lookedAt)}`.trim() };
}

/**
 * `Ready` is what the hosts say, unless all is well with them and not with the services, or with the site.
 */
function readyOf(
  { ready, message }: SipReport,
  services: ServicesReport,
  chain: ChainReport | null,
): Pick<SipReport, 'ready' | 'message'> {
  if (ready !== 'ReconciliationSucceeded') return { ready, message };
  const byServices = READY_BY_SERVICES[services.reason];
  if (byServices !== null) return { ready: byServices, message: `${services.message} ${message}`.trim() };
  const byChain = chain === null ? null : readyByChain(chain);
  return byChain === null
    ? { ready, message }
    : { ready: byChain.ready, message: `${byChain.message} ${message}`.trim() };
}

/** What the authority was refused stays said until it succeeds, or something else is asked for. */
function refusedBefore({ metadata, status }: Pick<SipCluster, 'status' | 'metadata'>): SipReport | null {
  const [reserved, ready] = ['HostsReserved', 'Ready'].map((one) =>
    status?.conditions?.find(({ type }) => type === one),
  );
  if (reserved?.reason !== 'WriteRefused' || reserved.observedGeneration !== metadata.generation) return null;
  return {
    reserved: 'WriteRefused',
    ready: (ready?.reason ?? 'UnableToApplyLabels') as SipReadyReason,
    message: reserved.message,
  };
}

function failedWords({ reserved, swap }: HostPlan): string {
  const failed = [...reserved.values()].flat().filter(({ failedSince }) => failedSince !== null);
  if (failed.length === 0) return '';
  const named = failed.slice(0, 10).map(({ key }) => key);
  const words = `In error or being deleted: ${named.join(', ')}${failed.length > named.length ? ' and more' : ''}.`;
  return swap === null
    ? `${words} Such a host is replaced after ten minutes, one that is being deleted at once, as soon as another is free for its role.`
    : `${words} ${swap.by.key} takes the place of ${swap.failed}.`;
}

/** `at` is RFC 3339. */
export function statusOf(
  cluster: Pick<SipCluster, 'metadata' | 'status'>,
  asks: readonly RoleAsk[],
  {
    plan,
    standing,
    services,
    chain = null,
    at,
  }: {
    readonly plan: HostPlan | null;
    readonly standing: SipReport;
    readonly services: ServicesReport;
    /** Null: no site is asked for. */
    readonly chain?: ChainReport | null;
    readonly at: string;
  },
): SipClusterStatus {
  const { metadata, status: before } = cluster;
  const generation = metadata.generation ?? 0;
  const { ready, message: why } = readyOf(standing, services, chain);
  const say = (type: SipConditionType, isTrue: boolean, reason: string, message: string) =>
    conditionSince(
      before?.conditions,
      {
        type,
        status: isTrue ? ('True' as const) : ('False' as const),
        reason,
        message: cutText(message, LONGEST_SIP_MESSAGE),
        observedGeneration: generation,
      },
      at,
    );
  const saying = (type: SipConditionType, said: ChainReport['joined'] | ChainReport['provisioned']) =>
    say(type, said.isTrue, said.reason, said.message);
  const has = (role: string): number => plan?.reserved.get(role)?.length ?? 0;
  const all = [...(plan?.reserved.values() ?? [])].flat().length;
  const wanted = asks.reduce((sum, one) => sum + one.wanted, 0);
  return {
    observedGeneration: generation,
    reservedOfWanted: `${all}/${wanted}`,
    roles: Object.fromEntries(
      inOrder(asks, ({ role }) => role).map(({ role, wanted: ofRole }) => [
        role,
        { wanted: ofRole, reserved: has(role) },
      ]),
    ),
    ...(plan === null ? unseenHosts(cluster) : { hosts: hostsOf(plan), ...passedOverOf(cluster, plan) }),
    services: [...services.services],
    conditions: [
      ...(chain === null ? [] : [saying('Joined', chain.joined), saying('Provisioned', chain.provisioned)]),
      say('HostsReserved', standing.reserved === 'Reserved', standing.reserved, standing.message),
      say('Ready', ready === 'ReconciliationSucceeded', ready, why),
      say('ServicesReady', READY_BY_SERVICES[services.reason] === null, services.reason, services.message),
    ],
  };
}

/**
 * As long as nobody sees the hosts, what was said of them stands: one that has failed would look well between
 * two tries, and count as given back.
 */
function unseenHosts({ status }: Pick<SipCluster, 'status'>): Pick<SipClusterStatus, 'hosts' | 'passedOver'> {
  const { hosts = [], passedOver: given } = status ?? {};
  return { hosts, ...(given === undefined ? {} : { passedOver: given }) };
}

function passedOverOf(
  cluster: Pick<SipCluster, 'status'>,
  plan: HostPlan,
): Pick<SipClusterStatus, 'passedOver'> {
  const reserved = new Set([...plan.reserved.values()].flat().map(({ key }) => key));
  const hosts = passedOver(cluster, reserved);
  return hosts.length === 0 ? {} : { passedOver: hosts };
}

function hostsOf(plan: HostPlan): NonNullable<SipClusterStatus['hosts']> {
  const all = [...plan.reserved].flatMap(([role, hosts]) => hosts.map((host) => ({ role, host })));
  const sorted = inOrder(all, ({ host: { key, failedSince } }) => `${failedSince === null ? 1 : 0}${key}`);
  return sorted.slice(0, MOST_HOSTS_NAMED).map(({ role, host: { key, failedSince, failure } }) => {
    const [namespace = '', name = ''] = key.split('/');
    const failed = failedSince === null ? {} : { failedSince: new Date(failedSince).toISOString() };
    return { namespace, name, role, ...failed, ...(failure === undefined ? {} : { failure }) };
  });
}

/** Writes nothing that is unchanged. Throws a Conflict if the SIPCluster has changed since it was read. */
export async function publish(kube: Kube, cluster: SipCluster, status: SipClusterStatus): Promise<void> {
  if (isDeepStrictEqual(status, cluster.status)) return;
  await applyStatus<SipCluster>(kube, SIP_CLUSTER, cluster, {
    status,
    fieldManager: 'cappstan-sip',
    asRead: true,
  });
}
