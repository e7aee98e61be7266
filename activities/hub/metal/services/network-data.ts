// The addresses of a host by network, as its network data says: OpenStack's network_data.json, or the same in
// YAML. Pure. What is in it never leaves this module, but for the addresses.
import { BlockList, isIP } from 'node:net';
import type { Secret } from '../../../../crds/kubernetes/core.ts';
import { documentsOf } from '../../../../kube/files/read.ts';

const KEY = 'networkData';
const MOST_BYTES = 65_536;
const MOST_NETWORKS = 100;

/** What is the matter with it, in words that quote none of it. */
export class NetworkDataFault extends Error {}

/**
 * By the id of the network, of these ids. The first network of an id counts, as with SIP; what is wrong with
 * others is nobody's concern. Throws NetworkDataFault.
 */
export function addressesOf(
  { data = {} }: Pick<Secret, 'data'>,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const network of networksOf(data)) {
    const { id, ip_address: address } = asObject(network) ?? {};
    if (typeof id !== 'string') throw new NetworkDataFault('one of its networks has no id');
    if (address === undefined || address === null || found.has(id) || !wanted.has(id)) continue;
    if (typeof address !== 'string' || isIP(address) === 0)
      throw new NetworkDataFault(`the ip_address of its network ${id} is no IP address`);
    if (!isOneHosts(address))
      throw new NetworkDataFault(
        `the ip_address of its network ${id} leads to no host from elsewhere: it has a zone, or is for loopback, a link, multicast or no use at all`,
      );
    found.set(id, address);
  }
  return found;
}

/**
 * What is no address of one host that others reach (RFC 6890, RFC 4291). HAProxy refuses a configuration, and
 * the API server a Deployment, for one such address, so all hosts of the SIPCluster would go without.
 */
const NOBODYS_V4 = listOf('ipv4', [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
]);
/** A list of its own: the addresses of IPv4 within IPv6 stand for all of IPv4 where both are in one. */
const NOBODYS_V6 = listOf('ipv6', [
  ['::', 127],
  ['::ffff:0:0', 96],
  ['fe80::', 10],
  ['ff00::', 8],
]);

function listOf(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

/** Takes an IP address. A zone names an interface of whoever uses the address. */
function isOneHosts(address: string): boolean {
  if (address.includes('%')) return false;
  return isIP(address) === 6 ? !NOBODYS_V6.check(address, 'ipv6') : !NOBODYS_V4.check(address, 'ipv4');
}

function networksOf(data: Readonly<Record<string, string>>): readonly unknown[] {
  const encoded = data[KEY];
  if (encoded === undefined) throw new NetworkDataFault(`it has no key ${KEY}`);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > MOST_BYTES) throw new NetworkDataFault(`its ${KEY} has more than ${MOST_BYTES} bytes`);
  const networks = asObject(parsed(bytes))?.['networks'];
  if (!Array.isArray(networks)) throw new NetworkDataFault(`its ${KEY} has no list of networks`);
  if (networks.length > MOST_NETWORKS)
    throw new NetworkDataFault(`its ${KEY} has more than ${MOST_NETWORKS} networks`);
  return networks as readonly unknown[];
}

/** The parser's own words would quote it. */
function parsed(bytes: Buffer): unknown {
  const documents = ((): readonly unknown[] => {
    try {
      return documentsOf(bytes);
    } catch {
      throw new NetworkDataFault(`its ${KEY} is neither YAML nor JSON`);
    }
  })();
  if (documents.length !== 1) throw new NetworkDataFault(`its ${KEY} must be one document`);
  return documents[0];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
