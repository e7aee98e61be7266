// What Cappstan needs of Knative's settings, and how it gets into the published ConfigMaps. Pure.
import { CONFIG_MAP, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { SYSTEM_NAMESPACE, type Settings } from '../../local/kubernetes/knative.ts';

/** Volumes of Capps, and their hostnames. */
const NEEDED: Settings = {
  'config-features': {
    'kubernetes.podspec-persistent-volume-claim': 'enabled',
    'kubernetes.podspec-persistent-volume-write': 'enabled',
  },
  'config-network': { 'autocreate-cluster-domain-claims': 'true' },
};

const KOURIER: Settings = {
  'config-network': { 'ingress-class': 'kourier.ingress.networking.knative.dev' },
};

export interface Wishes {
  /** The domain of the URLs of apps; null: Knative's default, which nobody outside reaches. */
  readonly domain: string | null;
  /** More keys of config-features that are switched on, such as `kubernetes.podspec-tolerations`. */
  readonly features: readonly string[];
}

/** Of a Knative that we bring. */
export function settingsFor({ domain, features }: Wishes): Settings {
  return {
    'config-features': { ...NEEDED['config-features'], ...switches(features) },
    'config-network': { ...NEEDED['config-network'], ...KOURIER['config-network'] },
    ...(domain === null ? {} : { 'config-domain': { [domain]: '' } }),
  };
}

function switches(features: readonly string[]): Record<string, string> {
  return Object.fromEntries(features.map((feature) => [feature, 'enabled']));
}

/** The published ConfigMaps have the settings; everything else is as it was. */
export function withSettings(objects: readonly KubeObject[], settings: Settings): KubeObject[] {
  return objects.map((object) => {
    const ours = isOfKnative(object) ? settings[object.metadata.name] : undefined;
    return ours === undefined ? object : { ...object, data: { ...(object as ConfigMap).data, ...ours } };
  });
}

function isOfKnative({ kind, metadata: { namespace } }: KubeObject): boolean {
  return kind === CONFIG_MAP.kind && namespace === SYSTEM_NAMESPACE;
}

/** The commands that give a Knative which is not ours the settings that Cappstan needs and it lacks. */
export function missingSettings(there: readonly ConfigMap[]): string[] {
  return Object.entries(NEEDED).flatMap(([name, keys]) => {
    const data = there.find(({ metadata }) => metadata.name === name)?.data ?? {};
    const lacking = Object.entries(keys).filter(([key, value]) => data[key]?.toLowerCase() !== value);
    if (lacking.length === 0) return [];
    const patch = JSON.stringify({ data: Object.fromEntries(lacking) });
    return [
      `kubectl patch --namespace ${SYSTEM_NAMESPACE} configmap/${name} --type merge --patch '${patch}'`,
    ];
  });
}
