// A name as which somebody may still have a certificate is given to nobody by mistake.
import { formerSentence } from '../../../crds/join/name-record.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import { readFormer } from '../../hub/objects/joins.ts';

/** `known` is the ManagedCluster of the name; null: there is none. Throws CommandFailure. */
export async function refuseFormer(
  hub: ConnectedHub,
  cluster: string,
  known: ManagedCluster | null,
): Promise<void> {
  // Who has been accepted since, by whomever, is in already.
  if (known?.spec?.hubAcceptsClient === true) return;
  const until = await readFormer(hub, cluster, known);
  if (until !== null)
    throw new CommandFailure(
      'failed',
      `${formerSentence(cluster, until)} Choose another name, or wait until then. If nobody has that certificate any more, say --reuse-name.`,
    );
}
