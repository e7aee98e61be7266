// What the rules of a storm need of one version of an object. Pure.
import { seenOf } from '../../../../activities/hub/bundle/status/seen.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { APPROVE, BUNDLE_NAME, BUNDLE_NAMESPACE, SET } from '../../../../crds/labels.ts';
import { askedOf } from '../../../../crds/verification/asked-of-jobs.ts';
import { keyOf, orderOf } from '../../../../crds/verification/order.ts';

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
  /** Of a copy of a set or a Bundle: the revision with which it has passed its checks. */
  readonly verified: string | null;
  /** Of a hub's Capp: it says that it moves. */
  readonly isMoving: boolean;
  /** Of a hub's Capp: the reason of its last move. */
  readonly movedFor: string | null;
  /** The storm's Secret can be read in it. */
  readonly showsSecret: boolean;
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
    readonly verification?: { readonly key?: string; readonly verdict?: string };
    readonly migration?: { readonly lastMove?: { readonly reason?: string; readonly result?: string } };
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
    verified: stored === null ? null : verifiedIn({ cluster, kind, key }, stored),
    showsSecret: showsSecret(JSON.stringify(stored)),
  };
}

type Said = Pick<Fact, 'isServing' | 'served' | 'rollout' | 'isMoving' | 'movedFor'>;

function saidOf(stored: Stored | null): Said {
  const { conditions = [], applicationLinks, migration, ...status } = stored?.status ?? {};
  const isNewest = status.observedGeneration === stored?.metadata.generation;
  const says = (wanted: string): boolean =>
    conditions.some(({ type, status: is }) => type === wanted && is === 'True');
  return {
    isServing: says('Serving'),
    isMoving: says('Migrating'),
    movedFor: migration?.lastMove?.result === 'Moved' ? (migration.lastMove.reason ?? null) : null,
    served: applicationLinks?.site ?? null,
    rollout: isNewest ? (status.rollout?.revision ?? status.revision ?? null) : null,
  };
}

function isTrue(stored: Stored | null, wanted: string): boolean {
  const found = stored?.status?.conditions?.find(({ type }) => type === wanted);
  return found?.status === 'True' && found.observedGeneration === stored?.metadata.generation;
}

/**
 * Of a Capp by the order of its set. Of a Bundle's copy by its Jobs, when the site says that all of them are
 * complete: the hub notes that a moment later, in the same turn in which it goes on.
 */
function verifiedIn({ kind, key: place }: Place, stored: Stored): string | null {
  const { metadata, status } = stored;
  if (kind === 'ManifestWork') {
    const [namespace = '', name = ''] = place.split('/');
    const work = { ...stored, metadata: { ...metadata, namespace, name } } as ManifestWork;
    const { state, reported = [] } = seenOf(work);
    return state === 'Ready' && reported.length > 0 ? (askedOf(work)?.revision ?? null) : null;
  }
  const order = kind === 'Capp' ? orderOf(metadata) : null;
  const { key, verdict } = status?.verification ?? {};
  return order !== null && verdict === 'Passed' && key === keyOf(order) ? order.revision : null;
}

/** With this the value of each Secret of a storm begins. */
export const CANARY = 'canary-of-a-storm:';

/** As it is, and as base64 shows it: it has eighteen characters, so base64 of it needs no padding. */
const SHOWN = [CANARY, btoa(CANARY)];

function showsSecret(text: string): boolean {
  return SHOWN.some((one) => text.includes(one));
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
