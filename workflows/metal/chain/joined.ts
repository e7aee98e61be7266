// What is said of a site that joins: pure.
import type { JoinPhase, JoinVerdict } from '../../join/verdict.ts';
import type { JoinedReason } from '../../../crds/metal/status.ts';
import type { Joiner } from './joiner.ts';
import { notYet, type ChainSight, type JoinedSaid, type SeenSite } from './sight.ts';
import { clock } from '../../types/clock.ts';

const BY_PHASE: Readonly<Record<JoinPhase, JoinedReason>> = {
  Expected: 'Expected',
  Asked: 'Asked',
  Accepted: 'Accepted',
  Joined: 'Registered',
  Available: 'Available',
  Equipped: 'Joined',
  Leaving: 'Detaching',
};

export function joinedOf(sight: ChainSight, joiner: Joiner): JoinedSaid {
  const { cluster, site, hasCome, join, wasJoined, mayProvision } = sight;
  if (!mayProvision || join === null)
    return notYet(
      'NotAllowedHere',
      'spec.site asks for a site, and the hub workers may make none for SIPClusters of this namespace: add it to metal.provisionNamespaces of the chart.',
    );
  if (cluster === null) return notYet('Expected', `ManagedCluster ${site} is made when a host is reserved.`);
  if (!cluster.isOurs)
    return notYet(
      'NameTaken',
      `ManagedCluster ${site} was not made for this SIPCluster. It is left alone, and no host is provisioned: choose another name, or delete that ManagedCluster.`,
    );
  if (cluster.isLeaving)
    return notYet(
      'Detaching',
      `ManagedCluster ${site} is being deleted, by somebody. When it is gone another is made.`,
    );
  const shut = shutOut(site, cluster, hasCome);
  if (shut !== null) return notYet('Stuck', shut);
  if (!cluster.isAccepted && !cluster.hasCome) return waiting(sight, join, joiner);
  // That the site is silent for a while is no news of its hosts.
  const isIn = join.phase === 'Equipped' || (wasJoined && cluster.hasJoined);
  if (isIn) return { isTrue: true, reason: 'Joined', message: '' };
  return join.reason === null
    ? notYet(BY_PHASE[join.phase], join.message)
    : notYet('Stuck', `${join.reason}: ${join.message}`);
}

/** A site that has come and is not accepted; null: it is, or is on its way. */
function shutOut(site: string, cluster: SeenSite, hasCome: boolean): string | null {
  if (cluster.isAccepted) return null;
  const rests = 'Its hosts are left as they are, and it gets no other token.';
  if (cluster.hasJoined)
    return `${site} was shut out: its ManagedCluster has spec.hubAcceptsClient: false. ${rests} Accept it again, or delete the SIPCluster.`;
  return hasCome && !cluster.hasCome
    ? `${site} has come once, and its ManagedCluster was deleted and made again since. ${rests} Join it by hand (cappstan token --cluster ${site} --existing --reuse-name), or delete the SIPCluster.`
    : null;
}

function waiting({ site, token }: ChainSight, join: JoinVerdict, { host, trouble }: Joiner): JoinedSaid {
  if (trouble === 'TokenExpired')
    return notYet(
      'TokenExpired',
      `${host?.key ?? ''} has not joined with its token, which has ended. Look at its console. Nothing is wiped by itself: kubectl annotate sipcluster … rcs.dana.io/allow-wipe=${host?.key ?? ''} has it wiped and provisioned once more, with another token. Or join it by hand: cappstan token --cluster ${site} --existing.`,
    );
  if (trouble === 'NobodyJoins')
    return notYet(
      'NobodyJoins',
      'No host can join: all have read their user data, and none of them has a token that is good now, since the host that had it is gone, or the ManagedCluster was made again. Nothing is wiped by itself: annotate the SIPCluster with rcs.dana.io/allow-wipe=<namespace>/<host> to have one wiped and provisioned once more.',
    );
  if (host === null || token === null) return notYet('Expected', 'No host is there yet that could join.');
  if (join.reason !== null && join.reason !== 'AwaitingAcceptance' && join.reason !== 'TokenExpired')
    return notYet('Stuck', `${join.reason}: ${join.message}`);
  return join.phase === 'Asked'
    ? notYet('Asked', join.message)
    : notYet('Expected', `${host.key} joins by a token that is good until ${clock(token.endsAt)}.`);
}
