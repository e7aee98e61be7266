// Argo CD's ApplicationSet controller beside a running stack of ours, with the rights that Argo CD gives it.
// The rest of Argo CD does not run: nobody applies an Application to its cluster, and `untilApplications`
// finishes deletions in the place of Argo CD's application controller.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { NAMESPACE, SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import { applyObjects, createMissing, resourceOf } from '../../deploy/local/kubernetes/apply.ts';
import { isDefinition, readManifests } from '../../deploy/local/kubernetes/manifests.ts';
import { moduleFiles, toolPath } from '../../deploy/local/programs/tools.ts';
import { ARGO } from '../../deploy/local/programs/optional-modules.ts';
import { ROOT } from '../../deploy/local/cappstan/processes.ts';
import { isFree } from '../../deploy/local/supervise/ports.ts';
import type { Kube } from '../../kube/client.ts';
import { pathOf, type KubeObject, type Resource } from '../../kube/resource.ts';
import { clusterSecret, secretNameOf } from '../../registrar/cluster.ts';
import { eventually } from '../eventually.ts';
import type { TestbedStack } from '../stack.ts';

export const ARGO_NAMESPACE = 'argocd';
const ACCOUNT = { namespace: ARGO_NAMESPACE, name: 'argocd-applicationset-controller' };
const SERVICE_ACCOUNT: Resource = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
const argoResource = (kind: string, plural: string): Resource => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind,
  plural,
  namespaced: true,
});
export const APPLICATION = argoResource('Application', 'applications');
export const APPLICATION_SET = argoResource('ApplicationSet', 'applicationsets');

export interface Application extends KubeObject {
  readonly spec: { readonly destination: { readonly name: string } };
}

export interface Argo {
  /** Stops the controller and deletes its namespace's ApplicationSets and Applications. */
  stop(): Promise<void>;
}

/** The objects of the YAML blocks of docs/argo.md, one list for each block, in order. */
export async function documented(): Promise<KubeObject[][]> {
  const text = await readFile(join(ROOT, 'docs', 'argo.md'), 'utf8');
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
    parseAllDocuments(block).map((document) => document.toJS() as KubeObject),
  );
}

/** Defines Argo CD's kinds on a cluster, and waits until they are served. Safe to repeat. */
export async function serveArgo(kube: Kube): Promise<void> {
  const crds = (await readManifests(moduleFiles(ARGO, 'manifests/crds'))).filter(isDefinition);
  const create = async () => {
    await createMissing(kube, crds);
    return true;
  };
  // Created and not applied: merging the largest of them takes an API server many seconds.
  await eventually(create, { withinMs: 120_000, everyMs: 500 });
  for (const { apiVersion, kind } of [APPLICATION, APPLICATION_SET])
    await resourceOf(kube, { apiVersion, kind });
}

/** Registers all sites of the stack in Argo CD, and starts the controller. */
export async function startArgo(stack: TestbedStack): Promise<Argo> {
  const { hub } = stack;
  await serveArgo(hub);
  if ((await hub.get(NAMESPACE, { namespace: null, name: ARGO_NAMESPACE })) === null)
    await hub.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ARGO_NAMESPACE } });
  const theirs = await readManifests(moduleFiles(ARGO, 'manifests/base/applicationset-controller'));
  const rights = theirs.filter(({ kind }) => kind === 'ServiceAccount' || kind?.startsWith('Role') === true);
  await applyObjects(hub, [...rights, ...settings()].map(inArgo));
  for (const site of stack.sites)
    await hub.apply(SECRET, registered(site), { fieldManager: 'e2e', force: true });
  const dir = await mkdtemp(join(tmpdir(), 'cappstan-argo-'));
  const kubeconfig = join(dir, 'kubeconfig');
  await writeFile(kubeconfig, await kubeconfigOf(stack), { mode: 0o600 });
  const ports = await freePorts(3);
  const listeners = ['metrics', 'probe', 'webhook'].map((one, at) => `--${one}-addr=127.0.0.1:${ports[at]}`);
  const child = spawn(toolPath('argo'), [`--namespace=${ARGO_NAMESPACE}`, ...listeners], {
    cwd: dir,
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  // Any answer will do: the controller registers no checks.
  const answers = () => fetch(`http://127.0.0.1:${ports[1]}/`);
  await eventually(answers, { withinMs: 120_000, everyMs: 100 }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    stop: async () => {
      for (const { metadata } of (await hub.list(APPLICATION_SET, { namespace: ARGO_NAMESPACE })).items)
        await hub.remove(APPLICATION_SET, { namespace: ARGO_NAMESPACE, name: metadata.name });
      await untilApplications(hub, []);
      child.kill('SIGTERM');
      await exit;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Waits until there are exactly these Applications, by name. */
export function untilApplications(hub: Kube, names: readonly string[]): Promise<readonly Application[]> {
  return eventually(
    async () => {
      const { items } = await hub.list<Application>(APPLICATION, { namespace: ARGO_NAMESPACE });
      for (const { metadata } of items)
        if (metadata.deletionTimestamp !== undefined)
          await hub.patch(
            APPLICATION,
            { namespace: ARGO_NAMESPACE, name: metadata.name },
            { metadata: { finalizers: null } },
          );
      expect(items.map(({ metadata }) => metadata.name).toSorted()).toEqual(names.toSorted());
      return items;
    },
    { withinMs: 180_000, everyMs: 250 },
  );
}

const inArgo = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: ARGO_NAMESPACE },
});

/** What every Argo CD has: a project, and its settings. */
function settings(): KubeObject[] {
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  const anywhere = { sourceRepos: ['*'], destinations: [{ server: '*', name: '*', namespace: '*' }] };
  return [
    { ...argoResource('AppProject', ''), metadata: { name: 'default' }, spec: anywhere },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', labels } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', labels },
      data: { 'server.secretkey': btoa('key') },
    },
  ].map(({ plural: _plural, namespaced: _namespaced, ...object }: Partial<Resource> & KubeObject) => object);
}

/**
 * As the registrar makes them, so that Argo CD's own controller reads these. Nobody here uses the address.
 */
function registered(site: string): Secret {
  const { labels, data } = clusterSecret({
    site,
    labels: {},
    userServer: 'https://user-server.example.com',
    authority: 'none',
    token: 'none',
  });
  return { metadata: { namespace: ARGO_NAMESPACE, name: secretNameOf(site), labels }, data };
}

async function kubeconfigOf({ hub, layout }: TestbedStack): Promise<string> {
  const spec = { expirationSeconds: 3600 };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const { status } = (await hub.raw('POST', pathOf(SERVICE_ACCOUNT, ACCOUNT, 'token'), { body })) as {
    status: { token: string };
  };
  const config = parse(await readFile(layout.kubeconfig('hub'), 'utf8')) as { users: { name: string }[] };
  const users = config.users.map(({ name }) => ({ name, user: { token: status.token } }));
  return stringify({ ...config, users });
}

async function freePorts(count: number): Promise<number[]> {
  const free: number[] = [];
  for (let port = 19_200; port < 19_300 && free.length < count; port += 1)
    if (await isFree(port)) free.push(port);
  if (free.length < count) throw new Error('Too few ports from 19200 to 19299 are free on 127.0.0.1.');
  return free;
}
