// The status of a SIPCluster: what it has, what it lacks and why. Pure, but for `publish`.
import { isDeepStrictEqual } from 'node:util';
import { conditionSince } from '../../../crds/condition.ts';
import { cutText } from '../../../crds/cut-text.ts';
import { SIP_CLUSTER, servicesAskedFor, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import {
  LONGEST_SIP_MESSAGE,
  MOST_HOSTS_NAMED,
  type HostsReservedReason,
  type SipClusterStatus,
  type SipReadyReason,
} from '../../../crds/metal/status.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import type { HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { inOrder, type RoleAsk, type SeenHost } from '../../../workflows/metal/plan/inventory.ts';
import { shortage } from '../../../workflows/metal/plan/words.ts';

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

/** A write of a host that the hub has refused. */
export function refusedBy(host: string, error: Error, ready: SipReadyReason): SipReport {
  const message = `The hub refuses a write of BareMetalHost ${host} (${error.message}). Are the hub workers allowed to patch it (metal.hosts in the chart), and does no policy forbid it? It is tried again each minute.`;
  return { reserved: 'WriteRefused', ready, message };
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
  const failed = failedWords(plan);
  const services = servicesAskedFor(cluster.spec);
  if (services.length === 0)
    return { reserved: 'Reserved', ready: 'ReconciliationSucceeded', message: failed };
  const unmade = `The hosts are reserved. This version does not make what spec.services asks for: ${services.join(', ')}.`;
  return { reserved: 'Reserved', ready: 'InfraServiceFailure', message: `${unmade} ${failed}`.trim() };
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
  { metadata, status: before }: Pick<SipCluster, 'metadata' | 'status'>,
  asks: readonly RoleAsk[],
  {
    plan,
    standing,
    at,
  }: { readonly plan: HostPlan | null; readonly standing: SipReport; readonly at: string },
): SipClusterStatus {
  const generation = metadata.generation ?? 0;
  const message = cutText(standing.message, LONGEST_SIP_MESSAGE);
  const say = (type: string, isTrue: boolean, reason: string) =>
    conditionSince(
      before?.conditions,
      {
        type,
        status: isTrue ? ('True' as const) : ('False' as const),
        reason,
        message,
        observedGeneration: generation,
      },
      at,
    );
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
    hosts: hostsOf(plan),
    conditions: [
      say('HostsReserved', standing.reserved === 'Reserved', standing.reserved),
      say('Ready', standing.ready === 'ReconciliationSucceeded', standing.ready),
    ],
  };
}

function hostsOf(plan: HostPlan | null): NonNullable<SipClusterStatus['hosts']> {
  const all = [...(plan?.reserved ?? [])].flatMap(([role, hosts]) => hosts.map((host) => ({ role, host })));
  const sorted = inOrder(all, ({ host: { key, failedSince } }) => `${failedSince === null ? 1 : 0}${key}`);
  return sorted.slice(0, MOST_HOSTS_NAMED).map(({ role, host: { key, failedSince } }) => {
    const [namespace = '', name = ''] = key.split('/');
    const failed = failedSince === null ? {} : { failedSince: new Date(failedSince).toISOString() };
    return { namespace, name, role, ...failed };
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
