// Clusters that begin with the same ground are clusters of their own: none has the identity of another one,
// or trusts its authorities.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CAPP } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { groundOf } from '../../support/servers/api/definitions.ts';

const TRUSTED = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };

const servers: ApiServerForTests[] = [];
const kubes: Kube[] = [];
beforeAll(async () => {
  for (const _ of ['a', 'b']) {
    const server = await startApiServer({ ground: groundOf() });
    servers.push(server);
    kubes.push(connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS }));
  }
}, 300_000);
afterAll(async () => {
  for (const kube of kubes) await kube.close();
  for (const server of servers) await server.stop();
});

test('each serves our kinds at once', async () => {
  for (const kube of kubes) expect((await kube.list(CAPP)).items).toEqual([]);
});

test('each has an identity of its own', async () => {
  const uids = await Promise.all(
    kubes.map((kube) =>
      eventually(
        async () => (await kube.get(NAMESPACE, { namespace: null, name: 'kube-system' }))?.metadata.uid,
      ),
    ),
  );
  expect(new Set(uids).size).toBe(servers.length);
});

test('each tells those that it serves to trust its own authority alone', async () => {
  for (const [place, { kubeconfig }] of servers.entries()) {
    const authority = await readFile(join(dirname(kubeconfig), 'pki', 'ca.crt'), 'utf8');
    const trusted = await eventually(
      async () => (await kubes[place]?.get<ConfigMap>(CONFIG_MAP, TRUSTED))?.data?.['client-ca-file'],
    );
    expect(trusted.trim()).toBe(authority.trim());
  }
});
