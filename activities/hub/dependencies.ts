// Reads what a Capp refers to, live, so that what is shipped is never older than what was rung for.
import type { Capp } from '../../crds/capp.ts';
import { CONFIG_MAP, SECRET, type ConfigMap, type Secret, type Subject } from '../../crds/core.ts';
import { references, type Reference } from '../../crds/references.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { neighboursOf, type Marks, type Sources } from './neighbours.ts';

/** What a Capp refers to and does not find. */
export interface Missing extends Reference {
  readonly kind: 'ConfigMap' | 'Secret';
}

export interface Dependencies {
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  readonly logReaders: readonly Subject[];
  /** Required or expected; what is optional is left out without a word. */
  readonly missing: readonly Missing[];
}

/** Takes a normalised Capp, and what rang for it. Throws ApiError. */
export async function readDependencies(sources: Sources, capp: Capp, marks: Marks): Promise<Dependencies> {
  const { pullSecrets, logReaders } = await neighboursOf(sources, capp, marks);
  const wanted = references(capp, pullSecrets);
  const namespace = capp.metadata.namespace ?? null;
  const [configMaps, secrets] = await Promise.all([
    readAll<ConfigMap>(sources.kube, CONFIG_MAP, namespace, wanted.configMaps),
    readAll<Secret>(sources.kube, SECRET, namespace, wanted.secrets),
  ]);
  const missing = [...missingOf('ConfigMap', wanted.configMaps, configMaps), ...missingOf('Secret', wanted.secrets, secrets)];
  return { configMaps: configMaps.filter(isThere), secrets: secrets.filter(isThere), logReaders, missing };
}

/** A DNS subdomain, as all names of ConfigMaps and Secrets are. Another names nothing that exists, and could lead a request astray. */
const OBJECT_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

function readAll<T extends KubeObject>(
  kube: Kube,
  resource: Resource,
  namespace: string | null,
  wanted: readonly Reference[],
): Promise<(T | null)[]> {
  const read = async ({ name }: Reference): Promise<T | null> =>
    OBJECT_NAME.test(name) ? kube.get<T>(resource, { namespace, name }) : null;
  return Promise.all(wanted.map(read));
}

function missingOf(kind: Missing['kind'], wanted: readonly Reference[], found: readonly (KubeObject | null)[]): Missing[] {
  return wanted.filter(({ need }, index) => need !== 'Optional' && found[index] === null).map((reference) => ({ ...reference, kind }));
}

function isThere<T>(object: T | null): object is T {
  return object !== null;
}
