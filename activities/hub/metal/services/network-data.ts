// The addresses of a host by network, as its network data says: OpenStack's network_data.json, or the same in
// YAML. Pure. What is in it never leaves this module, but for the addresses.
import { isIP } from 'node:net';
import type { Secret } from '../../../../crds/kubernetes/core.ts';
import { documentsOf } from '../../../../kube/files/read.ts';

const KEY = 'networkData';
const MOST_BYTES = 65_536;
const MOST_NETWORKS = 100;

/** What is the matter with it, in words that quote none of it. */
export class NetworkDataFault extends Error {}

/** The first network of an id counts, as with SIP. Throws NetworkDataFault. */
export function addressesOf({ data = {} }: Pick<Secret, 'data'>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const network of networksOf(data)) {
    const { id, ip_address: address } = asObject(network) ?? {};
    if (typeof id !== 'string') throw new NetworkDataFault('one of its networks has no id');
    if (address === undefined || address === null || found.has(id)) continue;
    if (typeof address !== 'string' || isIP(address) === 0)
      throw new NetworkDataFault('the ip_address of one of its networks is no IP address');
    found.set(id, address);
  }
  return found;
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
