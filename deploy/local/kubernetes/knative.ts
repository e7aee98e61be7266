// Knative Serving on a site: its CRDs and configuration, and its controller as a process
// (deploy/local/programs/go/stack/knative-controller).
import { CONFIG_MAP, NAMESPACE, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { applyDefinitions, FIELD_MANAGER, isDefinition } from './manifests.ts';
import { PUBLISHED } from '../published/pins.ts';
import { builtObjects } from '../published/read.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';
import { INGRESS_CLASS } from '../standins/ingress/ingress-object.ts';

export const SYSTEM_NAMESPACE = 'knative-serving';

/** The domain of the URLs of a site's apps. */
export function domainOfSite(site: string): string {
  return `${site}.localhost`;
}

/** The host of an app's URL on a site, by Knative's own template. */
export function appHost(app: { readonly namespace: string; readonly name: string }, site: string): string {
  return `${app.name}.${app.namespace}.${domainOfSite(site)}`;
}

export interface KnativeOptions {
  /** The domain of the URLs of the site's apps. */
  readonly domain: string;
  /** After this time Knative gives up a revision that is not ready, such as "600s". */
  readonly progressDeadline?: string;
  /** More settings by ConfigMap; they win over those of every site. */
  readonly more?: Settings;
}

/** Keys and values by the name of one of Knative's ConfigMaps. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Applies Knative's CRDs, namespace and ConfigMaps to a site, of the release that a site base brings. Safe to
 * repeat. Throws errors of the file system and of the API server.
 */
export async function installKnative(
  kube: Kube,
  { domain, progressDeadline = '600s', more = {} }: KnativeOptions,
): Promise<void> {
  const objects = await builtObjects(PUBLISHED.serving);
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM_NAMESPACE } };
  await kube.apply(NAMESPACE, namespace, { fieldManager: FIELD_MANAGER, force: true });
  const configMaps = objects
    .filter(isConfigMap)
    .map((published) => configured(published, [settings({ domain, progressDeadline }), more]));
  await Promise.all([
    applyDefinitions(kube, objects.filter(isDefinition)),
    ...configMaps.map((configMap) =>
      kube.apply(CONFIG_MAP, configMap, { fieldManager: FIELD_MANAGER, force: true }),
    ),
  ]);
}

/** Our settings by ConfigMap. All others are Knative's defaults. */
function settings({ domain, progressDeadline }: { domain: string; progressDeadline: string }): Settings {
  return {
    'config-deployment': {
      'queue-sidecar-image': 'knative.dev/queue:stand-in',
      'progress-deadline': progressDeadline,
    },
    'config-network': { 'ingress-class': INGRESS_CLASS, 'autocreate-cluster-domain-claims': 'true' },
    'config-domain': { [domain]: '' },
    'config-logging': { 'loglevel.controller': 'warn' },
    'config-features': Object.fromEntries(FEATURES.map((feature) => [feature, 'enabled'])),
  };
}

/** All of them, so that any pod spec of a Capp works here. The administrators of a real site choose. */
const FEATURES = [
  'kubernetes.containerspec-addcapabilities',
  'kubernetes.podspec-affinity',
  'kubernetes.podspec-dnsconfig',
  'kubernetes.podspec-dnspolicy',
  'kubernetes.podspec-fieldref',
  'kubernetes.podspec-hostaliases',
  'kubernetes.podspec-init-containers',
  'kubernetes.podspec-nodeselector',
  'kubernetes.podspec-persistent-volume-claim',
  'kubernetes.podspec-persistent-volume-write',
  'kubernetes.podspec-priorityclassname',
  'kubernetes.podspec-runtimeclassname',
  'kubernetes.podspec-schedulername',
  'kubernetes.podspec-securitycontext',
  'kubernetes.podspec-shareprocessnamespace',
  'kubernetes.podspec-tolerations',
  'kubernetes.podspec-topologyspreadconstraints',
  'kubernetes.podspec-volumes-csi',
  'kubernetes.podspec-volumes-emptydir',
  'kubernetes.podspec-volumes-ephemeral',
  'kubernetes.podspec-volumes-image',
  'kubernetes.podspec-volumes-mount-propagation',
  'multi-container',
  'multi-container-probing',
] as const;

function isConfigMap(object: KubeObject): object is ConfigMap {
  return object.kind === CONFIG_MAP.kind;
}

/** Without the key `_example`, which is documentation. */
function configured({ metadata: { name }, data = {} }: ConfigMap, ours: readonly Settings[]): ConfigMap {
  const published = Object.entries(data).filter(([key]) => key !== '_example');
  return {
    apiVersion: CONFIG_MAP.apiVersion,
    kind: CONFIG_MAP.kind,
    metadata: { name, namespace: SYSTEM_NAMESPACE },
    data: Object.assign(Object.fromEntries(published), ...ours.map((settings) => settings[name])),
  };
}

export interface KnativeProcessOptions {
  /** The site's name. */
  readonly cluster: string;
  readonly binary: string;
  readonly kubeconfig: string;
}

/**
 * Not probed, because the controller listens on no port. Run `installKnative` first: without its ConfigMaps
 * the controller exits.
 */
export function knativeProcess({ cluster, binary, kubeconfig }: KnativeProcessOptions): ProcessSpec {
  return {
    name: `${cluster}-knative`,
    command: binary,
    args: [`--kubeconfig=${kubeconfig}`],
    env: {
      SYSTEM_NAMESPACE,
      CONFIG_LOGGING_NAME: 'config-logging',
      CONFIG_OBSERVABILITY_NAME: 'config-observability',
      CONFIG_LEADERELECTION_NAME: 'config-leader-election',
    },
    ready: { running: true },
    wave: Wave.controller,
    ports: [],
  };
}
