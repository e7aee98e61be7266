// What a ManifestWork carries for a Capp, in the order in which a site can apply it the first time: each thing after what it needs.
import type { Capp } from '../../../crds/capp.ts';
import type { ConfigMap, Secret, Subject } from '../../../crds/core.ts';
import { MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from '../../../crds/labels.ts';
import type { Manifest } from '../../../crds/ocm.ts';
import { travelling } from '../../../crds/travelling.ts';
import { logAccess } from './log-access.ts';

/** A Capp, normalised, what it refers to, and who may read its logs. */
export interface Shipment {
  readonly capp: Capp;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  readonly logReaders: readonly Subject[];
}

const OURS = { [MANAGED_BY]: MANAGED_BY_HUB };

/** The manifests without their stamp. */
export function manifests({ capp, configMaps, secrets, logReaders }: Shipment): Manifest[] {
  const namespace = capp.metadata.namespace ?? '';
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: OURS } },
    ...secrets.map((secret) => secretManifest(secret, namespace)),
    ...configMaps.map((configMap) => configMapManifest(configMap, namespace)),
    ...logAccess({ name: capp.metadata.name, namespace }, logReaders, OURS),
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
  // Sites of the Go operator do not know `migration`, which is the hub's business alone.
  const { migration: _migration, ...spec } = capp.spec;
  return {
    apiVersion: capp.apiVersion,
    kind: capp.kind,
    metadata: {
      name: capp.metadata.name,
      namespace,
      labels: { ...travelling(capp.metadata.labels), ...OURS },
      annotations: travelling(capp.metadata.annotations),
    },
    spec,
  };
}
