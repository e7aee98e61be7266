// How the site of a SIPCluster is, as its conditions say it. Pure.
import type { JoinedReason, ProvisionedReason, SipReadyReason } from '../../../../crds/metal/status.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { JoinedSaid, ProvisionedSaid } from '../../../../workflows/metal/chain/sight.ts';

export interface ChainReport {
  readonly provisioned: ProvisionedSaid;
  readonly joined: JoinedSaid;
}

/** Reasons that pass by themselves; with all others somebody has to do something. */
const PASSING: ReadonlySet<ProvisionedReason | JoinedReason> = new Set([
  'WaitingForHosts',
  'WaitingForSite',
  'Provisioning',
  'Wiping',
  'Wiped',
  'Expected',
  'Asked',
  'Accepted',
  'Registered',
  'Available',
  'Draining',
  'Detaching',
  'Detached',
] as const);

/** What keeps the SIPCluster from being Ready; null: nothing. */
export function readyByChain({ provisioned, joined }: ChainReport): {
  readonly ready: SipReadyReason;
  readonly message: string;
} | null {
  // What only a person can mend is said first.
  const both = [provisioned, joined].filter(({ isTrue }) => !isTrue);
  const [first] = [...both.filter(({ reason }) => !PASSING.has(reason)), ...both];
  if (first === undefined) return null;
  return { ready: PASSING.has(first.reason) ? 'Progressing' : 'InfraServiceFailure', message: first.message };
}

/** What the status says; null where it says nothing of a site. */
export function chainBefore({ status }: Pick<SipCluster, 'status'>): ChainReport | null {
  const [provisioned, joined] = ['Provisioned', 'Joined'].map((type) =>
    status?.conditions?.find((one) => one.type === type),
  );
  if (provisioned === undefined || joined === undefined) return null;
  return {
    provisioned: {
      isTrue: provisioned.status === 'True',
      reason: provisioned.reason as ProvisionedReason,
      message: provisioned.message,
    },
    joined: {
      isTrue: joined.status === 'True',
      reason: joined.reason as JoinedReason,
      message: joined.message,
    },
  };
}

/** Words about hosts that are to be given back, beside what is said of those that stay. */
export function withGoing(report: ChainReport, going: string): ChainReport {
  const message = `${report.provisioned.message} ${going}`.trim();
  return { ...report, provisioned: { ...report.provisioned, message } };
}
