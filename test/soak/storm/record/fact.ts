// What the rules of a storm need of one version of an object. Pure.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { APPROVE, BUNDLE_NAME, BUNDLE_NAMESPACE, SET } from '../../../../crds/labels.ts';

export type FactKind = 'Capp' | 'CappSet' | 'Bundle' | 'ManifestWork';

/** One version of an object, or its end. */
export interface Fact {
  /** Of etcd, which all clusters of the stack share: it orders what happened on all of them. */
  readonly revision: number;
  /** When the recorder heard of it, in milliseconds since the epoch. */
  readonly at: number;
  /** `hub` or a site. */
  readonly cluster: string;
  readonly kind: FactKind;
  /** `namespace/name`. */
  readonly key: string;
  /** It is gone with this revision; then everything below is as for an empty object. */
  readonly isGone: boolean;
  /** It has a deletionTimestamp. */
  readonly isLeaving: boolean;
  /** Number of the storm's edit that its spec has. Later edits have greater numbers. */
  readonly edition: number | null;
  /** Of exactly its generation: Ready of our kinds; of a work, that its objects are there. */
  readonly isReady: boolean;
  /** Of a Capp: some revision of it serves. */
  readonly isServing: boolean;
  /** Of a hub's Capp: the site to which users are sent. */
  readonly served: string | null;
  /** `namespace/name` of the set of a Capp, of the Bundle or the Capp of a work. */
  readonly of: string | null;
  /** Of a set and a Bundle: the revision that its status has of exactly its generation. */
  readonly rollout: string | null;
  /** Of a set and a Bundle: the stage that a person let begin, `<stage>#<revision>`. */
  readonly approved: string | null;
}

/** Where etcd has an object, of the key that an API server gives it. Null for what the rules do not need. */
export interface Place {
  readonly cluster: string;
  readonly kind: FactKind;
  readonly key: string;
}

const FOLDERS: Readonly<Record<string, FactKind>> = {
  'rcs.dana.io/capps': 'Capp',
  'rcs.dana.io/cappsets': 'CappSet',
  'rcs.dana.io/bundles': 'Bundle',
  'work.open-cluster-management.io/manifestworks': 'ManifestWork',
};

const KEY = /^\/(?<cluster>[^/]+)\/(?<folder>[^/]+\/[^/]+)\/(?<key>[^/]+\/[^/]+)$/;

export function placeOf(etcdKey: string): Place | null {
  const { cluster = '', folder = '', key = '' } = KEY.exec(etcdKey)?.groups ?? {};
  const kind = FOLDERS[folder];
  return kind === undefined ? null : { cluster, kind, key };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
}

/** An object as its API server stores it. */
export interface Stored {
  readonly metadata: {
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly applicationLinks?: { readonly site?: string };
    readonly revision?: string;
    readonly rollout?: { readonly revision?: string };
    readonly observedGeneration?: number;
  };
}

/** How an edit numbers itself in a spec, such as in the tag of an image. */
export const editionText = (edition: number): string => `storm-${edition}`;

/** The fact of a version; `stored` is null when the object is gone. */
export function factOf(
  { cluster, kind, key }: Place,
  stored: Stored | null,
  { revision, at }: Pick<Fact, 'revision' | 'at'>,
): Fact {
  const { metadata, spec } = stored ?? { metadata: {} };
  const wanted = kind === 'ManifestWork' ? ['Applied', 'Available'] : ['Ready'];
  return {
    revision,
    at,
    cluster,
    kind,
    key,
    isGone: stored === null,
    isLeaving: metadata.deletionTimestamp !== undefined,
    edition: editionIn(spec),
    isReady: wanted.every((type) => isTrue(stored, type)),
    ...saidOf(stored),
    of: ownerOf(kind, key, stored),
    approved: metadata.annotations?.[APPROVE] ?? null,
  };
}

function saidOf(stored: Stored | null): Pick<Fact, 'isServing' | 'served' | 'rollout'> {
  const { conditions = [], applicationLinks, ...status } = stored?.status ?? {};
  const isNewest = status.observedGeneration === stored?.metadata.generation;
  return {
    isServing: conditions.some(({ type, status: is }) => type === 'Serving' && is === 'True'),
    served: applicationLinks?.site ?? null,
    rollout: isNewest ? (status.rollout?.revision ?? status.revision ?? null) : null,
  };
}

function isTrue(stored: Stored | null, wanted: string): boolean {
  const found = stored?.status?.conditions?.find(({ type }) => type === wanted);
  return found?.status === 'True' && found.observedGeneration === stored?.metadata.generation;
}

/** The greatest, where a work carries several objects. */
function editionIn(spec: unknown): number | null {
  const numbers = [...(JSON.stringify(spec) ?? '').matchAll(/\bstorm-(\d+)\b/g)].map(([, one]) =>
    Number(one),
  );
  return numbers.length === 0 ? null : Math.max(...numbers);
}

interface Carried {
  readonly kind?: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

function ownerOf(kind: FactKind, key: string, stored: Stored | null): string | null {
  if (kind === 'Capp') {
    const set = stored?.metadata.labels?.[SET];
    return set === undefined ? null : `${key.split('/')[0]}/${set}`;
  }
  return kind === 'ManifestWork' && stored !== null ? ownerOfWork(stored) : null;
}

function ownerOfWork({ metadata: { annotations = {} }, spec }: Stored): string | null {
  const { [BUNDLE_NAME]: name, [BUNDLE_NAMESPACE]: namespace } = annotations;
  if (name !== undefined) return `${namespace}/${name}`;
  const { workload } = (spec ?? {}) as { workload?: { manifests?: readonly Carried[] } };
  const capp = workload?.manifests?.find((one) => one.kind === CAPP.kind)?.metadata;
  return capp === undefined ? null : `${capp.namespace}/${capp.name}`;
}
