// Many hosts may name one Secret: within a look it is read once.
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { keyText, type Key, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import type { SecretReader } from './hosts.ts';

/** Gives Secrets as they were when they were first asked for, also their absence or a refusal. */
export function secretsOnce(kube: SecretReader): SecretReader {
  const asked = new Map<string, Promise<KubeObject | null>>();
  return {
    get: async <T extends KubeObject>(resource: Resource, key: Key): Promise<T | null> => {
      if (resource !== SECRET) return kube.get<T>(resource, key);
      const reading = asked.get(keyText(key)) ?? kube.get<T>(resource, key);
      asked.set(keyText(key), reading);
      return reading as Promise<T | null>;
    },
  };
}
