// Decides which changes on the hub are worth a ring, and for which Capps, from the object before and after.
// Pure.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../crds/capp/capp.ts';
import {
  CAPP_KEY,
  CAPP_NAME,
  CAPP_NAMESPACE,
  CAPP_UID,
  FINALIZER,
  FORCE,
  HAS_PLACEMENT,
  INCARNATION,
  LAST_UPDATED_BY,
  MANAGED_BY,
  MIGRATE,
  requestedBy,
  REQUESTS,
  ROLLBACK,
  ROLLOUT,
  SALT,
  SET_REVISION,
  TAKEN_UP,
} from '../../crds/labels.ts';
import { AVAILABLE, identityOf, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { CLUSTER_SET_LABEL } from '../../crds/ocm/placements.ts';
import { claimFact, labelFact } from '../../crds/capp/spec/requires.ts';
import { isPaused } from '../../crds/capp/requests.ts';
import { isOfTool } from '../../crds/capp/travelling.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { Change } from '../../kube/watch/store.ts';
import type { Cause } from '../../workflows/types/ring.ts';

/** None if only its status changed, or metadata that Cappstan writes itself. */
export function causesOfCapp(before: Capp | null, after: Capp): Cause[] {
  if (before === null) return asksByAnnotation(after) ? ['spec', 'request'] : ['spec'];
  const isElsewhere = !isDeepStrictEqual(placingOf(before), placingOf(after));
  const isAsked = !isDeepStrictEqual(requestsOf(before), requestsOf(after)) && asksByAnnotation(after);
  const seen: [Cause, boolean][] = [
    ['spec', before.metadata.generation !== after.metadata.generation],
    ['meta', isOtherMeta(before.metadata, after.metadata)],
    ['decision', isElsewhere],
    ['request', isAsked],
  ];
  return seen.filter(([, isSo]) => isSo).map(([cause]) => cause);
}

/** The fields of a Capp that determine its placement, and when it may move. */
function placingOf({ spec }: Capp): unknown {
  return [spec.site ?? '', spec.migration ?? null, spec.requires ?? null];
}

function requestsOf({ metadata }: Capp): (string | undefined)[] {
  return [MIGRATE, FORCE].map((name) => metadata.annotations?.[name]);
}

function asksByAnnotation(capp: Capp): boolean {
  return requestsOf(capp).some((value) => value !== undefined);
}

function isOtherMeta(was: Capp['metadata'], is: Capp['metadata']): boolean {
  if (was.deletionTimestamp !== is.deletionTimestamp) return true;
  const had = was.finalizers?.includes(FINALIZER) === true;
  if (had && is.finalizers?.includes(FINALIZER) !== true && is.deletionTimestamp === undefined) return true;
  return !isDeepStrictEqual(
    [news(was.labels), news(was.annotations)],
    [news(is.labels), news(is.annotations)],
  );
}

/**
 * A move request has a cause of its own, and a rollback changes the spec. Cappstan or the webhook writes the
 * others.
 */
const NO_NEWS: ReadonlySet<string> = new Set([
  MIGRATE,
  FORCE,
  ROLLBACK,
  ...REQUESTS.map(requestedBy),
  HAS_PLACEMENT,
  LAST_UPDATED_BY,
  SET_REVISION,
  TAKEN_UP,
]);

/** Labels or annotations that change what is shipped, or whether it may be. */
function news(metadata: Readonly<Record<string, string>> = {}): unknown {
  return Object.fromEntries(
    Object.entries(metadata).filter(([name]) => !NO_NEWS.has(name) && !isOfTool(name)),
  );
}

/**
 * The cause to ring when a work on a cluster that does not serve the Capp is gone; null while its deletion
 * only begins. A Capp that moves needs the work on the site that the newest decision names.
 */
export function causeOfElsewhere(
  type: Change<KubeObject>['type'],
  capp: Capp,
  cluster: string | undefined,
): Cause | null {
  if (type !== 'Deleted') return null;
  return isMoving(capp) && capp.status?.decisions?.[0]?.cluster === cluster ? 'work' : 'gone';
}

export function isMoving(capp: Capp): boolean {
  return capp.status?.conditions?.find(({ type }) => type === 'Migrating')?.status === 'True';
}

/**
 * When to ring for a change of a work. `now`: its deletion has begun, or somebody else wrote its spec (our
 * writes come with another stamp). `soon`: somebody wrote our labels or annotations, which may happen again
 * and again. `later`: its status changed, which only matters while the Capp is not Ready or moves.
 */
export function urgencyOfWork(
  before: KubeObject | null,
  after: KubeObject,
): 'now' | 'soon' | 'later' | 'never' {
  if (before === null) return 'never';
  if (before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp) return 'now';
  if (before.metadata.generation === after.metadata.generation)
    return isDeepStrictEqual(ourMetadata(before), ourMetadata(after)) ? 'later' : 'soon';
  return before.metadata.annotations?.[ROLLOUT] === after.metadata.annotations?.[ROLLOUT] ? 'now' : 'never';
}

/** The labels and annotations that name the owner of a work and what was shipped. */
function ourMetadata({ metadata: { labels = {}, annotations = {} } }: KubeObject): unknown {
  const labelled = [CAPP_KEY, CAPP_UID, MANAGED_BY].map((name) => labels[name]);
  return [
    ...labelled,
    ...[CAPP_NAMESPACE, CAPP_NAME, INCARNATION, SALT, ROLLOUT].map((name) => annotations[name]),
  ];
}

/**
 * A cluster was added, was accepted, changed its clusterset, a taint or its agent, or is being deleted.
 * Heartbeats do not count.
 */
export function isNewsOfCluster(before: ManagedCluster | null, after: ManagedCluster): boolean {
  return before === null || !isDeepStrictEqual(standingOf(before), standingOf(after));
}

/** The labels and claims of a cluster that have changed, as `factsAskedFor` names them. */
export function changedFacts(before: ManagedCluster, after: ManagedCluster): string[] {
  const [was, is] = [factsIn(before), factsIn(after)];
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].filter((name) => was.get(name) !== is.get(name));
}

