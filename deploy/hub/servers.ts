// The servers of a hub and their certificates: etcd, the API server with its controllers, Temporal.
import { join } from 'node:path';
import { localCluster, type LocalCluster } from '../local/kubernetes/cluster.ts';
import { etcdGuard, guardedEtcd, type EtcdAccess } from '../local/kubernetes/etcd.ts';
import { writeKubeconfig } from '../local/kubernetes/kubeconfig.ts';
import { HUB } from '../local/layout.ts';
import type { ProcessSpec } from '../local/supervise/process-spec.ts';
import { toolPath } from '../local/programs/tools.ts';
import { atRestFlags } from './at-rest.ts';
import type { HubConfig } from './config/config.ts';
import { externalHostOf, urlOf } from './doors.ts';
import { certificatesOf, type HubFoundation } from './foundation.ts';

export interface HubServers {
  readonly cluster: LocalCluster;
  /** None with an external etcd. */
  readonly store: readonly ProcessSpec[];
}

/** The administrator's kubeconfig for other machines, at the place where multicluster-controlplane has it. */
export function kubeconfigOf({ layout }: Pick<HubFoundation, 'layout'>): string {
  return join(certificatesOf(layout), 'kube-aggregator.kubeconfig');
}

/**
 * Writes certificates that are missing or due, and the kubeconfigs. Starts nothing. Called again while the
 * hub runs, it renews: the specs are the same. `isOld`: the hub has stored something before.
 */
export async function hubServers(
  config: HubConfig,
  foundation: HubFoundation,
  isOld: boolean,
): Promise<HubServers> {
  const { layout, pki } = foundation;
  const host = externalHostOf(config);
  const { access, store } = await storeOf(config, foundation);
  const flags = [
    ...atRestFlags({ certificates: certificatesOf(layout), logs: layout.logs, isOld }),
    '--profiling=false',
  ];
  const door = { bind: config.bindAddress, hosts: [host] };
  const cluster = await localCluster(HUB, foundation, access, { door, flags, followsRenewal: true });
  await writeKubeconfig(kubeconfigOf(foundation), {
    cluster: HUB,
    server: urlOf(config),
    ca: pki.authority.cert,
    credential: {
      pair: {
        cert: join(certificatesOf(layout), 'admin.crt'),
        key: join(certificatesOf(layout), 'admin.key'),
      },
    },
  });
  return { cluster, store };
}

async function storeOf(
  { etcd }: HubConfig,
  { layout, pki, ports }: HubFoundation,
): Promise<{ access: EtcdAccess; store: readonly ProcessSpec[] }> {
  if (etcd.mode === 'external') {
    const { servers, prefix, tls } = etcd;
    return { access: { servers, prefix, ...(tls === null ? {} : { tls }) }, store: [] };
  }
  const guard = await etcdGuard(await pki.another('etcd-ca'), await ports.of('etcd-health'));
  const { access, spec } = guardedEtcd(
    {
      binary: toolPath('etcd'),
      dataDir: layout.dataOf('etcd'),
      clientPort: await ports.of('etcd'),
      peerPort: await ports.of('etcd-peer'),
    },
    guard,
  );
  return { access: access(etcd.prefix), store: [spec] };
}
