// The part of a site's report that may enter the Capp's status on the hub. The hub checks it itself, because
// a compromised site may report anything.
import { CappStatus } from './status.ts';
import { Condition, SITE_DETAILS } from './conditions.ts';
import { cutText } from '../cut-text.ts';

/** Bytes of JSON, as agents keep to. */
const LARGEST = 16 * 1024;
const LONGEST_MESSAGE = 256;
const LONGEST_TEXT = 1_024;
const MOST_ENTRIES = 64;
const DEEPEST = 10;
const NEWEST_REVISIONS = 10;
const LONGEST_REASON = 64;

/** The fields that are copied. If the whole is too large, they are left out in this order. */
export const MIRRORED = [
  'revisions',
  'loggingStatus',
  'eventingStatus',
  'volumesStatus',
  'routeStatus',
  'knativeObjectStatus',
  'stateStatus',
] as const;

const LINK_NAME = /(?:url|uri|link|href)$/i;
const LINK = /^https?:\/\/[^\s<>"'`\\]{1,2048}$/;
/** What a browser would run. */
const SCRIPT = /^[\s\p{Cc}]*(?:javascript|vbscript|data|blob|file):/iu;
const REASON = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Keeps what has the right shape, within bounds, and nothing that the hub itself writes. Takes anything, and
 * never throws.
 */
export function allowedMirror(given: unknown): CappStatus {
  const said = fieldsOf(given);
  const link = fieldsOf(said['applicationLinks'])['consoleLink'];
  const conditions = detailsOf(said['conditions']);
  const parts: Record<string, unknown> = {
    ...(typeof link === 'string' && LINK.test(link) ? { applicationLinks: { consoleLink: link } } : {}),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  for (const name of MIRRORED) {
    const value =
      name === 'revisions' && Array.isArray(said[name]) ? said[name].slice(0, NEWEST_REVISIONS) : said[name];
    const part = CappStatus.shape[name].safeParse(bounded(value, name, 0));
    if (value !== undefined && part.success) parts[name] = part.data;
  }
  for (const name of MIRRORED) {
    if (Buffer.byteLength(JSON.stringify(parts)) <= LARGEST) break;
    delete parts[name];
  }
  return parts;
}

function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Readonly<Record<string, unknown>>)
    : {};
}

/** Each condition once, with the fields that belong to the site. */
function detailsOf(given: unknown): Condition[] {
  const all = (Array.isArray(given) ? given : []).slice(0, MOST_ENTRIES).map(fieldsOf);
  return SITE_DETAILS.flatMap((type) => {
    const { status, reason, message, lastTransitionTime } = all.find((one) => one['type'] === type) ?? {};
    if (typeof reason !== 'string' || reason.length > LONGEST_REASON || !REASON.test(reason)) return [];
    const read = Condition.safeParse({
      type,
      status,
      reason,
      message: cutText(typeof message === 'string' ? message : '', LONGEST_MESSAGE),
      lastTransitionTime,
    });
    return read.success ? [read.data] : [];
  });
}

/** Undefined for what may not stand there. */
function bounded(value: unknown, name: string, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value, name);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : undefined;
  if (depth >= DEEPEST) return undefined;
  const isKept = (one: unknown): boolean => one !== undefined;
  if (Array.isArray(value))
    return value
      .slice(0, MOST_ENTRIES)
      .map((one) => bounded(one, name, depth + 1))
      .filter(isKept);
  const kept = firstFields(value).map(([key, one]) => [key, bounded(one, key, depth + 1)] as const);
  return Object.fromEntries(kept.filter(([, one]) => isKept(one)));
}

/** Looks at no more fields than it keeps, however many there are. */
function firstFields(value: object): (readonly [key: string, value: unknown])[] {
  const fields: (readonly [string, unknown])[] = [];
  for (const key in value) {
    if (fields.length === MOST_ENTRIES) break;
    if (key.length > LONGEST_TEXT || key === '__proto__' || !Object.hasOwn(value, key)) continue;
    fields.push([key, (value as Readonly<Record<string, unknown>>)[key]]);
  }
  return fields;
}

function boundedText(text: string, name: string): string | undefined {
  if (LINK_NAME.test(name)) return LINK.test(text) ? text : undefined;
  if (SCRIPT.test(text)) return undefined;
  return cutText(text, name === 'message' ? LONGEST_MESSAGE : LONGEST_TEXT);
}
