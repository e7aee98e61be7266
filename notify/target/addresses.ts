// Which addresses a message may be sent to. Pure. Every address that is not plainly public is refused, unless
// the RCSConfig lists its network for the host.
import { BlockList, isIP } from 'node:net';
import { isNetwork } from '../../crds/notify/network.ts';

/** IANA's registry of special-purpose addresses (RFC 6890 and later), multicast, and what is reserved. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Of IPv6 only this is public, without the parts below. */
const GLOBAL_V6 = ['2000::/3'];
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const specialV4 = listOf(SPECIAL_V4);
const globalV6 = listOf(GLOBAL_V6);
const specialV6 = listOf(SPECIAL_V6);

/** An address of IPv4 that is written as one of IPv6 is one of IPv4. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === '') return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/** `networks` are CIDRs; one that cannot be read has no address. */
export function isAllowedAddress(given: string, networks: readonly string[]): boolean {
  const address = plainAddress(given);
  const family = isIP(address);
  if (family === 0) return false;
  const isIn = (list: BlockList): boolean => list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  if (isIn(listOf(networks.filter(isNetwork)))) return true;
  return family === 4 ? !isIn(specialV4) : isIn(globalV6) && !isIn(specialV6);
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
