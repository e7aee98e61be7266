// Orders the manifests of a ManifestWork so that a site can apply them the first time: each after what it
// needs.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { SECRET, type ConfigMap, type Secret, type Subject } from '../../../../crds/kubernetes/core.ts';
import {
  HUB,
  MANAGED_BY,
  MANAGED_BY_HUB,
  ROLLOUT,
  SEALED,
  SEEN_BY_INGRESS,
} from '../../../../crds/labels.ts';
import type { ServiceAccountKey } from '../../../../crds/ocm/executors.ts';
import type { Manifest, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { serviceAccountOf } from '../../../../crds/capp/references.ts';
import { CAPP_SECRET, type CappSecretSpec } from '../../../../crds/sealing/capp-secret.ts';
import { tlsSecretOf } from '../../../../crds/capp/tls-secret.ts';
import { travelling, travellingSpec } from '../../../../crds/capp/travelling.ts';
import { logAccess } from './log-access.ts';
import { runsAs, type Account } from './runs-as.ts';

/** A normalised Capp, its references, and the subjects that may read its logs. */
export interface Shipment {
  readonly capp: Capp;
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** Its Secrets for the key of its site; `secrets` then have their metadata alone. */
  readonly sealed?: readonly Sealed[];
  /** The Secrets that the work which is there carries, by name. */
  readonly standing?: readonly string[];
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

/** What a CappSecret is made of. */
export interface Sealed extends CappSecretSpec {
  readonly name: string;
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
export function manifests(shipment: Shipment): Manifest[] {
  const { capp, configMaps, logReaders, sealed = [], sender = NOBODY } = shipment;
  const namespace = capp.metadata.namespace ?? '';
  const account = serviceAccountOf(capp);
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: OURS } },
    ...secretManifests(shipment, namespace),
    ...configMaps.map((configMap) => configMapManifest(configMap, namespace)),
    ...logAccess({ name: capp.metadata.name, namespace }, logReaders, OURS),
    ...runsAs({ name: capp.metadata.name, namespace, account }, sender.operator, OURS),
    cappManifest(capp, namespace, sealed),
  ];
}

function secretManifests(shipment: Shipment, namespace: string): Manifest[] {
  const { capp, secrets, sealed } = shipment;
  const served = tlsSecretOf(capp.spec);
  if (sealed === undefined)
    return secrets.map((secret) => secretManifest(secret, namespace, secret.metadata.name === served));
  return [
    ...keptSecrets(shipment).map((name) => emptySecret(name, namespace)),
    ...sealed.map((one) => sealedManifest(one, namespace, one.name === served)),
  ];
}

/** The names of the Secrets that a work carries: as they are, or by name alone. */
export function secretsIn({ spec }: ManifestWork): string[] {
  const carried = spec?.workload.manifests ?? [];
  return carried.filter(({ kind }) => kind === SECRET.kind).map(({ metadata }) => metadata.name);
}

/** A work carries values of Secrets as they are. */
export function holdsValues({ spec }: ManifestWork): boolean {
  const carried = spec?.workload.manifests ?? [];
  return carried.some((one) => one.kind === SECRET.kind && ('data' in one || 'stringData' in one));
}

/**
 * The Secrets that the site has from a work which carried them as they were, and that come sealed now. OCM
 * deletes what falls out of a work, so these stay in it by name: without content, never written to where they
 * are, and no longer owned by the work (`render/work.ts`).
 */
export function keptSecrets({ sealed = [], standing = [] }: Shipment): string[] {
  return sealed.map(({ name }) => name).filter((name) => standing.includes(name));
}

function emptySecret(name: string, namespace: string): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels: OURS } };
}

/**
 * That a Secret is served is no part of what is sealed: another Capp may have the same Secret and not serve
 * it, and then both works still carry the same bytes. OCM merges labels.
 */
function sealedManifest({ name, keyId, sealed }: Sealed, namespace: string, isServed: boolean): Manifest {
  const { apiVersion, kind } = CAPP_SECRET;
  const labels = isServed ? { ...OURS, [SEEN_BY_INGRESS]: '' } : OURS;
  return { apiVersion, kind, metadata: { name, namespace, labels }, spec: { keyId, sealed } };
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

function cappManifest(capp: Capp, namespace: string, sealed: readonly Sealed[]): Manifest {
  const awaited = sealed.length === 0 ? {} : { [SEALED]: sealed.map(({ name }) => name).join(',') };
  return {
    apiVersion: capp.apiVersion,
    kind: capp.kind,
    metadata: {
      name: capp.metadata.name,
      namespace,
      labels: { ...travelling(capp.metadata.labels), ...OURS },
      annotations: { ...travelling(capp.metadata.annotations), ...awaited },
    },
    spec: travellingSpec(capp.spec),
  };
}
