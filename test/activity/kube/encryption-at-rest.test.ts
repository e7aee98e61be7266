// The EncryptionConfiguration of docs/install.md, given to a real API server: what may hold a Secret's value
// is not readable in etcd.
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { BUNDLE_REVISION_KIND } from '../../../crds/bundle/bundle-revision.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK, MANIFEST_WORK_REPLICA_SET } from '../../../crds/ocm/ocm.ts';
import { applyOcmCrds } from '../../../deploy/local/ocm/crds.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { Resource } from '../../../kube/resource.ts';
import { API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveOurs } from '../../support/servers/api/definitions.ts';

const VALUE = 'the-value-of-a-secret';
const METADATA = { namespace: 'team', name: 'holder' };

/** The page's example with a key in it. */
function configuration(): string {
  const page = readFileSync(new URL('../../../docs/install.md', import.meta.url), 'utf8');
  const [, example = ''] =
    /```yaml\n(apiVersion: [^\n]+\nkind: EncryptionConfiguration\n[^`]*)```/.exec(page) ?? [];
  expect(example).toContain('secret: … }');
  return example.replace('secret: … }', `secret: ${randomBytes(32).toString('base64')} }`);
}

let server: ApiServerForTests;
let kube: Kube;
beforeAll(async () => {
  server = await startApiServer({ encryption: configuration() });
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await applyOcmCrds(kube, 'hub');
  await serveOurs(kube);
  await kube.create(NAMESPACE, { metadata: { name: METADATA.namespace } });
}, 300_000);
afterAll(async () => {
  await kube?.close();
  await server?.stop();
});

/** What etcd stores under keys that end like this, as text. */
async function stored(end: string): Promise<string> {
  const all = { key: Buffer.from('/').toString('base64'), range_end: Buffer.from('0').toString('base64') };
  const answer = await fetch(`${server.etcd}/v3/kv/range`, { method: 'POST', body: JSON.stringify(all) });
  const { kvs } = (await answer.json()) as { kvs: readonly { key: string; value: string }[] };
  const found = kvs.filter(({ key }) => Buffer.from(key, 'base64').toString().endsWith(end));
  expect(found).toHaveLength(1);
  return Buffer.from(found[0]?.value ?? '', 'base64').toString('latin1');
}

const inManifest = { apiVersion: 'v1', kind: 'Secret', metadata: METADATA, stringData: { password: VALUE } };

test.each<[string, string, Resource, object]>([
  ['a Secret', 'secrets/team/holder', SECRET, { stringData: { password: VALUE } }],
  [
    'a ManifestWork',
    'manifestworks/team/holder',
    MANIFEST_WORK,
    { spec: { workload: { manifests: [inManifest] } } },
  ],
  [
    'a ManifestWorkReplicaSet',
    'manifestworkreplicasets/team/holder',
    MANIFEST_WORK_REPLICA_SET,
    {
      spec: {
        manifestWorkTemplate: { workload: { manifests: [inManifest] } },
        placementRefs: [{ name: 'all' }],
      },
    },
  ],
  [
    'a Bundle',
    'bundles/team/holder',
    BUNDLE,
    { spec: { sites: { clusters: ['site-1'] }, manifests: [inManifest] } },
  ],
  [
    'a BundleRevision',
    'bundlerevisions/team/holder',
    BUNDLE_REVISION_KIND,
    { spec: { revision: 'abc', pattern: { manifests: [inManifest] } } },
  ],
])('what %s holds cannot be read in etcd, and can be read by who may', async (_, key, resource, content) => {
  await kube.create(resource, { metadata: METADATA, ...content });
  const text = await stored(key);
  expect(text).toMatch(/^k8s:enc:secretbox:v1:key1:/);
  expect(text).not.toContain(VALUE);
  const read = JSON.stringify(await kube.get(resource, METADATA));
  expect([VALUE, Buffer.from(VALUE).toString('base64')].some((value) => read.includes(value))).toBe(true);
});

test('what the example does not name is plain text there', async () => {
  await kube.create(CONFIG_MAP, { metadata: METADATA, data: { password: VALUE } });
  expect(await stored('configmaps/team/holder')).toContain(VALUE);
});
