// What was just admitted and what no cache shows yet: of two Capps created at the same moment only one gets a
// hostname, and of two Drains only one takes the last site that is open. Whoever reaches the webhook can
// leave such a note, so it makes others wait for the caches and refuses nobody by itself.
import type { Holder } from './known.ts';
import { WEBHOOK_TIMES } from './times.ts';

/** The notes of one webhook process. */
export interface PendingNotes {
  /** Who was allowed to have which hostname. */
  readonly hostnames: Notes;
  /** Which sites were allowed to be drained; the Drain has the site's name. */
  readonly drains: Notes;
}

export interface Notes {
  /** Times are in milliseconds since the epoch. Names that no object can have are not noted. */
  note(what: string, holder: Holder, now: number): void;
  /** Marked as pending. */
  of(what: string, now: number): readonly Holder[];
  /** The cache shows the object: what is noted of it is dropped. */
  settle(namespace: string, name: string): void;
}

/** So many are kept: the newest. An API server that admits more in five seconds is not one that we know. */
export const MOST_PENDING = 1_000;
const LONGEST_NAME = 253;

export function nothingPending(): PendingNotes {
  return { hostnames: notes(), drains: notes() };
}

export function notes(): Notes {
  // In the order in which they were noted, which is that of their ends.
  const known = new Map<string, { readonly holder: Holder; readonly until: number }>();
  const forget = (now: number): void => {
    for (const [what, { until }] of known) {
      if (until > now && known.size < MOST_PENDING) return;
      known.delete(what);
    }
  };
  return {
    note: (what, holder, now) => {
      const { namespace, name } = holder;
      if ([what, namespace, name].some(({ length }) => length > LONGEST_NAME)) return;
      known.delete(what);
      forget(now);
      const until = now + WEBHOOK_TIMES.pending.ms;
      known.set(what, { holder: { ...holder, isPending: true }, until });
    },
    of: (what, now) => {
      const found = known.get(what);
      return found === undefined || found.until <= now ? [] : [found.holder];
    },
    settle: (namespace, name) => {
      for (const [what, { holder }] of known)
        if (holder.namespace === namespace && holder.name === name) known.delete(what);
    },
  };
}
