// What a Bundle does with an object that it drops and another Bundle keeps: it applies it once without any
// field. So its field manager lets go of all of them, and those of the other stay. Pure.
import { conditionOf } from '../../../../crds/kubernetes/core.ts';
import type { Manifest, ManifestConfig, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { objectHashOf, heldIn } from './held.ts';

/**
 * The work that is wanted, with what the live one still has to let go of: what it carries, what is dropped
 * from it, and what `hasHeir`. Nothing is added once the site has answered, also if it refuses.
 */
export function withPartings(
  live: ManifestWork,
  wanted: ManifestWork,
  hasHeir: (hash: string) => boolean,
): ManifestWork {
  const kept = heldIn(wanted).objects;
  const configs = (live.spec?.manifestConfigs ?? []).filter(({ resourceIdentifier }) => {
    const hash = objectHashOf(resourceIdentifier);
    return !kept.includes(hash) && !hasAnswered(live, hash) && hasHeir(hash);
  });
  const partings = configs.flatMap((config) => partingOf(live, config) ?? []);
  if (partings.length === 0) return wanted;
  const { workload, manifestConfigs = [], ...rest } = wanted.spec ?? { workload: {} };
  const manifests = [...(workload.manifests ?? []), ...partings.map(({ manifest }) => manifest)];
  const spec = {
    ...rest,
    workload: { ...workload, manifests },
    manifestConfigs: [...manifestConfigs, ...partings.map(({ config }) => config)],
  };
  return { ...wanted, spec };
}

interface Parting {
  readonly manifest: Manifest;
  readonly config: ManifestConfig;
}

function partingOf(live: ManifestWork, config: ManifestConfig): Parting | null {
  const found = manifestOf(live, config);
  if (found === undefined) return null;
  const { apiVersion, kind, metadata } = found;
  const { name, namespace } = metadata;
  const { resourceIdentifier, updateStrategy } = config;
  return {
    manifest: { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } },
    config: { resourceIdentifier, ...(updateStrategy === undefined ? {} : { updateStrategy }) },
  };
}

/** Configs stand in the order of the manifests. */
function manifestOf({ spec }: ManifestWork, config: ManifestConfig): Manifest | undefined {
  const index = spec?.manifestConfigs?.indexOf(config) ?? -1;
  const found = spec?.workload.manifests?.[index];
  const { name, namespace } = config.resourceIdentifier;
  return found?.metadata.name === name && found.metadata.namespace === namespace ? found : undefined;
}

/** Whether it has no field in the live work, and the site has said what became of that. */
function hasAnswered(live: ManifestWork, hash: string): boolean {
  const config = live.spec?.manifestConfigs?.find((one) => objectHashOf(one.resourceIdentifier) === hash);
  const manifest = config === undefined ? undefined : manifestOf(live, config);
  if (manifest === undefined) return true;
  const { apiVersion: _a, kind: _k, metadata, ...fields } = manifest;
  const isBare = Object.keys(fields).length === 0 && Object.keys(metadata).every((key) => PLACE.has(key));
  const status = live.status?.resourceStatus?.manifests?.find(
    (one) => objectHashOf(one.resourceMeta) === hash,
  );
  const applied = conditionOf(status?.conditions, 'Applied');
  return isBare && applied?.observedGeneration === live.metadata.generation;
}

const PLACE = new Set(['name', 'namespace']);
