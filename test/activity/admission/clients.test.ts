// That an API server shows the webhook a client certificate, by the two files that docs/install.md tells
// people to write: on a real API server.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIG_MAP, NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { issue } from '../../../tls/certificate.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { givenClients } from '../../../workers/webhook/door/clients.ts';
import { serveAdmission, type AdmissionServer } from '../../../workers/webhook/door/server.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';

const PAGE = readFileSync(new URL('../../../docs/install.md', import.meta.url), 'utf8');
const CONFIGURATION = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

let dir: string;
let webhook: AdmissionServer;
let asked: string[] = [];
let server: ApiServerForTests;
let kube: Kube;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cappstan-api-clients-'));
  const authority = await openPki(join(dir, 'pki'));
  await authority.issue('../webhooks', { name: 'kube-apiserver' });
  const { cert, key, authority: caBundle } = await issue(['127.0.0.1', 'localhost'], Date.now());
  webhook = await serveAdmission({
    address: '127.0.0.1:0',
    serving: { cert, key, clients: await givenClients(authority.authority.cert, ['kube-apiserver']) },
    reply: async (path, text) => {
      asked.push(path);
      const { uid } = (JSON.parse(text) as { request: { uid: string } }).request;
      const response = { uid, allowed: true };
      return { status: 200, body: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response } };
    },
    onError: () => undefined,
  });
  server = await startApiServer({ flags: [`--admission-control-config-file=${await files(webhook.port)}`] });
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await configure('shown', '127.0.0.1', caBundle);
  await configure('unknown', 'localhost', caBundle);
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await Promise.all([server?.stop(), webhook?.close()]);
  await rm(dir, { recursive: true, force: true });
});

/** Both files as the page has them, with this machine's places. Returns the first one's path. */
async function files(port: number): Promise<string> {
  const part = (first: string): string => {
    const found = PAGE.split('```yaml\n').find((one) => one.startsWith(first));
    if (found === undefined) throw new Error(`docs/install.md has no file that begins with ${first}`);
    return (found.split('```')[0] ?? '')
      .replaceAll('/etc/kubernetes', dir)
      .replace('cappstan-webhook.cappstan-system.svc', `127.0.0.1:${port}`);
  };
  await writeFile(join(dir, 'webhooks.kubeconfig'), part('apiVersion: v1\nkind: Config\n'));
  const file = join(dir, 'admission.yaml');
  await writeFile(file, part('apiVersion: apiserver.config.k8s.io/v1\n'));
  return file;
}

/** A webhook for the ConfigMaps of one namespace, called by this name of our server. */
async function configure(namespace: string, host: string, authority: string): Promise<void> {
  await kube.create(NAMESPACE, { metadata: { name: namespace } });
  const { apiVersion, kind } = CONFIGURATION;
  const webhooks = [
    {
      name: `${namespace}.tests.example`,
      clientConfig: {
        url: `https://${host}:${webhook.port}/${namespace}`,
        caBundle: Buffer.from(authority).toString('base64'),
      },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
    },
  ];
  await kube.create(CONFIGURATION, { apiVersion, kind, metadata: { name: namespace }, webhooks } as never);
}

let made = 0;
const create = (namespace: string): Promise<string> =>
  kube.create(CONFIG_MAP, { metadata: { namespace, name: `c-${(made += 1)}` } }).then(
    () => 'made',
    () => 'refused',
  );

test('an API server with the two files is answered', async () => {
  await eventually(async () => {
    asked = [];
    const how = await create('shown');
    return how === 'made' && asked.length > 0 ? true : undefined;
  });
  expect(asked).toContain('/shown');
});

test('the certificate is for the host and port that the file names, and for no other', async () => {
  await eventually(async () => ((await create('unknown')) === 'refused' ? true : undefined));
  asked = [];
  expect(await create('unknown')).toBe('refused');
  expect(asked).toEqual([]);
});
