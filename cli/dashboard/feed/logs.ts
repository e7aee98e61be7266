// The last lines that a Capp has written, by the hub's reader: what stands beside it on the page, read once.
// To follow it is the command's.
import type { Key } from '../../../kube/resource.ts';
import { instantOf } from '../../../reach/lines.ts';
import { CommandFailure } from '../../exit.ts';
import type { OpenedHub } from '../../hub/connection/hub.ts';
import { followLog, type Show } from '../../hub/logs/follow.ts';
import { printable } from '../../show/printable.ts';

export interface ShownLog {
  /** In the order of their times. */
  readonly lines: readonly ShownLogLine[];
  /** What the reader says of them, a sentence each. */
  readonly remarks: readonly string[];
}

export interface ShownLogLine {
  readonly site: string;
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
}

/** Of each container. */
const TAIL = 50;
const MOST_LINES = 200;
const MOST_GATHERED = 5_000;
const MOST_REMARKS = 10;
/** In characters. */
const LONGEST = 1_000;
const WITHIN_MS = 10_000;

/**
 * Throws CommandFailure where there is no reader, where it does not tell this person, and where it tells
 * nothing in time; and ApiError.
 */
export async function lastLines(hub: OpenedHub, capp: Key): Promise<ShownLog> {
  const lines: ShownLogLine[] = [];
  const remarks: string[] = [];
  const show: Show = {
    line: ({ site, at, text }) => {
      if (lines.length >= MOST_GATHERED) return;
      lines.push({
        site: printable(site),
        at: printable(at),
        text: printable(text.slice(0, LONGEST)),
      });
    },
    remark: (text) => {
      if (remarks.length < MOST_REMARKS) remarks.push(printable(text));
    },
  };
  const wanted = { follow: false, site: null, container: null, tail: TAIL, sinceSeconds: null };
  const signal = AbortSignal.timeout(WITHIN_MS);
  await followLog(hub, capp, wanted, { show, signal });
  if (signal.aborted) {
    if (lines.length === 0 && remarks.length === 0) throw tooLate(capp);
    remarks.push(`The hub's reader did not tell all within ${WITHIN_MS / 1_000} seconds.`);
  }
  const sorted = lines.map((line) => ({ line, at: instantOf(line.at) ?? 0n })).toSorted(byInstant);
  return { lines: sorted.slice(-MOST_LINES).map(({ line }) => line), remarks };
}

interface Timed {
  readonly at: bigint;
}

function byInstant(a: Timed, b: Timed): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}

function tooLate({ namespace, name }: Key): CommandFailure {
  return new CommandFailure(
    'failed',
    `The hub's reader told nothing within ${WITHIN_MS / 1_000} seconds. The command waits longer: kubectl capp logs ${name} -n ${namespace}.`,
  );
}
