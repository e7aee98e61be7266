// The chart of a hub, deploy/helm-hub: rendered, and what a kubelet would make of its Pod on this machine.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../../../crds/kubernetes/core.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';

const CHART = resolve(import.meta.dirname, '../../../../deploy/helm-hub');

export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** As for --set. */
  readonly values?: Readonly<Record<string, string>>;
  /** Paths, as for --set-file. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the cluster has besides, such as `security.openshift.io/v1`. */
  readonly apis?: readonly string[];
}

/** Throws Helm's error. */
export async function renderHub({ name, namespace, apis = [], ...given }: Release): Promise<KubeObject[]> {
  const more = apis.map((api) => `--api-versions=${api}`);
  const stdout = await helm(['template', name, CHART, '--namespace', namespace, ...flagsOf(given), ...more]);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

/**
 * What helm says to the person who installs it. Helm says it only where it reaches a server, so a copy of the
 * chart has it as an object.
 */
export async function notesOf({ name, namespace, ...given }: Release): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'));
  try {
    const chart = join(folder, 'chart');
    await cp(CHART, chart, { recursive: true });
    const notes = join(chart, 'templates', 'NOTES.txt');
    const lines = (await readFile(notes, 'utf8')).split('\n').map((line) => `  ${line}`);
    await writeFile(join(chart, 'templates', 'notes.yaml'), ['kind: Notes', 'text: |', ...lines].join('\n'));
    const only = ['--show-only', 'templates/notes.yaml'];
    const stdout = await helm([
      'template',
      name,
      chart,
      '--namespace',
      namespace,
      ...only,
      ...flagsOf(given),
    ]);
    return (parse(stdout) as { readonly text: string }).text;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A release as helm has it in a cluster. Each throws Helm's error. */
export function releaseIn(kubeconfig: string, { name, namespace, ...given }: Omit<Release, 'apis'>) {
  const there = ['--namespace', namespace, '--kubeconfig', kubeconfig];
  return {
    install: () => helm(['install', name, CHART, ...there, '--create-namespace', ...flagsOf(given)]),
    uninstall: () => helm(['uninstall', name, ...there]),
  };
}

function flagsOf({ values = {}, files = {} }: Pick<Release, 'values' | 'files'>): string[] {
  const given = (flag: string, of: Readonly<Record<string, string>>): string[] =>
    Object.entries(of).flatMap(([path, value]) => [flag, `${path}=${value}`]);
  return [...given('--set', values), ...given('--set-file', files)];
}

async function helm(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(toolPath('helm'), args)).stdout;
}

interface Item {
  readonly name: string;
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

interface Source {
  readonly configMap?: Item;
  readonly secret?: Item;
  readonly serviceAccountToken?: { readonly path: string };
}

export interface HubPod {
  readonly serviceAccountName: string;
  readonly securityContext: { readonly fsGroup?: number };
  readonly volumes: readonly {
    readonly name: string;
    readonly projected?: { readonly sources: readonly Source[] };
  }[];
  readonly containers: readonly [
    {
      readonly command: readonly string[];
      readonly args: readonly string[];
      readonly env: readonly { readonly name: string; readonly value: string }[];
      readonly readinessProbe: { readonly httpGet: { readonly path: string } };
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    },
  ];
}

function podOf(statefulSet: KubeObject): HubPod {
  return (statefulSet as KubeObject & { spec: { template: { spec: HubPod } } }).spec.template.spec;
}

export function podIn(objects: readonly KubeObject[]): HubPod {
  return podOf(objects.find(({ kind }) => kind === 'StatefulSet') as KubeObject);
}

/** The configuration that the hub gets. */
export function configIn(objects: readonly KubeObject[]): object {
  const map = objects.find(({ kind }) => kind === 'ConfigMap') as KubeObject & {
    data: Record<string, string>;
  };
  return parse(map.data['ocmconfig.yaml'] ?? '') as object;
}

/** OpenShift's kind, as far as an API server must know it. */
export const ROUTES = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'routes.route.openshift.io' },
  spec: {
    group: 'route.openshift.io',
    scope: 'Namespaced',
    names: { kind: 'Route', plural: 'routes', singular: 'route' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
} satisfies KubeObject & { spec: object };

/**
 * Puts what the API server has for the projected volume into the folder, as a kubelet does. `becomes` changes
 * what is true only in a Pod: paths, and the address of the cluster.
 */
export async function layOut(
  kube: Kube,
  pod: HubPod,
  { namespace, folder, becomes }: { namespace: string; folder: string; becomes: (text: string) => string },
): Promise<void> {
  const sources = pod.volumes.flatMap(({ projected }) => projected?.sources ?? []);
  for (const source of sources)
    for (const [path, content] of Object.entries(await contentOf(kube, namespace, pod, source))) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, becomes(content), { mode: 0o440 });
    }
}

async function contentOf(
  kube: Kube,
  namespace: string,
  { serviceAccountName }: HubPod,
  { configMap, secret, serviceAccountToken }: Source,
): Promise<Record<string, string>> {
  if (serviceAccountToken !== undefined) {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccountName}/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = (await kube.raw('POST', path, { body })) as { status: { token: string } };
    return { [serviceAccountToken.path]: status.token };
  }
  const { name, items } = configMap ?? secret ?? { name: '' };
  const { data = {} } =
    (await kube.get<ConfigMap & Secret>(secret === undefined ? CONFIG_MAP : SECRET, { namespace, name })) ??
    {};
  const text = (value: string): string =>
    secret === undefined ? value : Buffer.from(value, 'base64').toString();
  const wanted = items ?? Object.keys(data).map((key) => ({ key, path: key }));
  return Object.fromEntries(wanted.map(({ key, path }) => [path, text(data[key] ?? '')]));
}