function factsIn(cluster: ManagedCluster): ReadonlyMap<string, string> {
  const { labels, claims } = identityOf(cluster);
  return new Map([
    ...Object.entries(labels).map(([key, value]) => [labelFact(key), value] as const),
    ...claims.map(({ name, value }) => [claimFact(name), value] as const),
  ]);
}

/** Only its taints have changed. */
export function isOnlyTaint(before: ManagedCluster | null, after: ManagedCluster): boolean {
  const untainted = (cluster: ManagedCluster): ManagedCluster => ({
    ...cluster,
    spec: { ...cluster.spec, taints: [] },
  });
  return before !== null && isDeepStrictEqual(standingOf(untainted(before)), standingOf(untainted(after)));
}

function standingOf({ metadata, spec, status }: ManagedCluster): unknown {
  const taints = (spec?.taints ?? [])
    .map(({ key, value = '', effect }) => `${key}=${value}:${effect}`)
    .toSorted();
  const available = status?.conditions?.find(({ type }) => type === AVAILABLE)?.status ?? 'Unknown';
  const set = metadata.labels?.[CLUSTER_SET_LABEL] ?? '';
  return [spec?.hubAcceptsClient === true, metadata.deletionTimestamp ?? null, taints, available, set];
}

/** It moves, waits to, or its status says why it does not. */
export function isUnsettled(capp: Capp): boolean {
  const reason = migratingReason(capp);
  return reason !== undefined && reason !== 'NotMoving';
}

/** The Capp was paused or resumed, and its status says otherwise. */
export function isPauseUnseen(capp: Capp): boolean {
  const isSaid = migratingReason(capp) === 'Paused';
  return isPaused(capp) ? isReady(capp) && !isSaid : isSaid;
}

function migratingReason(capp: Capp): string | undefined {
  return capp.status?.conditions?.find(({ type }) => type === 'Migrating')?.reason;
}

/** The site that the Capp had to leave and may return to by itself. */
export function homeOf({ spec, status }: Capp): string | null {
  const { lastMove, serving } = status?.migration ?? {};
  if (spec.migration?.failback !== 'Automatic' || lastMove?.result !== 'Moved' || lastMove.to !== serving)
    return null;
  return lastMove.from ?? null;
}

export function siteOf(capp: Capp): string | null {
  return capp.status?.applicationLinks?.site ?? null;
}

/** It is new, edited or being deleted, and no workflow has said that it knows. */
export function isUnheeded({ metadata, status }: Capp): boolean {
  return metadata.deletionTimestamp !== undefined || status?.observedGeneration !== metadata.generation;
}

/**
 * Whether OCM's feedback on its works matters: the Capp is not Ready, or waits for its new site to apply the
 * work.
 */
export function waitsForWork(capp: Capp): boolean {
  return !isReady(capp) || isMoving(capp);
}

/**
 * It says that its site has it no more, or has not taken all of it. What its work has said while it was
 * Ready, or since it was read, nobody was rung for.
 */
export function isNotThere(capp: Capp): boolean {
  const isIt = ({ type, status, reason }: { type: string; status: string; reason?: string }): boolean =>
    reason === 'Missing' || (type === 'Applied' && (status === 'False' || reason === 'Rejected'));
  return capp.status?.conditions?.some(isIt) === true;
}

export function isReady(capp: Capp): boolean {
  const ready = capp.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === capp.metadata.generation;
}
