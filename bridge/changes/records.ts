// Rings the Capp of a DNS record that somebody else than the hub workers has edited or deleted, so that it is
// put right at once.
import { isDeepStrictEqual } from 'node:util';
import { RECORD_KINDS, RECORDS, type CnameRecord } from '../../crds/dns-record.ts';
import { CAPP_UID, PARENT_CAPP, PARENT_CAPP_NAMESPACE } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { OnProblem } from '../../kube/watch/cache.ts';
import { optional, type Optional } from '../../kube/watch/optional.ts';
import type { CauseCaller } from './caller.ts';

/** How API servers name the hub workers' writes: their user agent. */
const HUB_WORKER = 'cappstan-hub';

export type SeenRecord = CnameRecord & KubeObject;

/** Both kinds, each of which the hub may not serve. */
export function watchRecords(kube: Kube, onProblem: OnProblem): readonly Optional<SeenRecord>[] {
  return RECORD_KINDS.map((kind) =>
    optional<SeenRecord>(kube, {
      resource: RECORDS[kind],
      labelSelector: CAPP_UID,
      transform: withoutStatus,
      onProblem: (error) => onProblem(RECORDS[kind].kind, error),
    }),
  );
}

function withoutStatus({ status: _status, ...record }: SeenRecord): SeenRecord {
  return record;
}

/** Rings Capps whose records others edit or delete. Returns a function for each kind, which ends that. */
export function listenToRecords(
  kinds: readonly Pick<Optional<SeenRecord>, 'subscribe'>[],
  call: CauseCaller,
): (() => void)[] {
  return kinds.map((kind) =>
    kind.subscribe(({ type, object, previous, initial }) => {
      const isNews = type === 'Deleted' || (previous !== null && isEditedByOthers(previous, object));
      // Whoever edits a record may take its labels away.
      const key = keyOfCapp(object) ?? (previous === null ? null : keyOfCapp(previous));
      if (!initial && isNews && key !== null) call(key, 'dependency', null);
    }),
  );
}

function keyOfCapp({ metadata: { labels = {} } }: SeenRecord): string | null {
  const [namespace, name] = [labels[PARENT_CAPP_NAMESPACE], labels[PARENT_CAPP]];
  return namespace === undefined || name === undefined ? null : `${namespace}/${name}`;
}

const FIELDS = [
  ['forProvider', 'name'],
  ['forProvider', 'zone'],
  ['forProvider', 'cname'],
  ['forProvider', 'ttl'],
  ['providerConfigRef', 'name'],
  ['managementPolicies'],
] as const;

/**
 * Whether a field that leads users has another value, of somebody else. What the hub workers write themselves
 * is no news: each move would ring once more.
 */
export function isEditedByOthers(before: SeenRecord, after: SeenRecord): boolean {
  const others = managersOf(after).filter(({ manager }) => manager !== HUB_WORKER);
  return FIELDS.some((path) => {
    if (isDeepStrictEqual(at(before.spec, path), at(after.spec, path))) return false;
    const isGone = at(after.spec, path) === undefined;
    const fields = ['spec', ...path].map((name) => `f:${name}`);
    return isGone || others.some(({ fieldsV1 }) => at(fieldsV1, fields) !== undefined);
  });
}

interface Manager {
  readonly manager?: string;
  readonly fieldsV1?: unknown;
}

function managersOf({ metadata }: SeenRecord): readonly Manager[] {
  return (metadata as { managedFields?: readonly Manager[] }).managedFields ?? [];
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined,
    value,
  );
}
