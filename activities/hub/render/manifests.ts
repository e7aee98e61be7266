// What a ManifestWork carries for a Capp, in the order in which a site can apply it the first time: each thing after what it needs.
import type { Capp } from '../../../crds/capp.ts';
import type { ConfigMap, Secret } from '../../../crds/core.ts';
import { ABANDON, FORCE, MANAGED_BY, MANAGED_BY_HUB, MIGRATE, PAUSED, PRIORITY, ROLLOUT } from '../../../crds/labels.ts';
import type { Manifest } from '../../../crds/ocm.ts';

/** A Capp, normalised, and what it refers to; all read live. */
export interface Shipment {
  readonly capp: Capp;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
}

const OURS = { [MANAGED_BY]: MANAGED_BY_HUB };
/** Of the hub only: kubectl's record of what was applied there, and what asks something of the hub. */
const STAYS_BEHIND = new Set(['kubectl.kubernetes.io/last-applied-configuration', PAUSED, MIGRATE, FORCE, ABANDON, PRIORITY, ROLLOUT]);

/** The manifests without their stamp. */
export function manifests({ capp, configMaps, secrets }: Shipment): Manifest[] {
  const namespace = capp.metadata.namespace ?? '';
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: OURS } },
    ...secrets.map((secret) => secretManifest(secret, namespace)),
    ...configMaps.map((configMap) => configMapManifest(configMap, namespace)),
    cappManifest(capp, namespace),
  ];
}

/** The same manifests with the stamp on the Capp, which is the last of them. */
export function stamped(unstamped: readonly Manifest[], stamp: string): Manifest[] {
  return unstamped.map((manifest) =>
    manifest.kind === 'Capp'
      ? { ...manifest, metadata: { ...manifest.metadata, annotations: { ...manifest.metadata.annotations, [ROLLOUT]: stamp } } }
      : manifest,
  );
}

function secretManifest({ metadata, type, immutable, data }: Secret, namespace: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: metadata.name, namespace, labels: OURS },
    ...(type === undefined ? {} : { type }),
    ...(immutable === undefined ? {} : { immutable }),
    ...(data === undefined ? {} : { data }),
  };
}

function configMapManifest({ metadata, immutable, data, binaryData }: ConfigMap, namespace: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: metadata.name, namespace, labels: OURS },
    ...(immutable === undefined ? {} : { immutable }),
    ...(data === undefined ? {} : { data }),
    ...(binaryData === undefined ? {} : { binaryData }),
  };
}

function cappManifest(capp: Capp, namespace: string): Manifest {
  const annotations = Object.entries(capp.metadata.annotations ?? {}).filter(([name]) => !STAYS_BEHIND.has(name));
  // Sites of the Go operator do not know `migration`, which is the hub's business alone.
  const { migration: _migration, ...spec } = capp.spec;
  return {
    apiVersion: capp.apiVersion,
    kind: capp.kind,
    metadata: {
      name: capp.metadata.name,
      namespace,
      labels: { ...capp.metadata.labels, ...OURS },
      annotations: Object.fromEntries(annotations),
    },
    spec,
  };
}
