// Reads what a Capp refers to, live, so that what is shipped is never older than what was rung for.
import type { Capp } from '../../crds/capp.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret } from '../../crds/core.ts';
import { references, type Reference } from '../../crds/references.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';

export type Dependencies =
  | { readonly complete: true; readonly configMaps: readonly ConfigMap[]; readonly secrets: readonly Secret[] }
  /** What is missing and not optional, as `ConfigMap x` or `Secret y`. */
  | { readonly complete: false; readonly missing: readonly string[] };

/** Takes a normalised Capp. An optional reference that does not exist is left out. Throws ApiError. */
export async function readDependencies(kube: Kube, capp: Capp): Promise<Dependencies> {
  const wanted = references(capp);
  const namespace = capp.metadata.namespace ?? null;
  const [configMaps, secrets] = await Promise.all([
    readAll<ConfigMap>(kube, CONFIG_MAP, namespace, wanted.configMaps),
    readAll<Secret>(kube, SECRET, namespace, wanted.secrets),
  ]);
  const missing = [...missingOf('ConfigMap', wanted.configMaps, configMaps), ...missingOf('Secret', wanted.secrets, secrets)];
  if (missing.length > 0) return { complete: false, missing };
  return { complete: true, configMaps: configMaps.filter(isThere), secrets: secrets.filter(isThere) };
}

function readAll<T extends KubeObject>(
  kube: Kube,
  resource: Resource,
  namespace: string | null,
  wanted: readonly Reference[],
): Promise<(T | null)[]> {
  return Promise.all(wanted.map(({ name }) => kube.get<T>(resource, { namespace, name })));
}

function missingOf(kind: string, wanted: readonly Reference[], found: readonly (KubeObject | null)[]): string[] {
  return wanted.filter((reference, index) => !reference.optional && found[index] === null).map(({ name }) => `${kind} ${name}`);
}

function isThere<T>(object: T | null): object is T {
  return object !== null;
}
