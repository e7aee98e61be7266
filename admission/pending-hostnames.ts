// Hostnames that were just admitted and that no cache shows yet: of two Capps created at the same moment only
// one gets the name.
import type { Holder } from './known.ts';
import { WEBHOOK_TIMES } from './times.ts';

export interface PendingHostnames {
  /** Times are in milliseconds since the epoch. */
  note(hostname: string, holder: Holder, now: number): void;
  of(hostname: string, now: number): readonly Holder[];
  /** The cache shows the Capp: its pending hostname is dropped. */
  settle(namespace: string, name: string): void;
}

export function pendingHostnames(): PendingHostnames {
  const known = new Map<string, { readonly holder: Holder; readonly until: number }>();
  const forget = (now: number): void => {
    for (const [hostname, { until }] of known) if (until <= now) known.delete(hostname);
  };
  return {
    note: (hostname, holder, now) => {
      forget(now);
      known.set(hostname, { holder, until: now + WEBHOOK_TIMES.hostname.ms });
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
