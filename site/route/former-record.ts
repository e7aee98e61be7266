// The cluster-scoped DNS record of a Capp, which gives way to a namespaced one without the name leaving DNS.
import type { Capp } from '../../crds/capp/capp.ts';
import { RECORDS, type NamedRecord } from '../../crds/dns-record.ts';
import type { Kube } from '../../kube/client.ts';
import { SiteFault } from '../objects/fault.ts';
import { isRecordOf } from './cluster-record.ts';
import { removeObserving } from './give-up.ts';

const FORMER = RECORDS.Cluster;

/**
 * Also one that container-app-operator v0.3.6 made. A repeat goes on where the last one ended. Throws a
 * SiteFault for a record of somebody else, and what the client throws.
 */
export async function releaseFormer(
  kube: Pick<Kube, 'get' | 'patch' | 'remove'>,
  capp: Capp,
  name: string,
): Promise<void> {
  const former = await kube.get<NamedRecord>(FORMER, { namespace: null, name });
  if (former === null || former.metadata.deletionTimestamp !== undefined) return;
  if (!isRecordOf(former, capp))
    throw new SiteFault(
      'NameTaken',
      `The site has a CNAMERecord ${name} of ${FORMER.apiVersion}, which is not of this Capp and stays as it is. For one by Cappstan, set its managementPolicies to [Observe], and then delete it.`,
    );
  await removeObserving(kube, FORMER, former);
}
