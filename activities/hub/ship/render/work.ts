// Renders a Capp and its references as the ManifestWork for one cluster. Pure.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { cappKey, dependenciesDigest } from '../../../../crds/ocm/work-identity.ts';
import {
  CAPP_KEY,
  CAPP_NAME,
  CAPP_NAMESPACE,
  CAPP_UID,
  DEPENDENCIES,
  INCARNATION,
  MANAGED_BY,
  MANAGED_BY_HUB,
  ROLLOUT,
  SALT,
} from '../../../../crds/labels.ts';
import { executorAs } from '../../../../crds/ocm/executors.ts';
import {
  MANIFEST_WORK,
  WORK_FINALIZER,
  type Manifest,
  type ManifestWork,
  type ResourceIdentifier,
} from '../../../../crds/ocm/ocm.ts';
import { bounded, keptSecrets, manifests, stamped, type Shipment } from './manifests.ts';
import { stampText } from '../../../../workflows/types/stamp.ts';
import { saltedHash } from './salted-hash.ts';

/** The identity of a work: its cluster and name, and what it got when it was created and keeps. */
export interface Identity {
  readonly cluster: string;
  readonly name: string;
  readonly incarnation: string;
  readonly salt: string;
}

export interface RenderedWork {
  readonly work: ManifestWork;
  readonly stamp: string;
  /** Salted, over the manifests without their stamp. */
  readonly hash: string;
  /** As in `work`. */
  readonly manifests: readonly Manifest[];
}

export function renderWork(shipment: Shipment, identity: Identity): RenderedWork {
  const { uid = '', generation = 0, namespace = '', name } = shipment.capp.metadata;
  const unstamped = manifests(shipment);
  const hash = saltedHash(unstamped, identity.salt);
  const stamp = stampText({ uid, generation, hash, incarnation: identity.incarnation });
  const carried = bounded(stamped(unstamped, stamp, shipment.sender), shipment.podSecurity);
  const work: ManifestWork = {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: MANIFEST_WORK.kind,
    metadata: {
      name: identity.name,
      namespace: identity.cluster,
      // Set when the work is created: a work deleted before its agent has seen it would leave behind what the
      // agent is just creating.
      finalizers: [WORK_FINALIZER],
      labels: { [CAPP_KEY]: cappKey(namespace, name), [CAPP_UID]: uid, [MANAGED_BY]: MANAGED_BY_HUB },
      annotations: {
        [CAPP_NAMESPACE]: namespace,
        [CAPP_NAME]: name,
        [INCARNATION]: identity.incarnation,
        [SALT]: identity.salt,
        [DEPENDENCIES]: digestOf(shipment),
        [ROLLOUT]: stamp,
      },
    },
    spec: { workload: { manifests: carried }, ...rulesOf(shipment, namespace), ...executorOf(shipment) },
  };
  return { work, stamp, hash, manifests: carried };
}

/**
 * The work for a stray copy, so that its site confirms the deletion: it has nothing of the Capp's spec, and
 * no Secret.
 */
export function strayWork(
  { namespace, name, uid }: { namespace: string; name: string; uid: string },
  identity: Identity,
): ManifestWork {
  const { cluster, incarnation, salt } = identity;
  const capp = { group: CAPP.apiVersion.split('/')[0] ?? '', resource: CAPP.plural, namespace, name };
  return {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: MANIFEST_WORK.kind,
    metadata: {
      name: identity.name,
      namespace: cluster,
      finalizers: [WORK_FINALIZER],
      labels: { [CAPP_KEY]: cappKey(namespace, name), [CAPP_UID]: uid, [MANAGED_BY]: MANAGED_BY_HUB },
      annotations: {
        [CAPP_NAMESPACE]: namespace,
        [CAPP_NAME]: name,
        [INCARNATION]: incarnation,
        [SALT]: salt,
      },
    },
    spec: {
      workload: { manifests: [emptyCapp(namespace, name)] },
      // The copy is left as it is. It gets the work as its owner, and is deleted with it.
      manifestConfigs: [{ resourceIdentifier: capp, updateStrategy: { type: 'CreateOnly' } }],
    },
  };
}

function emptyCapp(namespace: string, name: string): Manifest {
  const spec = {
    state: 'disabled',
    configurationSpec: { template: { spec: { containers: [{ name: 'none', image: 'none' }] } } },
  };
  return {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { namespace, name, labels: { [MANAGED_BY]: MANAGED_BY_HUB } },
    spec,
  };
}

function executorOf({ executor }: Shipment): Pick<NonNullable<ManifestWork['spec']>, 'executor'> {
  return executor === undefined ? {} : { executor: executorAs(executor) };
}

type Rules = Pick<NonNullable<ManifestWork['spec']>, 'manifestConfigs' | 'deleteOption'>;

/**
 * Creates the Namespace if it is missing, never changes it, and keeps it when the work is deleted: others may
 * live in it. The same for Secrets that now come sealed: the site operator owns these.
 */
function rulesOf(shipment: Shipment, namespace: string): Rules {
  const kept = keptSecrets(shipment).map((name) => ({ group: '', resource: 'secrets', namespace, name }));
  const manifestConfigs = [identifierOf(namespace), ...kept].map((resourceIdentifier) => ({
    resourceIdentifier,
    updateStrategy: { type: 'CreateOnly' as const },
  }));
  return { manifestConfigs, ...sparingNamespace(namespace, kept) };
}

/** Deleting the work deletes everything that it carries, except the Namespace and `kept`. */
export function sparingNamespace(
  namespace: string,
  kept: readonly ResourceIdentifier[] = [],
): Pick<Rules, 'deleteOption'> {
  const orphaningRules = [{ ...identifierOf(namespace), namespace: '' }, ...kept];
  return { deleteOption: { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: { orphaningRules } } };
}

function identifierOf(namespace: string): { group: string; resource: string; name: string } {
  return { group: '', resource: 'namespaces', name: namespace };
}

function digestOf({ configMaps, secrets, logReaders, sealed }: Shipment): string {
  const versions = [
    ...configMaps.map(({ metadata }) => ({ kind: 'ConfigMap' as const, metadata })),
    ...secrets.map(({ metadata }) => ({ kind: 'Secret' as const, metadata })),
  ];
  return dependenciesDigest(versions, logReaders, sealed?.[0]?.keyId);
}
