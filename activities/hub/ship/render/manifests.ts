// Orders the manifests of a ManifestWork so that a site can apply them the first time: each after what it
// needs.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { ConfigMap, Secret, Subject } from '../../../../crds/kubernetes/core.ts';
import { HUB, MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from '../../../../crds/labels.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { serviceAccountOf } from '../../../../crds/capp/references.ts';
import { travelling } from '../../../../crds/capp/travelling.ts';
import { logAccess } from './log-access.ts';
import { runsAs, type Account } from './runs-as.ts';

/** A Capp, normalised, what it refers to, and who may read its logs. */
export interface Shipment {
  readonly capp: Capp;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  readonly logReaders: readonly Subject[];
  /** Labels by which the hub's namespace bounds what its Pods may do. */
  readonly podSecurity?: Readonly<Record<string, string>>;
  /** Without it: a hub of no name, and the chart's site operator. */
  readonly sender?: Sender;
}

/** Who ships, as sites know them. */
export interface Sender {
  /** The hub's id; empty for none. */
  readonly hub: string;
  /** The site operator's ServiceAccount on every site. */
  readonly operator: Account;
}

const NOBODY: Sender = {
  hub: '',
  operator: { namespace: 'open-cluster-management-agent-addon', name: 'cappstan-site' },
};

const OURS = { [MANAGED_BY]: MANAGED_BY_HUB };

/** The manifests without their stamp. */
export function manifests({ capp, configMaps, secrets, logReaders, sender = NOBODY }: Shipment): Manifest[] {
  const namespace = capp.metadata.namespace ?? '';
  const account = serviceAccountOf(capp);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: OURS } },
    ...secrets.map((secret) => secretManifest(secret, namespace)),
    ...configMaps.map((configMap) => configMapManifest(configMap, namespace)),
    ...logAccess({ name: capp.metadata.name, namespace }, logReaders, OURS),
    ...runsAs({ name: capp.metadata.name, namespace, account }, sender.operator, OURS),
    cappManifest(capp, namespace),
  ];
}

/**
 * The same manifests with the stamp on the Capp, which is the last of them, and the hub on all but the
 * Namespace, in which others may live. The hub is not part of the hash: to be called otherwise is no other
 * rollout.
 */
export function stamped(unstamped: readonly Manifest[], stamp: string, { hub }: Sender = NOBODY): Manifest[] {
  return unstamped.map((manifest) => {
    const { metadata } = manifest;
    const isNamed = hub !== '' && manifest.kind !== 'Namespace';
    const labels = isNamed ? { labels: { ...metadata.labels, [HUB]: hub } } : {};
    const annotations =
      manifest.kind === 'Capp' ? { annotations: { ...metadata.annotations, [ROLLOUT]: stamp } } : {};
    return { ...manifest, metadata: { ...metadata, ...labels, ...annotations } };
  });
}

/**
 * The same manifests with the Namespace as bounded as the hub's. No part of the hash: a site's Namespace is
 * made once and never changed, so another label is no other rollout.
 */
export function bounded(carried: readonly Manifest[], podSecurity: Shipment['podSecurity'] = {}): Manifest[] {
  return carried.map((manifest) => {
    if (manifest.kind !== 'Namespace') return manifest;
    const { metadata } = manifest;
    return { ...manifest, metadata: { ...metadata, labels: { ...metadata.labels, ...podSecurity } } };
  });
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

function configMapManifest(
  { metadata, immutable, data, binaryData }: ConfigMap,
  namespace: string,
): Manifest {
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
