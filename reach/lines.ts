// The lines of a log: cut from bytes, written for the way to the caller, and never shown twice.
import { CONTAINER_NAME, NAME } from './names.ts';

/** A line of a container, as it travels: `<site> <pod>/<container> <time> <text>`. */
export interface Line {
  readonly site: string;
  readonly pod: string;
  readonly container: string;
  /** RFC 3339 with nanoseconds, as the kubelet wrote it. */
  readonly at: string;
  readonly text: string;
}

/** What the reader itself says in a stream; an empty one keeps it open. */
export const REMARK = '#';

/** In characters; what is longer is cut, so that no line fills a memory. */
const LONGEST = 16_384;
const CUT = ' …';

/** Lines of text, each bounded. The last one counts without a line break, too. */
export async function* boundedLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = '';
  let isCut = false;
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [index, part] of [first, ...others].entries()) {
      if (index > 0) {
        yield isCut ? `${open}${CUT}` : open;
        open = '';
        isCut = false;
      }
      const room = LONGEST - open.length;
      if (part.length > room) isCut = true;
      open += part.slice(0, Math.max(0, room));
    }
  }
  if (open !== '') yield isCut ? `${open}${CUT}` : open;
}

/** As the kubelet writes it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Splits what the kubelet writes with `timestamps=true`. Null for what has no time at its start. */
export function timed(line: string): Pick<Line, 'at' | 'text'> | null {
  const space = line.indexOf(' ');
  const at = space === -1 ? line : line.slice(0, space);
  if (!TIME.test(at) || instantOf(at) === null) return null;
  return { at, text: space === -1 ? '' : line.slice(space + 1).replace(/\r$/, '') };
}

export function written({ site, pod, container, at, text }: Line): string {
  return `${site} ${pod}/${container} ${at} ${text}\n`;
}

/** Null for a remark, and for what is no line: each name is one of Kubernetes, and the time is one. */
export function read(text: string): Line | null {
  const [, site = '', pod = '', container = '', at = '', rest = ''] =
    /^(\S+) ([^\s/]+)\/(\S+) (\S+) ?(.*)$/s.exec(text) ?? [];
  if (!NAME.test(site) || !NAME.test(pod) || !CONTAINER_NAME.test(container) || !TIME.test(at)) return null;
  return { site, pod, container, at, text: rest };
}

/** Nanoseconds since the epoch; null for no time. */
export function instantOf(at: string): bigint | null {
  const [, whole, fraction = '', zone = ''] = /^([^.Z+]+?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(at) ?? [];
  const ms = Date.parse(`${whole}${zone}`);
  return Number.isNaN(ms) ? null : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

export interface Seen {
  /** Whether a line of this time is new. Each call counts as one line that is shown. */
  isNew(at: string): boolean;
  /** The log is read again, from some time before the last line. */
  again(): void;
  /** The time of the last line; null before there is one. */
  last(): string | null;
}

/**
 * How far the times of lines may go back: output and errors of a container are stamped side by side, and then
 * written one after the other.
 */
const DISORDER = 1_000_000_000n;
/** How far the clock of a site may be ahead of ours. */
const AHEAD_MS = 86_400_000;
/** Different times of lines that are remembered; a container that writes more in a second repeats some. */
export const MOST_REMEMBERED = 1_000;

/**
 * Of one container. In a log that is read again those lines are new that come after the last one, or of whose
 * time there are more than were shown. A line much older than the last one counts as shown; one that comes
 * from far ahead of `now` (milliseconds since the epoch) is shown and not remembered, so that none after it
 * is missed. `most` times are remembered; it is asked at each line, since others may come to share them.
 */
export function seen(now: () => number = Date.now, most: () => number = () => MOST_REMEMBERED): Seen {
  let last: { readonly at: string; readonly instant: bigint } | null = null;
  /** How many lines of each recent time were shown. */
  const recent = new Map<bigint, number>();
  let before: { readonly until: bigint; readonly left: Map<bigint, number> } | null = null;
  const wasShown = (instant: bigint): boolean => {
    if (before === null || instant > before.until) return false;
    if (instant < before.until - DISORDER) return true;
    const left = before.left.get(instant) ?? 0;
    if (left > 0) before.left.set(instant, left - 1);
    return left > 0;
  };
  return {
    isNew: (at) => {
      const instant = instantOf(at);
      if (instant === null || wasShown(instant)) return false;
      if (instant > BigInt(now() + AHEAD_MS) * 1_000_000n) return true;
      for (const oldest of recent.keys()) {
        if (recent.size < most()) break;
        recent.delete(oldest);
      }
      recent.set(instant, (recent.get(instant) ?? 0) + 1);
      if (last !== null && instant <= last.instant) return true;
      last = { at, instant };
      for (const old of recent.keys()) {
        if (old >= instant - DISORDER) break;
        recent.delete(old);
      }
      return true;
    },
    again: () => {
      if (last !== null) before = { until: last.instant, left: new Map(recent) };
    },
    last: () => last?.at ?? null,
  };
}
