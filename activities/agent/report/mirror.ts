// Selects the part of a site's status that travels to the hub: fields that users know, bounded, without
// container output and without fields that change on their own.
import { withoutOutput } from '../../../crds/container-output.ts';
import { digestOf } from '../../../crds/digest.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import { SITE_DETAILS, type Condition } from '../../../crds/capp/conditions.ts';

export type Mirror = Readonly<Record<string, unknown>>;

/** Bytes of JSON that may pass through history at a time. */
export const MIRROR_LIMIT = 16 * 1024;
const LONGEST_MESSAGE = 256;
const NEWEST_REVISIONS = 10;

/** Times that change although nothing else has. */
const VOLATILE = new Set(['lastTransitionTime', 'lastUpdateTime', 'lastHeartbeatTime', 'lastProbeTime']);

/** In this order fields are left out of a mirror that is too large. */
const SPARE: readonly (keyof CappStatus)[] = [
  'revisions',
  'loggingStatus',
  'eventingStatus',
  'volumesStatus',
  'routeStatus',
  'knativeObjectStatus',
];

export function mirrorOf(status: CappStatus | undefined): Mirror {
  const {
    applicationLinks,
    knativeObjectStatus,
    revisions,
    routeStatus,
    loggingStatus,
    eventingStatus,
    volumesStatus,
    stateStatus,
  } = status ?? {};
  const consoleLink = applicationLinks?.consoleLink;
  const known = {
    applicationLinks: consoleLink === undefined ? undefined : { consoleLink },
    knativeObjectStatus,
    revisions: revisions?.slice(0, NEWEST_REVISIONS),
    routeStatus,
    loggingStatus,
    eventingStatus,
    volumesStatus,
    stateStatus,
  };
  const conditions = detailsOf(status);
  const mirror = JSON.parse(JSON.stringify(known, bounding)) as Record<string, unknown>;
  return bounded(conditions.length === 0 ? mirror : { ...mirror, conditions });
}

const ASIDES: ReadonlySet<string> = new Set(SITE_DETAILS);

/**
 * Keeps transition times, which change only with the status, and drops the site's generation, which means
 * nothing on the hub.
 */
function detailsOf(status: CappStatus | undefined): Condition[] {
  return (status?.conditions ?? [])
    .filter(({ type }) => ASIDES.has(type))
    .map(({ type, status, reason, message, lastTransitionTime }) => ({
      type,
      status,
      reason,
      message: saying(message),
      lastTransitionTime,
    }));
}

/** Twenty hex digits; equal for statuses with the same mirror, verdict and reason. */
export function hashOf(mirror: Mirror, verdict: string, reason: string): string {
  return digestOf(JSON.stringify([mirror, verdict, reason]), 20);
}

function bounding(key: string, value: unknown): unknown {
  if (VOLATILE.has(key)) return undefined;
  return key === 'message' && typeof value === 'string' ? saying(value) : value;
}

/** A message without container output, at most 256 bytes. */
export function saying(message: string): string {
  const said = withoutOutput(message);
  if (Buffer.byteLength(said) <= LONGEST_MESSAGE) return said;
  const cut = Buffer.from(said)
    .subarray(0, LONGEST_MESSAGE - 3)
    .toString('utf8');
  return `${cut.replace(/\uFFFD+$/, '')}…`;
}

function bounded(mirror: Record<string, unknown>): Mirror {
  const rest = { ...mirror };
  for (const field of SPARE) {
    if (Buffer.byteLength(JSON.stringify(rest)) <= MIRROR_LIMIT) return rest;
    delete rest[field];
  }
  return rest;
}
