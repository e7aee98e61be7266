// Hostnames that were just admitted and that no cache shows yet: of two Capps created at the same moment only
// one gets the name. Whoever reaches the webhook can leave such a note, so it makes others wait for the
// caches and refuses nobody by itself.
import type { Holder } from './known.ts';
import { WEBHOOK_TIMES } from './times.ts';

export interface PendingHostnames {
  /** Times are in milliseconds since the epoch. Names that no object can have are not noted. */
  note(hostname: string, holder: Holder, now: number): void;
  /** Marked as pending. */
  of(hostname: string, now: number): readonly Holder[];
  /** The cache shows the Capp: its pending hostname is dropped. */
  settle(namespace: string, name: string): void;
}

/** So many are kept: the newest. An API server that admits more in five seconds is not one that we know. */
export const MOST_PENDING = 1_000;
const LONGEST_NAME = 253;

export function pendingHostnames(): PendingHostnames {
  // In the order in which they were noted, which is that of their ends.
  const known = new Map<string, { readonly holder: Holder; readonly until: number }>();
  const forget = (now: number): void => {
    for (const [hostname, { until }] of known) {
      if (until > now && known.size < MOST_PENDING) return;
      known.delete(hostname);
    }
  };
  return {
    note: (hostname, holder, now) => {
      const { namespace, name } = holder;
      if ([hostname, namespace, name].some(({ length }) => length > LONGEST_NAME)) return;
      known.delete(hostname);
      forget(now);
      const until = now + WEBHOOK_TIMES.hostname.ms;
      known.set(hostname, { holder: { ...holder, isPending: true }, until });
    },
    of: (hostname, now) => {
      const found = known.get(hostname);
      return found === undefined || found.until <= now ? [] : [found.holder];
    },
    settle: (namespace, name) => {
      for (const [hostname, { holder }] of known)
        if (holder.namespace === namespace && holder.name === name) known.delete(hostname);
    },
  };
}
