// Writes how a SIPCluster stands, and says it in a line for people.
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../kube/client.ts';
import type { SipTurned } from '../../../workflows/metal/port.ts';
import type { HostPlan } from '../../../workflows/metal/plan/hosts.ts';
import { chainBefore, type ChainReport } from './chain/report.ts';
import { asksOf } from './ground.ts';
import type { ServicesReport } from './services/report.ts';
import { publish, servicesBefore, statusOf, type SipReport } from './status.ts';

export type TurnedSip = Extract<SipTurned, { outcome: 'Turned' }>;

/** Writes nothing that is unchanged. Throws ApiError. */
export async function tell(
  kube: Kube,
  cluster: SipCluster,
  {
    standing,
    plan,
    now,
    services = servicesBefore(cluster),
    chain = chainBefore(cluster),
  }: {
    readonly standing: SipReport;
    readonly plan: HostPlan | null;
    readonly now: number;
    /** Without them, what was said before. */
    readonly services?: ServicesReport;
    readonly chain?: ChainReport | null;
  },
): Promise<TurnedSip> {
  const at = new Date(now).toISOString();
  const status = statusOf(cluster, asksOf(cluster), { plan, standing, services, chain, at });
  await publish(kube, cluster, status);
  const says =
    `**${standing.reserved}**, ${status.reservedOfWanted ?? ''} hosts, services: **${services.reason}**${wordsOf(chain)}. ${standing.message} ${services.message}`.trim();
  return { outcome: 'Turned', needsHosts: false, wakeAt: null, says };
}

function wordsOf(chain: ChainReport | null): string {
  if (chain === null) return '';
  const { provisioned, joined } = chain;
  return `, **${provisioned.reason}** ${provisioned.message}, **${joined.reason}** ${joined.message}`.trimEnd();
}
