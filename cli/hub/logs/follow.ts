// Follows a Capp for as long as the person looks: the reader follows it through its moves, and when a stream
// ends, this one goes on where it was, so that no line is missing and none is there twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, isNotFound } from '../../../kube/failure.ts';
import type { Key } from '../../../kube/resource.ts';
import type { Line } from '../../../reach/lines.ts';
import type { OpenedHub } from '../connection/hub.ts';
import { reachFailure } from './failures.ts';
import { newMemory, type ToldLines } from './memory.ts';
import { tellingOf, type StreamWanted, type Told } from './stream.ts';

export interface Show {
  line(line: Line): void;
  /** What the hub says of the lines: a sentence. */
  remark(text: string): void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Ends when there is no such Capp any more, or the signal aborts; without `follow` when all is told. Throws
 * CommandFailure and ApiError where nothing could be told at all.
 */
export async function followLog(
  hub: OpenedHub,
  capp: Key,
  wanted: StreamWanted,
  { show, signal }: { readonly show: Show; readonly signal: AbortSignal },
): Promise<void> {
  const memory = newMemory();
  let wait = FIRST_WAIT_MS;
  let hasTold = false;
  for (;;) {
    try {
      const since = memory.since();
      memory.again();
      for await (const told of tellingOf(hub, capp, wanted, { since, signal })) {
        [hasTold, wait] = [true, FIRST_WAIT_MS];
        tell(told, memory, show);
      }
      hasTold = true;
      if (!wanted.follow) return;
    } catch (error) {
      if (signal.aborted) return;
      if (hasTold && wanted.follow && isNotFound(error)) return show.remark(`Capp ${capp.name} is gone.`);
      if (!hasTold || !wanted.follow || isLasting(error)) throw reachFailure(error, capp, hub) ?? error;
    }
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

function tell(told: Told, memory: ToldLines, show: Show): void {
  if (told.is === 'remark') show.remark(told.text);
  else if (told.is === 'line' && memory.isNew(told.line)) show.line(told.line);
}

/** Whether asking again would end in the same way. */
function isLasting(error: unknown): boolean {
  return !(error instanceof ApiError) || [400, 401, 403].includes(error.code);
}
