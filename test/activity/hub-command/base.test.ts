// `cappstan base` on real API servers: one with nothing, and one with a Knative of somebody else.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import {
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  NAMESPACE,
  type ConfigMap,
} from '../../../crds/kubernetes/core.ts';
import { checkedManifests } from '../../../crds/bundle/manifests.ts';
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { PUBLISHED } from '../../../deploy/local/published/pins.ts';
import { builtPath } from '../../../deploy/local/published/read.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { everythingOn, versionsOn } from '../../support/servers/api/everything.ts';
import { baseCommand, outputOfBase } from '../../support/servers/joining/join-command.ts';

const config = (name: string) => ({ namespace: 'knative-serving', name });
const WEBHOOKS = { apiVersion: 'admissionregistration.k8s.io/v1', namespaced: false };
const VALIDATING_WEBHOOKS = {
  ...WEBHOOKS,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
};
const MUTATING_WEBHOOKS = {
  ...WEBHOOKS,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
};
const SERVICE = { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true };
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };

let folder: string;
let server: ApiServerForTests;
let site: Kube;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'base-command-'));
  server = await startApiServer();
  site = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  // The API server makes it itself, a moment after it is ready.
  await eventually(
    async () => (await site.get(SERVICE, { namespace: 'default', name: 'kubernetes' })) ?? undefined,
  );
});
afterAll(async () => {
  await site?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function base(...flags: string[]): Promise<string> {
  const { code, output } = await baseCommand(['--kubeconfig', server.kubeconfig, ...flags]).ended;
  if (code !== 0) throw new Error(output);
  return output;
}
async function refused(...flags: string[]): Promise<string> {
  const { code, output } = await baseCommand(['--kubeconfig', server.kubeconfig, ...flags]).ended;
  expect(code).toBe(1);
  return output;
}
const dataOf = async (name: string): Promise<Readonly<Record<string, string>>> =>
  (await site.get<ConfigMap>(CONFIG_MAP, config(name)))?.data ?? {};

test('a dry run says what would come, and writes nothing', async () => {
  const before = await everythingOn(site);
  const said = await base('--dry-run', '--parts', 'knative,cert-manager,nfs,dns');
  expect(said).toMatch(/knative 1\.23\.0 comes/);
  expect(said).toContain('nfs 0.5.2 comes: ');
  expect(said).toMatch(
    /dns .* is not brought, because Crossplane is not there.* Run: helm upgrade --install/,
  );
  expect(said).toContain('Nothing was written');
  expect(await everythingOn(site)).toEqual(before);
});

test('what is not as pinned, or cannot be had, is refused before anything is written', async () => {
  const before = await everythingOn(site);
  expect(await refused('--manifests', folder)).toContain('cannot be read');
  await writeFile(join(folder, PUBLISHED.serving.file), 'kind: Namespace\n');
  expect(await refused('--manifests', folder)).toMatch(/is not what was pinned: its SHA-256 is [0-9a-f]{64}/);
  const offline = await refused('--manifests', 'http://nobody.invalid/m');
  expect(offline).toMatch(/could not be fetched .*(ENOTFOUND|EAI_AGAIN).* --manifests <folder or address>/);
  expect(await everythingOn(site)).toEqual(before);
});

test('it brings Knative, its networking and the settings of Cappstan, from a folder', async () => {
  for (const file of [PUBLISHED.serving, PUBLISHED.hpa, PUBLISHED.kourier])
    await writeFile(join(folder, file.file), await readFile(builtPath(file)));
  const said = await base('--manifests', folder, '--domain', 'apps.example');
  expect(said).toContain('Bringing knative');
  expect(await dataOf('config-features')).toMatchObject({
    'kubernetes.podspec-persistent-volume-claim': 'enabled',
    'kubernetes.podspec-persistent-volume-write': 'enabled',
  });
  expect(await dataOf('config-network')).toMatchObject({
    'autocreate-cluster-domain-claims': 'true',
    'ingress-class': 'kourier.ingress.networking.knative.dev',
  });
  expect(await dataOf('config-domain')).toMatchObject({ 'apps.example': '' });
  for (const name of ['controller', 'webhook', 'activator', 'autoscaler', 'autoscaler-hpa'])
    expect(await site.get(DEPLOYMENT, config(name))).not.toBeNull();
  expect(await site.get(NAMESPACE, { namespace: null, name: 'kourier-system' })).not.toBeNull();
});

test('a rerun makes what is missing, and changes nothing that somebody has changed', async () => {
  await site.patch(CONFIG_MAP, config('config-features'), {
    data: { 'kubernetes.podspec-persistent-volume-write': 'disabled' },
  });
  await site.remove(DEPLOYMENT, config('activator'));
  const before = await versionsOn(site);
  expect(await base()).toContain('only what is missing of it is made');
  const after = await versionsOn(site);
  expect(after.filter((one) => !before.includes(one))).toEqual([
    expect.stringMatching(/^Deployment knative-serving\/activator /) as string,
  ]);
  expect(before.filter((one) => !after.includes(one))).toEqual([]);
});

test('a Knative whose version is another one than the note says is somebody else’s by now', async () => {
  const key = { namespace: null, name: 'services.serving.knative.dev' };
  const version = 'app.kubernetes.io/version';
  const labelled = (to: string) =>
    site.patch(CUSTOM_RESOURCE_DEFINITION, key, { metadata: { labels: { [version]: to } } });
  await labelled('1.99.0');
  const before = await versionsOn(site);
  expect(await base()).toMatch(/knative is there \(1\.99\.0\), and this command has not brought it/);
  expect(await versionsOn(site)).toEqual(before);
  await labelled('1.23.0');
});

test('a Knative of somebody else stays as it is, with the commands for what it lacks, until it is asked for', async () => {
  await site.remove(CONFIG_MAP, { namespace: 'kube-system', name: 'cappstan-base' });
  await site.patch(DEPLOYMENT, config('activator'), { spec: { replicas: 7 } });
  const before = await versionsOn(site);
  const said = await base();
  expect(said).toMatch(/knative is there \(1\.23\.0\), and this command has not brought it/);
  expect(said).toMatch(/kubectl patch .*config-features.*persistent-volume-write/);
  expect(await versionsOn(site)).toEqual(before);
  // No Pod runs here, and so no webhook of Knative.
  expect(await refused('--take-over', 'knative')).toMatch(
    /did not take .* If a webhook of knative does not run/,
  );
  for (const { metadata } of (await site.list(VALIDATING_WEBHOOKS)).items)
    await site.remove(VALIDATING_WEBHOOKS, { namespace: null, name: metadata.name });
  for (const { metadata } of (await site.list(MUTATING_WEBHOOKS)).items)
    await site.remove(MUTATING_WEBHOOKS, { namespace: null, name: metadata.name });
  expect(await base('--take-over', 'knative')).toContain('as you asked');
  expect(await dataOf('config-features')).toMatchObject({
    'kubernetes.podspec-persistent-volume-write': 'enabled',
  });
  expect(await base()).toContain('only what is missing of it is made');
});

test('cert-manager comes beside it', async () => {
  await base('--parts', 'cert-manager');
  const key = { namespace: null, name: 'certificates.cert-manager.io' };
  expect(await site.get(CUSTOM_RESOURCE_DEFINITION, key)).not.toBeNull();
  expect(await site.get(DEPLOYMENT, { namespace: 'cert-manager', name: 'cert-manager' })).not.toBeNull();
});

test('as a Bundle each part is one that a hub takes, and fits into one work', async () => {
  const flags = ['--bundle', 'platform', '--sites', 'shop-7', '--parts', 'knative,cert-manager'];
  const bundles = objectsOf<Bundle>(await printed(flags));
  expect(bundles.map(({ metadata: { name } }) => name)).toEqual([
    'site-base-knative',
    'site-base-cert-manager',
  ]);
  for (const { spec } of bundles) {
    const given = (spec.manifests ?? []).map((value) => ({ value, where: 'here' }));
    expect(checkedManifests(given)).toHaveProperty('manifests');
  }
});

test('as text it is what kubectl applies', async () => {
  const objects = objectsOf(await printed(['--print', '--domain', 'apps.example']));
  const domain = objects.find(({ metadata: { name } }) => name === 'config-domain') as ConfigMap;
  expect(domain.data).toMatchObject({ 'apps.example': '' });
  expect(objects.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['CustomResourceDefinition', 'Deployment', 'Service']),
  );
});

async function printed(flags: readonly string[]): Promise<string> {
  const { code, out } = await outputOfBase(flags);
  expect(code).toBe(0);
  return out;
}

const objectsOf = <T extends KubeObject = KubeObject>(text: string): T[] =>
  parseAllDocuments(text).map((document) => document.toJS() as T);
