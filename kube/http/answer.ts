// What comes of an answer: its text, a refusal, or why there is none. Nothing of it is read without bounds.
import type { Dispatcher } from 'undici';
import type { ApiError } from '../failure.ts';
import { noAnswer, refusalOf, type RequestLine } from '../refusal.ts';
import { boundedText, AnswerTooLong, type AnswerBounds } from './bounded-text.ts';
import { EXPIRED, within } from './deadline.ts';

export interface AnswerReading extends AnswerBounds {
  readonly limit: AbortSignal;
  readonly quoted: boolean;
}

/** Throws ApiError, or the signal's reason. */
export async function textOf(
  request: RequestLine,
  { body }: Dispatcher.ResponseData,
  { limit, ...bounds }: AnswerReading,
): Promise<string> {
  try {
    return await (bounds.mostBytes === Infinity ? body.text() : boundedText(body, bounds));
  } catch (error) {
    // Without its cause: it is what was said already.
    if (error instanceof AnswerTooLong) throw noAnswer(request, 'TooLong');
    throw noAnswerFrom(request, error, limit);
  }
}

/** A refusal counts even if the rest of the answer never comes, or never ends. */
export async function refused(
  request: RequestLine,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { limit, quoted, ...bounds }: AnswerReading,
): Promise<ApiError> {
  const wait = headers['retry-after'];
  const leave = (): void => void body.destroy();
  limit.addEventListener('abort', leave, { once: true });
  const text = await boundedText(body, bounds).catch(() => '');
  limit.removeEventListener('abort', leave);
  return refusalOf(request, statusCode, text, { retryAfter: Array.isArray(wait) ? wait[0] : wait, quoted });
}

/** Why there is no answer: the deadline, the caller, silence, or the connection. */
export function noAnswerFrom(request: RequestLine, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && signal.reason !== EXPIRED) return signal.reason;
  if (signal.aborted) return noAnswer(request, 'Timeout');
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'UND_ERR_BODY_TIMEOUT') return noAnswer(request, 'Idle');
  return noAnswer(request, code === 'UND_ERR_HEADERS_TIMEOUT' ? 'Timeout' : 'Unreachable', error);
}

/** Its connection may be used again, unless it goes on and on. */
export async function dumped(
  { body }: Dispatcher.ResponseData,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<void> {
  await within({ deadlineMs, signal }, (limit) => body.dump({ limit: MOST_DUMPED, signal: limit })).catch(
    () => undefined,
  );
}

/** Bytes. */
const MOST_DUMPED = 131_072;
