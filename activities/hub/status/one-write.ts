// Puts both parts of a Capp's status into one request: a patch of the fields that differ from the status as
// it was read, with the version that was read as its precondition. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../../crds/capp/capp.ts';
import { CONDITION_TYPES, SITE_DETAILS, type Condition } from '../../../crds/capp/conditions.ts';
import { MIRRORED } from '../../../crds/capp/mirror.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';

export interface StatusParts {
  /** All fields that say where the Capp is and why; null if they stay as they are. */
  readonly hub: CappStatus | null;
  /** All fields that mirror the site's status; null if they stay as they are. */
  readonly mirror: CappStatus | null;
}

/** An operation of a JSON patch (RFC 6902). */
interface Operation {
  readonly op: 'replace' | 'add' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

type Field = keyof CappStatus;

const HUBS = [
  'observedGeneration',
  'sites',
  'decisions',
  'verification',
  'failedVerification',
] as const satisfies readonly Field[];
/** The fields of shared objects that the mirror says; the hub says the others. */
const OF_MIRROR = { applicationLinks: ['consoleLink'], migration: ['statusHash', 'mirroredAt'] } as const;
const SHARED = ['conditions', 'applicationLinks', 'migration'] as const satisfies readonly Field[];

/**
 * Fields of others stay, and so does what a part leaves to the other. `isWhole`: the status was read with all
 * of its fields. From the cache (`forChoosing`) those of the mirror and `decisions` are missing, so `parts`
 * has no decisions then. Empty if nothing differs.
 */
export function statusPatch(
  { metadata, status: live }: Capp,
  parts: StatusParts,
  isWhole: boolean,
): readonly Operation[] {
  const wanted = fieldsOf(live ?? {}, parts);
  const version = {
    op: 'replace',
    path: '/metadata/resourceVersion',
    value: metadata.resourceVersion ?? '',
  } as const;
  if (live === undefined) {
    const said = wanted.filter(([, value]) => value !== undefined);
    return [version, { op: 'add', path: '/status', value: Object.fromEntries(said) }];
  }
  const operations = wanted.flatMap(([field, value]): Operation[] => {
    const isKnown = isWhole || !isMirrored(field);
    if (isKnown && isDeepStrictEqual(value, live[field])) return [];
    const path = `/status/${field}`;
    if (value !== undefined) return [{ op: 'add', path, value }];
    // Only what is there can be removed.
    return [...(isKnown ? [] : [{ op: 'add', path, value: {} } as const]), { op: 'remove', path }];
  });
  return operations.length === 0 ? [] : [version, ...operations];
}

/** Undefined for a field that is to be absent. */
function fieldsOf(live: CappStatus, parts: StatusParts): (readonly [Field, unknown])[] {
  const { hub, mirror } = parts;
  const shared = {
    conditions: conditionsOf(live, parts),
    applicationLinks: bothOf(
      (hub ?? live).applicationLinks,
      (mirror ?? live).applicationLinks,
      OF_MIRROR.applicationLinks,
    ),
    migration: bothOf((hub ?? live).migration, (mirror ?? live).migration, OF_MIRROR.migration),
  };
  return [
    ...(hub === null ? [] : HUBS.map((field) => [field, hub[field]] as const)),
    ...(mirror === null ? [] : MIRRORED.map((field) => [field, mirror[field]] as const)),
    ...SHARED.map((field) => [field, shared[field]] as const),
  ];
}

/** Each type has one part that says it; others' conditions stay. */
function conditionsOf(live: CappStatus, { hub, mirror }: StatusParts): readonly Condition[] | undefined {
  const before = live.conditions ?? [];
  const isOf =
    (types: readonly string[]) =>
    ({ type }: Condition): boolean =>
      types.includes(type);
  const isOurs = isOf([...CONDITION_TYPES, ...SITE_DETAILS]);
  const all = [
    ...(hub === null ? before.filter(isOf(CONDITION_TYPES)) : (hub.conditions ?? [])),
    ...(mirror === null ? before.filter(isOf(SITE_DETAILS)) : (mirror.conditions ?? [])),
    ...before.filter((condition) => !isOurs(condition)),
  ];
  const isSame =
    all.length === before.length && all.every((one) => before.some((other) => isDeepStrictEqual(one, other)));
  return all.length === 0 ? undefined : isSame ? before : all;
}

/** Of the first what the mirror does not say, and of the second what it does. */
function bothOf(
  hubs: object | undefined,
  mirrors: object | undefined,
  mirrored: readonly string[],
): object | undefined {
  const of = (said: object | undefined, isMirrors: boolean): object =>
    Object.fromEntries(Object.entries(said ?? {}).filter(([name]) => mirrored.includes(name) === isMirrors));
  const whole = { ...of(hubs, false), ...of(mirrors, true) };
  return Object.keys(whole).length === 0 ? undefined : whole;
}

function isMirrored(field: Field): boolean {
  return (MIRRORED as readonly Field[]).includes(field);
}
