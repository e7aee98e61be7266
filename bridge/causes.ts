// Which changes on the hub are worth a ring, and for whom: pure, from an object as it was and as it is.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../crds/capp.ts';
import { FINALIZER, ROLLOUT } from '../crds/labels.ts';
import type { ManagedCluster } from '../crds/ocm.ts';
import type { KubeObject } from '../kube/resource.ts';
import type { Cause } from '../workflows/ring.ts';

/** Null: only its status changed, or what we ourselves write into its metadata. */
export function causeOfCapp(before: Capp | null, after: Capp): Cause | null {
  if (before === null || before.metadata.generation !== after.metadata.generation) return 'spec';
  const was = before.metadata;
  const is = after.metadata;
  if (was.deletionTimestamp !== is.deletionTimestamp) return 'meta';
  const had = was.finalizers?.includes(FINALIZER) === true;
  if (had && is.finalizers?.includes(FINALIZER) !== true && is.deletionTimestamp === undefined) return 'meta';
  return isDeepStrictEqual(was.labels, is.labels) && isDeepStrictEqual(was.annotations, is.annotations) ? null : 'meta';
}

/**
 * What a change of a work means: `now` for a deletion begun or a spec that somebody else wrote (ours come with another stamp), `later`
 * for a new status, which only matters while the Capp is not Ready.
 */
export function urgencyOfWork(before: KubeObject | null, after: KubeObject): 'now' | 'later' | 'never' {
  if (before === null) return 'never';
  if (before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp) return 'now';
  if (before.metadata.generation === after.metadata.generation) return 'later';
  return before.metadata.annotations?.[ROLLOUT] === after.metadata.annotations?.[ROLLOUT] ? 'now' : 'never';
}

/** A cluster came, was accepted, or begins to go; its heartbeats are no news. */
export function isNewsOfCluster(before: ManagedCluster | null, after: ManagedCluster): boolean {
  if (before === null) return true;
  const accepted = (cluster: ManagedCluster): boolean => cluster.spec?.hubAcceptsClient === true;
  return accepted(before) !== accepted(after) || before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp;
}

export function siteOf(capp: Capp): string | null {
  return capp.status?.applicationLinks?.site ?? null;
}

export function isReady(capp: Capp): boolean {
  const ready = capp.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === capp.metadata.generation;
}
