// Who an etcd of three members is, and whom it lets in: files as the seed's `make deploy-etcd` calls them.
import { join } from 'node:path';
import { HUB_COMMAND_TIMES } from '../hub/times.ts';
import { openPemIssuer, type PairFiles } from '../local/kubernetes/pki.ts';
import type { Layout } from '../local/layout.ts';
import { PEER } from './members.ts';

export interface EtcdCertificates {
  readonly authority: string;
  /** For hubs. */
  readonly client: PairFiles;
  readonly serving: PairFiles;
}

/** ca.pem, client.pem, client-key.pem and those of the members are in it. */
export function certificatesOf({ dir }: Pick<Layout, 'dir'>): string {
  return join(dir, 'cert-etcd');
}

/**
 * Makes what is missing or due; etcd reads its files again for each connection. `host` is where clients
 * reach it. Safe to repeat.
 */
export async function etcdCertificates(
  layout: Pick<Layout, 'dir'>,
  hosts: readonly string[],
): Promise<EtcdCertificates> {
  const issuer = await openPemIssuer(certificatesOf(layout), {
    name: 'cappstan-etcd',
    lifetimeMs: HUB_COMMAND_TIMES.certificate.ms,
  });
  return {
    authority: issuer.authority.cert,
    client: await issuer.issue('client', { name: 'client' }),
    serving: await issuer.issue('member', { name: PEER, hosts: [...new Set(hosts)], asks: true }),
  };
}
