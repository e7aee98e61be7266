// Which ConfigMaps and Secrets a Capp needs beside it on a site.
import type { Capp } from './capp.ts';
import type { InitContainer, PodSpec } from './pod.ts';

export interface Reference {
  readonly name: string;
  /** The Capp can run without it. */
  readonly optional: boolean;
}

export interface References {
  readonly configMaps: readonly Reference[];
  readonly secrets: readonly Reference[];
}

type Use = { readonly name?: string | undefined; readonly optional?: boolean | undefined };
type Uses = { readonly configMaps: readonly (Use | undefined)[]; readonly secrets: readonly (Use | undefined)[] };

/**
 * Takes a normalised Capp; gives the names, each once and sorted. A name is optional only if every use of it is. Image pull secrets
 * are, because a kubelet tries without a missing one, and so is the log password, which no pod waits for.
 */
export function references(capp: Pick<Capp, 'spec'>): References {
  const pod = capp.spec.configurationSpec.template.spec;
  const passwordSecret = { name: capp.spec.logSpec?.passwordSecret, optional: true };
  const uses = [...containersOf(pod).map(ofContainer), ofVolumes(pod), ofPullSecrets(pod), { configMaps: [], secrets: [passwordSecret] }];
  return { configMaps: merge(uses.flatMap((use) => use.configMaps)), secrets: merge(uses.flatMap((use) => use.secrets)) };
}

function containersOf(pod: PodSpec): readonly InitContainer[] {
  return [...pod.containers, ...(pod.initContainers ?? [])];
}

function ofContainer(container: InitContainer): Uses {
  const values = (container.env ?? []).map((variable) => variable.valueFrom);
  const froms = container.envFrom ?? [];
  return {
    configMaps: [...values.map((from) => from?.configMapKeyRef), ...froms.map((from) => from.configMapRef)],
    secrets: [...values.map((from) => from?.secretKeyRef), ...froms.map((from) => from.secretRef)],
  };
}

function ofVolumes(pod: PodSpec): Uses {
  const volumes = pod.volumes ?? [];
  const projected = volumes.flatMap((volume) => volume.projected?.sources ?? []);
  return {
    configMaps: [...volumes, ...projected].map((source) => source.configMap),
    secrets: [
      ...volumes.map((volume) => volume.secret && { name: volume.secret.secretName, optional: volume.secret.optional }),
      ...projected.map((source) => source.secret),
    ],
  };
}

function ofPullSecrets(pod: PodSpec): Uses {
  return { configMaps: [], secrets: (pod.imagePullSecrets ?? []).map((secret) => ({ name: secret.name, optional: true })) };
}

function merge(uses: readonly (Use | undefined)[]): Reference[] {
  const optional = new Map<string, boolean>();
  for (const use of uses) {
    if (use?.name === undefined || use.name === '') continue;
    optional.set(use.name, (optional.get(use.name) ?? true) && use.optional === true);
  }
  return [...optional].map(([name, isOptional]) => ({ name, optional: isOptional })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
