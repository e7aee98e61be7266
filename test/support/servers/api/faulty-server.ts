// A real API server with five ConfigMaps, behind a proxy that breaks answers and connections as a test wants.
import { CONFIG_MAP, NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { ApiError } from '../../../../kube/failure.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from './api-server.ts';
import { startFaultProxy, type Fault, type FaultProxy } from '../network/fault-proxy.ts';

export interface FaultyServer {
  readonly server: ApiServerForTests;
  readonly proxy: FaultProxy;
  /** Not through the proxy. */
  readonly direct: Kube;
  /** Through the proxy. */
  readonly kube: Kube;
}

/**
 * Starts one for the tests of a file, with the ConfigMaps a to e in that namespace, and gives it away. Each
 * test begins without faults. Call it once, at the top.
 */
export function faultyServer(namespace: string, use: (given: FaultyServer) => void): void {
  let server: ApiServerForTests;
  let proxy: FaultProxy;
  let direct: Kube;
  let kube: Kube;
  beforeAll(async () => {
    server = await startApiServer();
    proxy = await startFaultProxy(server.kubeconfig);
    direct = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
    kube = connect({ kubeconfig: proxy.kubeconfig });
    use({ server, proxy, direct, kube });
    await direct.create(NAMESPACE, { metadata: { name: namespace } });
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => direct.create(CONFIG_MAP, { metadata: { name, namespace } })),
    );
  }, 300_000);
  afterEach(() => {
    proxy.heal();
    proxy.forget();
  });
  afterAll(async () => {
    await kube?.close();
    await direct?.close();
    await proxy?.stop();
    await server?.stop();
  });
}

/** Applies the fault to this many requests, and lets the others pass. */
export function first(times: number, fault: Fault): () => Fault | undefined {
  let left = times;
  return () => ((left -= 1) >= 0 ? fault : undefined);
}

/** The error of a call that has to fail, and how long it took. */
export async function failure(call: Promise<unknown>): Promise<{ error: ApiError; tookMs: number }> {
  const began = performance.now();
  const error: unknown = await call.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  return { error: error as ApiError, tookMs: performance.now() - began };
}
