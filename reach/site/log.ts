// The log of one container of a site.
import { POD } from '../../crds/kubernetes/core.ts';
import { isNotFound } from '../../kube/failure.ts';
import { withQuery } from '../../kube/http/request.ts';
import { pathOf } from '../../kube/resource.ts';
import type { Lines } from '../asked.ts';
import { MOST_BYTES_OF_ONE } from '../bounds.ts';
import { boundedLines } from '../lines.ts';
import type { Source } from '../pods.ts';
import { READER_TIMES } from '../times.ts';
import type { Way } from './way.ts';

export interface LogWanted extends Omit<Lines, 'tail' | 'sinceSeconds' | 'siteTimes'> {
  readonly namespace: string;
  readonly tail?: number | null;
  readonly sinceSeconds?: number | null;
}

/** How much of a log may still be read. */
export interface LogMeter {
  /** Bytes; below 0 the log is left, whatever else there is. */
  left: number;
}

/** So many logs of the site, or of all sites, are open already. */
export class TooManyLogs extends Error {}

export interface LogReading {
  readonly signal: AbortSignal;
  readonly meter: LogMeter;
  /** Called once the site has begun to answer, though there may be no line yet. */
  readonly opened?: () => void;
}

/**
 * The lines of one container, each with its time. Ends when the container does, when the site ends it, or
 * when the meter is empty. Throws ApiError, the signal's reason, and TooManyLogs.
 */
export async function* logOf(
  { transport, logs }: Way,
  { pod, container }: Source,
  { namespace, ...wanted }: LogWanted,
  { signal, meter, opened }: LogReading,
): AsyncGenerator<string> {
  const path = withQuery(pathOf(POD, { namespace, name: pod }, 'log'), {
    container,
    timestamps: true,
    ...(wanted.follow ? { follow: true } : { limitBytes: MOST_BYTES_OF_ONE }),
    tailLines: wanted.tail ?? undefined,
    ...(wanted.sinceTime === null
      ? { sinceSeconds: wanted.sinceSeconds || undefined }
      : { sinceTime: wholeSecond(wanted.sinceTime) }),
  });
  const close = logs.take('');
  if (close === null) throw new TooManyLogs();
  try {
    const idleMs = wanted.follow ? READER_TIMES.silence.ms : READER_TIMES.site.ms;
    // A log is text; a refusal is a Status, which `*/*` lets the server choose.
    const bytes = await transport.open({ method: 'GET', path, accept: '*/*' }, { signal, idleMs });
    opened?.();
    yield* boundedLines(metered(bytes, meter));
  } catch (error) {
    // The Pod has gone between the look and the question.
    if (!isNotFound(error)) throw error;
  } finally {
    close();
  }
}

/** Also of what never becomes a line. */
async function* metered(chunks: AsyncIterable<Uint8Array>, meter: LogMeter): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    meter.left -= chunk.byteLength;
    if (meter.left < 0) return;
    yield chunk;
  }
}

/** The API server takes no fractions here. */
function wholeSecond(time: string): string {
  return time.replace(/\.\d+/, '');
}
