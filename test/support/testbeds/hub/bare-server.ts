// A real API server with one namespace, and a client of its administrator.
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../servers/api/api-server.ts';

/**
 * Starts one for the tests of a file, and gives its client away. `prepare` comes before the namespace. Call
 * it once, at the top.
 */
export function bareServer(
  namespace: string,
  use: (kube: Kube) => void,
  { userAgent, prepare }: { userAgent?: string; prepare?: (kube: Kube) => Promise<void> } = {},
): void {
  let server: ApiServerForTests;
  let kube: Kube;
  beforeAll(async () => {
    server = await startApiServer();
    kube = connect({
      kubeconfig: server.kubeconfig,
      deadlineMs: API_TIMEOUT_MS,
      ...(userAgent === undefined ? {} : { userAgent }),
    });
    use(kube);
    await prepare?.(kube);
    await kube.create(NAMESPACE, { metadata: { name: namespace } });
  }, 300_000);
  afterAll(async () => {
    await kube?.close();
    await server?.stop();
  });
}
