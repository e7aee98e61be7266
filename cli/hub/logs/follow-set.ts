// Follows all Capps of a CappSet, which gets and loses some while a person looks.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../kube/failure.ts';
import { keyText, type Key } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import type { OpenedHub } from '../connection/hub.ts';
import type { NamedObject } from '../objects/named.ts';
import { followLog, type Show } from './follow.ts';
import { memberLook, noneThere } from './members.ts';
import type { StreamWanted } from './stream.ts';

const LOOK_MS = 5_000;

export interface Telling {
  readonly show: Show;
  readonly signal: AbortSignal;
}

/**
 * Ends when the signal aborts. One Capp that cannot be read is a remark, said once, and is asked for again. A
 * right that is missing ends all: throws CommandFailure, and ApiError where the hub refuses everything.
 */
export async function followSet(
  hub: OpenedHub,
  found: NamedObject,
  wanted: StreamWanted,
  { show, signal }: Telling,
): Promise<void> {
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const underWay = new Map<string, Promise<void>>();
  const said = new Set<string>();
  const fail = (error: unknown, capp: Key): void => {
    const text = passing(error, capp);
    if (text === null) return ending.abort(error);
    if (!said.has(text)) show.remark(text);
    said.add(text);
  };
  const look = memberLook(hub, found, wanted.site);
  let members = await look();
  if (members.length === 0 && wanted.site !== null) show.remark(noneThere(found.object, wanted.site));
  while (!both.aborted) {
    for (const capp of members) {
      const key = keyText(capp);
      if (underWay.has(key)) continue;
      const following = followLog(hub, capp, wanted, { show, signal: both })
        .catch((error: unknown) => fail(error, capp))
        .finally(() => underWay.delete(key));
      underWay.set(key, following);
    }
    await sleep(LOOK_MS, undefined, { signal: both }).catch(() => undefined);
    if (!both.aborted) members = await nextMembers(look, members);
  }
  await Promise.all(underWay.values());
  if (ending.signal.aborted) throw ending.signal.reason;
}

/** A hub that does not answer just now has the members that it had. */
async function nextMembers(look: () => Promise<Key[]>, before: Key[]): Promise<Key[]> {
  try {
    return await look();
  } catch (error) {
    if (isPassing(error)) return before;
    throw error;
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 0 || error.code === 429 || error.code >= 500);
}

/** A sentence for what keeps one Capp from being told of, just now; null for what keeps all. */
function passing(error: unknown, { name }: Key): string | null {
  if (error instanceof CommandFailure) return error.exit === 'forbidden' ? null : error.message;
  if (!isPassing(error)) return null;
  return `The log of Capp ${name} cannot be read just now: it is asked for again.`;
}
