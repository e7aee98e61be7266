// What a site may answer to each question: read by the parsers of the hub, and written again.
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { Agent } from '../../workflows/ports/agent.ts';
import { isGone, readAnswer } from '../../workflows/parse/answer.ts';
import { readChecked } from '../../workflows/parse/verification.ts';
import { readInspected } from '../../workflows/parse/inspection.ts';
import { readMeasured } from '../../workflows/parse/figures.ts';
import { unreadable } from '../refusal.ts';

/** The types of activities that agents have, and what reads their answers. Null cannot be read. */
const READERS: Readonly<Record<keyof Agent, (given: unknown) => { readonly value: unknown } | null>> = {
  awaitVerdict: (given) => kept(readAnswer(given)),
  report: readReport,
  measure: (given) => kept(readMeasured(given)),
  verify: (given) => (given === null ? { value: null } : kept(readChecked(given))),
  verifyMetrics: (given) => (given === null ? { value: null } : kept(readChecked(given))),
  inspect: (given) => kept(readInspected(given)),
};

/** Bytes of JSON. */
const MOST_BYTES = 65_536;
const ENCODING = 'json/plain';

interface Payloads {
  readonly payloads?:
    | readonly { readonly metadata?: object | null; readonly data?: Uint8Array | null }[]
    | null;
}

/** Whether sites are asked by activities of this type. */
export function isAsked(type: string): type is keyof typeof READERS {
  return Object.hasOwn(READERS, type);
}

/** The questions of which an agent may say how far it is. */
const COUNTED: ReadonlySet<string> = new Set<keyof Agent>(['verify', 'verifyMetrics']);

export function isCounted(type: string): boolean {
  return COUNTED.has(type);
}

/** How far an agent is, as the hub reads its answer; null where it says nothing that can be read. */
export function readProgress(type: string, details: Payloads | null | undefined): Payload | null {
  if (!isCounted(type) || (details?.payloads ?? []).length === 0) return null;
  try {
    return readResult(type, details);
  } catch {
    return null;
  }
}

/** Throws a GatewayRefusal (INVALID_ARGUMENT) for an answer that the hub could not read either. */
export function readResult(type: string, result: Payloads | null | undefined): Payload {
  const value = valueOf(result);
  const read = isAsked(type) ? READERS[type](value) : null;
  if (read === null) throw unreadable(`The answer to ${isAsked(type) ? type : 'this task'} cannot be read.`);
  return payloadOf(read.value);
}

/** The value of the first payload. Throws a GatewayRefusal (INVALID_ARGUMENT) unless it is small JSON. */
export function valueOf(given: Payloads | null | undefined, most = MOST_BYTES): unknown {
  const [payload, ...others] = given?.payloads ?? [];
  const data = payload?.data ?? new Uint8Array();
  const { encoding } = (payload?.metadata ?? {}) as Readonly<Record<string, Uint8Array | undefined>>;
  const isPlain = encoding !== undefined && Buffer.from(encoding).toString('latin1') === ENCODING;
  if (payload === undefined || others.length > 0 || !isPlain)
    throw unreadable(`Send one payload with the encoding ${ENCODING}.`);
  if (data.length > most) throw unreadable(`The payload has more than ${most} bytes.`);
  try {
    return JSON.parse(Buffer.from(data).toString('utf8')) as unknown;
  } catch {
    throw unreadable('The payload is not JSON.');
  }
}

export function payloadOf(value: unknown): Payload {
  return defaultPayloadConverter.toPayload(value);
}

function readReport(given: unknown): { readonly value: unknown } | null {
  if (given === null) return { value: null };
  return isGone(given) ? { value: { gone: true } } : kept(readAnswer(given));
}

function kept<T>(read: T | null): { readonly value: T } | null {
  return read === null ? null : { value: read };
}
