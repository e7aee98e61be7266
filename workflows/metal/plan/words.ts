// Why a SIPCluster has not got the hosts that it lacks, in a sentence for each role.
import type { HostTrouble } from '../../../crds/metal/bare-metal-host.ts';
import { isFitFree, isFree, takenDomains, type HostPlan } from './hosts.ts';
import { domainOf, inOrder, selectedBy, type RoleAsk, type SeenHost } from './inventory.ts';

/** In the order in which they are said. */
const TROUBLES: Readonly<Record<HostTrouble, string>> = {
  Leaving: 'are being deleted',
  Detached: 'are detached or paused',
  Consumed: 'have a consumerRef',
  NoNetworkData: 'have no spec.networkData',
  InError: 'are in error',
  NotAllowedHere: 'are where the hub workers may not provision (metal.provisionNamespaces)',
  NotAvailable: 'are not available',
};

/**
 * Such as "Worker: 3 wanted, 1 reserved; of 9 other hosts that match, 5 belong to others and 4 are in error".
 */
export function shortage(
  hosts: readonly SeenHost[],
  { short, reserved }: Pick<HostPlan, 'short' | 'reserved'>,
): string {
  const roles = inOrder(short ?? [], ({ role }) => role);
  const said = roles.map((ask) => ofRole(hosts, ask, reserved.get(ask.role) ?? []));
  return said.length === 0
    ? ''
    : `${said.join('. ')}. Nothing is reserved until all that is missing is free.`;
}

function ofRole(hosts: readonly SeenHost[], ask: RoleAsk, has: readonly SeenHost[]): string {
  const taken = takenDomains(ask, has);
  const isMatch = selectedBy(ask);
  const others = hosts.filter((host) => typeof host.owner === 'string' && isMatch(host));
  const unowned = others.filter(({ owner }) => owner === 'nobody');
  const counts: [number, string][] = [
    [others.length - unowned.length, 'belong to others'],
    ...Object.entries(TROUBLES).map(([trouble, words]): [number, string] => [
      unowned.filter((host) => host.trouble === trouble).length,
      words,
    ]),
  ];
  const free = unowned.filter((host) => isFitFree(host, ask));
  counts.push([unowned.filter(isFree).length - free.length, 'cannot be led to by its services']);
  const domains = free.map((host) => domainOf(host, ask.topologyKey));
  const blocked = domains.filter((domain) => domain !== null && taken.has(domain)).length;
  const apart = new Set(domains.filter((domain) => domain !== null && !taken.has(domain))).size;
  const alone = domains.filter((domain) => domain === null).length;
  counts.push([blocked, `share ${ask.topologyKey ?? ''} with a host that the role has`]);
  counts.push([
    free.length - blocked - apart - alone,
    `share ${ask.topologyKey ?? ''} with another free one`,
  ]);
  counts.push([apart + alone, 'are free for it']);
  const why = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  const list =
    why.length === 0 ? 'no other host matches' : `of ${others.length} others that match, ${why.join(', ')}`;
  return `${ask.role}: ${ask.wanted} wanted, ${has.length} reserved; ${list}`;
}
