// One Kubernetes cluster of the stack, the hub or a site: an API server and a controller manager.
import { apiServer, type ApiServerOptions } from './api-server.ts';
import { controllerManager } from './controller-manager.ts';
import type { EtcdAccess } from './etcd.ts';
import { HUB, type Layout } from '../layout.ts';
import type { Pki } from './pki.ts';
import type { Ports } from '../supervise/ports.ts';
import type { ProcessSpec } from '../supervise/process-spec.ts';
import { toolPath } from '../programs/tools.ts';

export interface LocalCluster {
  /** `hub`, `site-1`, … */
  readonly name: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly apiServer: ProcessSpec;
  readonly controllerManager: ProcessSpec;
}

export interface Foundation {
  readonly layout: Layout;
  readonly pki: Pki;
  readonly ports: Ports;
}

/** Chooses ports, and writes certificates and the kubeconfig. Starts nothing. Safe to repeat. */
export async function localCluster(
  name: string,
  { layout, pki, ports }: Foundation,
  etcd: EtcdAccess,
  how: Pick<ApiServerOptions, 'door' | 'flags' | 'followsRenewal'> = {},
): Promise<LocalCluster> {
  const server = await apiServer({
    binary: toolPath('kube-apiserver'),
    cluster: name,
    port: await ports.of(`${name}-api-server`),
    etcd,
    pki,
    kubeconfig: layout.kubeconfig(name),
    ...how,
    // Clusters come to a hub with tokens.
    flags: [...(name === HUB ? ['--enable-bootstrap-token-auth=true'] : []), ...(how.flags ?? [])],
  });
  const controllers = controllerManager({
    binary: toolPath('kube-controller-manager'),
    cluster: name,
    role: name === HUB ? 'hub' : 'site',
    kubeconfig: server.kubeconfig,
    pki,
    port: await ports.of(`${name}-controller-manager`),
  });
  return {
    name,
    kubeconfig: server.kubeconfig,
    url: server.url,
    apiServer: server.spec,
    controllerManager: controllers,
  };
}
