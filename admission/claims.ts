// Hostnames that were just allowed and that no cache shows yet: of two Capps made at the same moment only one gets the name.
import type { Holder } from './known.ts';
import { WEBHOOK_TIMES } from './times.ts';

export interface Claims {
  /** Times are in milliseconds since the epoch. */
  note(hostname: string, holder: Holder, now: number): void;
  of(hostname: string, now: number): readonly Holder[];
  /** The Capp has been seen: from now on it speaks for itself. */
  settle(namespace: string, name: string): void;
}

export function claims(): Claims {
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
      for (const [hostname, { holder }] of known) if (holder.namespace === namespace && holder.name === name) known.delete(hostname);
    },
  };
}
