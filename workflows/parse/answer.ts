// Reads an agent's answer. An answer of another shape counts as none.
import type { Answer, NothingThere } from '../ports/agent.ts';
import { type Finding, VERDICTS } from '../types/copy.ts';
import { fieldsOf, isHash, isReason, sizeOf, textOf } from './fields.ts';

/**
 * The largest mirror, in characters of JSON: agents keep to this number of bytes
 * (`activities/agent/report/mirror.ts`).
 */
const LARGEST_MIRROR = 16 * 1024;
/** Bytes. */
export const LONGEST_MESSAGE = 256;

/** Null if it cannot be read. A mirror that is too large or not an object is left out. */
export function readAnswer(given: unknown): Answer | null {
  const fields = fieldsOf(given);
  const finding = findingOf(fields?.['finding']);
  if (fields === null || finding === null) return null;
  const mirror = fieldsOf(fields['mirror']);
  const isSmall = mirror !== null && sizeOf(mirror) <= LARGEST_MIRROR;
  return { finding, mirror: isSmall ? mirror : null };
}

/** The site says that it has nothing of the Capp. */
export function isGone(given: unknown): given is NothingThere {
  return fieldsOf(given)?.['gone'] === true;
}

function findingOf(given: unknown): Finding | null {
  const { verdict, healthy, reason, message, statusHash, hostname, restarts } = fieldsOf(given) ?? {};
  const known = VERDICTS.find((one) => one === verdict);
  if (known === undefined || typeof healthy !== 'boolean' || !isReason(reason) || !isHash(statusHash))
    return null;
  const finding = { verdict: known, healthy, reason, message: saying(message, reason), statusHash };
  const lacking = lackOf(hostname);
  return {
    ...finding,
    ...(lacking === null ? {} : { hostname: lacking }),
    ...(isCount(restarts) ? { restarts } : {}),
  };
}

/** More than that is no count. */
const MOST_RESTARTS = 1_000_000_000;

function isCount(given: unknown): given is number {
  return Number.isInteger(given) && Number(given) >= 0 && Number(given) <= MOST_RESTARTS;
}

/** An older agent says nothing of the hostname, which then holds nothing up. */
function lackOf(given: unknown): NonNullable<Finding['hostname']> | null {
  const { reason, message } = fieldsOf(given) ?? {};
  return isReason(reason) ? { reason, message: saying(message, reason) } : null;
}

/** It becomes a condition's, and every condition says something. */
function saying(message: unknown, reason: string): string {
  const said = textOf(message, LONGEST_MESSAGE);
  return said.trim() === '' ? `The site says ${reason}, and no more.` : said;
}
