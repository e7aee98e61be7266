// Stand-in for OCM's managed-serviceaccount, and for what says that a site has cluster-proxy: the reader's
// account on a site, its token in the site's namespace on the hub, and the add-on there.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { MANAGED_CLUSTER_ADD_ON } from '../../../../crds/ocm/ocm.ts';
import { OF_MANAGED_ACCOUNT } from '../../../../crds/ocm/managed-service-account.ts';
import type { Kube } from '../../../../kube/client.ts';
import { applyObjects, createMissing } from '../../kubernetes/apply.ts';
import type { LocalCluster } from '../../kubernetes/cluster.ts';
import { serviceAccountKubeconfig } from '../../kubernetes/service-account.ts';

/** The chart's default for reader.accountNamespace. */
const NAMESPACE = 'open-cluster-management-agent-addon';
const READER = 'cappstan-reader';
const ACCOUNT = { namespace: NAMESPACE, name: READER };

export interface Lending {
  readonly hub: Kube;
  readonly site: Kube;
  readonly cluster: LocalCluster;
  /** Path of the authority of the site's API server. */
  readonly ca: string;
  /** Path of a file that keeps the token. */
  readonly file: string;
}

/** The token is for a year, and another one once less than a month is left. Safe to repeat. */
export async function lendReaderAccount({ hub, site, cluster, ca, file }: Lending): Promise<void> {
  const { name, url: server } = cluster;
  const labels = { [OF_MANAGED_ACCOUNT]: 'true' };
  await createMissing(site, [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...ACCOUNT, labels } }]);
  await serviceAccountKubeconfig(site, { ...ACCOUNT, cluster: name, server, ca, file });
  const { apiVersion, kind } = MANAGED_CLUSTER_ADD_ON;
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: name, name: READER, labels },
    data: { token: base64(await tokenIn(file)), 'ca.crt': base64(await readFile(ca, 'utf8')) },
  };
  const addOn = { apiVersion, kind, metadata: { namespace: name, name: 'cluster-proxy' }, spec: {} };
  await createMissing(hub, [addOn]);
  await applyObjects(hub, [secret]);
}

async function tokenIn(file: string): Promise<string> {
  type Kubeconfig = { users?: { user?: { token?: string } }[] };
  const { users } = parse(await readFile(file, 'utf8')) as Kubeconfig;
  return users?.[0]?.user?.token ?? '';
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
