// Until when the name of a cluster is not free: OCM gives rights to whoever has a certificate for the name of
// an accepted cluster, so an agent of a former one is in again when the name is used again.
//
// OCM v1.2.1, pkg/registration/hub/manifests/rbac: works and renewals are bound to a group of the name.
import type { ConfigMap } from '../kubernetes/core.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import { CERTIFICATE_SECONDS, CERTIFICATES_END_AT, CLUSTER_UID } from './labels.ts';

/** Where the records are, one ConfigMap with the name of the cluster for each. Nothing else is there. */
export const RECORDS_NAMESPACE = 'cappstan-clusters';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** As long as Kubernetes signs certificates for, where nobody says otherwise. */
export const USUAL_LIFE_MS = 365 * DAY;
/** One that is approved when its cluster is deleted may be signed a little later. */
const SIGNED_LATE_MS = HOUR;

export interface NameRecord {
  /** Of the ManagedCluster of this name that was accepted last. */
  readonly uid: string;
  /** For how long its certificates are valid at most. */
  readonly lifeMs: number;
  /** When the last of them has ended, in milliseconds since the epoch; null while that cluster is there. */
  readonly endsAt: number | null;
}

/** The hub's ManagedCluster of the name. */
export interface NamedCluster {
  readonly uid: string;
  readonly isAccepted: boolean;
  /** Its agent has come: with a certificate that may be older than the record. */
  readonly hasCome: boolean;
}

export function recordKey(cluster: string): { readonly namespace: string; readonly name: string } {
  return { namespace: RECORDS_NAMESPACE, name: cluster };
}

/** Null: there is none, or it cannot be read. Metadata is enough. */
export function recordIn(map: { readonly metadata: ObjectMeta } | null | undefined): NameRecord | null {
  const { [CLUSTER_UID]: uid = '', ...notes } = map?.metadata.annotations ?? {};
  if (uid === '' || map?.metadata.namespace !== RECORDS_NAMESPACE) return null;
  const lifeMs = Number(notes[CERTIFICATE_SECONDS]) * 1_000;
  const endsAt = Date.parse(notes[CERTIFICATES_END_AT] ?? '');
  return {
    uid,
    lifeMs: lifeMs > 0 ? lifeMs : USUAL_LIFE_MS,
    endsAt: Number.isNaN(endsAt) ? null : endsAt,
  };
}

export function recordMap(cluster: string, { uid, lifeMs, endsAt }: NameRecord): ConfigMap {
  const ends = endsAt === null ? {} : { [CERTIFICATES_END_AT]: new Date(endsAt).toISOString() };
  const annotations = { [CLUSTER_UID]: uid, [CERTIFICATE_SECONDS]: String(lifeMs / 1_000), ...ends };
  return { metadata: { ...recordKey(cluster), annotations } };
}

/**
 * Until when an agent of a former ManagedCluster may have a certificate for the name, in milliseconds since
 * the epoch; null: none has. `uid` is that of the present one; null: there is none.
 */
export function formerUntil(record: NameRecord | null, uid: string | null, now: number): number | null {
  if (record === null || record.uid === uid) return null;
  const until = record.endsAt ?? lastEnd(record.lifeMs, now);
  return until > now ? until : null;
}

/**
 * That of the cluster which is to be accepted now. `before` is of a former one, whose certificates may be
 * valid for longer: they count as long as these.
 */
export function recordOf(uid: string, lifeMs: number, before: NameRecord | null = null): NameRecord {
  return { uid, lifeMs: Math.max(lifeMs, before?.lifeMs ?? 0), endsAt: null };
}

/**
 * What is to be written instead of `before`; null: nothing. A new record loses nothing of a former cluster:
 * when the present one goes, its certificates end later than those.
 */
export function nextRecord(
  before: NameRecord | null,
  cluster: NamedCluster | null,
  { lifeMs, now }: { readonly lifeMs: number; readonly now: number },
): NameRecord | null {
  if (cluster !== null && cluster.uid === before?.uid) return null;
  if (cluster?.isAccepted === true)
    return recordOf(cluster.uid, cluster.hasCome ? Math.max(lifeMs, USUAL_LIFE_MS) : lifeMs, before);
  if (before === null || before.endsAt !== null) return null;
  return { ...before, endsAt: lastEnd(Math.max(before.lifeMs, lifeMs), now) };
}

function lastEnd(lifeMs: number, now: number): number {
  return now + lifeMs + SIGNED_LATE_MS;
}

/** Why the name is not free. What helps says who asks. */
export function formerSentence(cluster: string, until: number): string {
  const date = new Date(until).toISOString().slice(0, 16).replace('T', ' ');
  return `An agent of a former ManagedCluster ${cluster} may have a certificate until ${date} UTC, and would be in again as ${cluster}.`;
}
