// What each cause of a ring asks for. Pure.
import type { Cause } from '../../types/ring.ts';

/** The causes that only a fresh read of the hub answers. The site's news come from its agent. */
export function asksForApply(cause: Cause): boolean {
  return cause !== 'site' && !(asksForLook(cause) && cause !== 'resync');
}

/** The causes after which the Capp may have to be elsewhere. */
export function asksForLook(cause: Cause): boolean {
  return (
    cause === 'decision' || cause === 'request' || cause === 'gone' || cause === 'stray' || cause === 'resync'
  );
}
