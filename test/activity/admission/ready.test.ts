// The webhook answers only when the caches that its rules read are synced.
import { connect as dial } from 'node:net';
import { dirname, join } from 'node:path';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING, PLACEMENT } from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { startAdmission, type Admission } from '../../../workers/webhook/webhook.ts';
import { givenCertificate } from '../../../tls/shared-certificate.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare, serveOurs } from '../../support/servers/api/definitions.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';

let server: ApiServerForTests;
let kube: Kube;
let admission: Admission | null = null;
beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
}, 300_000);
afterAll(async () => {
  await admission?.close();
  await kube?.close();
  await server?.stop();
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial({ host: '127.0.0.1', port });
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}

test('W44 the webhook answers no request before its caches of Capps, RCSConfigs, Placements and clusters are synced', async () => {
  const dir = dirname(server.kubeconfig);
  const port = await (await openPorts(join(dir, 'ports.json'))).of('webhook');
  const { cert, key } = await (
    await openPki(join(dir, 'pki'))
  ).issue('webhook', { name: 'webhook', hosts: ['127.0.0.1'] });
  const starting = startAdmission(kube, {
    address: `127.0.0.1:${port}`,
    certificate: givenCertificate(cert, key),
    place: {
      configKey: RCS_CONFIG_KEY,
      namespace: 'cappstan-system',
      clusterDomain: 'cluster.local',
      reserved: [],
    },
    onProblem: () => undefined,
    onError: () => undefined,
  });
  await serveOurs(kube);
  await Promise.all(
    [PLACEMENT, MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING].map((kind) => serveBare(kube, kind)),
  );
  expect(await isListening(port)).toBe(false);
  await serveBare(kube, MANAGED_CLUSTER);
  admission = await starting;
  expect(await isListening(port)).toBe(true);
});
