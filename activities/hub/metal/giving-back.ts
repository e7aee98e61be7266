// Gives hosts back, and says which of them the hub does not let go.
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import type { Kube } from '../../../kube/client.ts';
import { isForbidden, isInvalid, type ApiError } from '../../../kube/failure.ts';
import { keyTextOf } from '../../../kube/resource.ts';
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';
import { giveBack } from './reservation.ts';

export interface RefusedHost {
  readonly host: string;
  readonly error: ApiError;
}

/**
 * Null: all of them are free. The first that the hub refuses for good is returned; other failures are thrown.
 */
export async function giveBackAll(
  kube: Kube,
  hosts: readonly BareMetalHost[],
  wipedFor: Pick<SipCluster, 'metadata'> | null = null,
): Promise<RefusedHost | null> {
  for (const host of hosts)
    try {
      await giveBack(kube, host, wipedFor);
    } catch (error) {
      if (!isForbidden(error) && !isInvalid(error)) throw error;
      return { host: keyTextOf(host), error };
    }
  return null;
}
