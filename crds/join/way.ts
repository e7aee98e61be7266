// Where a site finds the hub, and by what it knows it, as the hub itself tells everybody.
import type { X509Certificate } from 'node:crypto';
import { certificatesOf, fingerprintOfKey } from './authority.ts';
import { clusterInfoOf } from './cluster-info.ts';
import type { JoinLine } from './join-line.ts';
import type { ConfigMap } from '../kubernetes/core.ts';

export type WayToHub = Pick<JoinLine, 'fingerprint' | 'host' | 'port'>;

/**
 * Takes the ConfigMap kube-public/cluster-info. Null: it does not say both, or not so that it can be read.
 */
export function wayOf(map: Pick<ConfigMap, 'data'> | null): WayToHub | null {
  const info = clusterInfoOf(map);
  const authority = info === null ? undefined : authorityIn(info.ca);
  const url = URL.parse(info?.server ?? '');
  if (authority === undefined || url === null) return null;
  const port = Number(url.port === '' ? 443 : url.port);
  return { fingerprint: fingerprintOfKey(authority.publicKey), host: url.hostname, port };
}

function authorityIn(ca: string): X509Certificate | undefined {
  try {
    return certificatesOf(ca)[0];
  } catch {
    return undefined;
  }
}
