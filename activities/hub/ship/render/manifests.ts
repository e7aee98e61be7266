// Orders the manifests of a ManifestWork so that a site can apply them the first time: each after what it
// needs.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { ConfigMap, Secret, Subject } from '../../../../crds/kubernetes/core.ts';
import { HUB, MANAGED_BY, MANAGED_BY_HUB, ROLLOUT, SEEN_BY_INGRESS } from '../../../../crds/labels.ts';
import type { ServiceAccountKey } from '../../../../crds/ocm/executors.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { serviceAccountOf } from '../../../../crds/capp/references.ts';
import { tlsSecretOf } from '../../../../crds/capp/tls-secret.ts';
import { travelling, travellingSpec } from '../../../../crds/capp/travelling.ts';
import { logAccess } from './log-access.ts';
import { runsAs, type Account } from './runs-as.ts';

/** A normalised Capp, its references, and the subjects that may read its logs. */
export interface Shipment {
  readonly capp: Capp;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  readonly logReaders: readonly Subject[];
  /** Pod security labels of the hub's namespace. */
  readonly podSecurity?: Readonly<Record<string, string>>;
  /** If absent: a hub without a name, and the chart's site operator. */
  readonly sender?: Sender;
  /**
   * As whom OCM applies the work. If absent: as its work agent. It is no part of what is shipped, nor of the
   * hash.
   */
  readonly executor?: ServiceAccountKey;
}

/** The name of this hub on sites. */
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
  const served = tlsSecretOf(capp.spec);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: OURS } },
    ...secrets.map((secret) => secretManifest(secret, namespace, secret.metadata.name === served)),
    ...configMaps.map((configMap) => configMapManifest(configMap, namespace)),
    ...logAccess({ name: capp.metadata.name, namespace }, logReaders, OURS),
    ...runsAs({ name: capp.metadata.name, namespace, account }, sender.operator, OURS),
    cappManifest(capp, namespace),
  ];
}

/**
 * Adds the stamp to the Capp, which is the last manifest, and the hub to all: on a Namespace that the site
 * does not have yet, it says which hub's Capps may be there. The hub is not part of the hash, so renaming it
 * is no rollout.
 */
export function stamped(unstamped: readonly Manifest[], stamp: string, { hub }: Sender = NOBODY): Manifest[] {
  return unstamped.map((manifest) => {
    const { metadata } = manifest;
    const labels = hub !== '' ? { labels: { ...metadata.labels, [HUB]: hub } } : {};
    const annotations =
      manifest.kind === 'Capp' ? { annotations: { ...metadata.annotations, [ROLLOUT]: stamp } } : {};
    return { ...manifest, metadata: { ...metadata, ...labels, ...annotations } };
  });
}

/**
 * Adds the hub's pod security labels to the Namespace. They are not part of the hash: a site's Namespace is
 * created once and never changed, so another label is no rollout.
 */
export function bounded(carried: readonly Manifest[], podSecurity: Shipment['podSecurity'] = {}): Manifest[] {
  return carried.map((manifest) => {
    if (manifest.kind !== 'Namespace') return manifest;
    const { metadata } = manifest;
    return { ...manifest, metadata: { ...metadata, labels: { ...metadata.labels, ...podSecurity } } };
  });
}

/** `isServed`: by the site's ingress, to users of the Capp's hostname. */
function secretManifest(
  { metadata, type, immutable, data }: Secret,
  namespace: string,
  isServed: boolean,
): Manifest {
  const labels = isServed ? { ...OURS, [SEEN_BY_INGRESS]: '' } : OURS;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: metadata.name, namespace, labels },
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
  return {
    apiVersion: capp.apiVersion,
    kind: capp.kind,
    metadata: {
      name: capp.metadata.name,
      namespace,
      labels: { ...travelling(capp.metadata.labels), ...OURS },
      annotations: travelling(capp.metadata.annotations),
    },
    spec: travellingSpec(capp.spec),
  };
}
