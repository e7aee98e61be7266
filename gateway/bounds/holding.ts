// Refusals that go back late. Who asks again as soon as he is answered, as floods do, then asks once in some
// seconds for each call that he may have open, and not as often as this process can say no.
import { status } from '@grpc/grpc-js';
import type { GatewayRefusal } from '../refusal.ts';
import { GATEWAY_TIMES } from '../times.ts';

export interface Holding {
  /**
   * Resolves when the refusal may go back: at once if it is none of a flood, or when the caller has gone.
   * Resolves to false if too many are held already: then the connection is to be ended instead.
   */
  hold(refusal: GatewayRefusal, gone: AbortSignal): Promise<boolean>;
}

/** Held at one time, each of which costs some memory. */
const MOST = 8_192;

/** Milliseconds for which a refusal with this code is held. */
const HELD: Readonly<Partial<Record<status, number>>> = {
  [status.RESOURCE_EXHAUSTED]: GATEWAY_TIMES.held.ms,
  [status.UNAUTHENTICATED]: GATEWAY_TIMES.unknown.ms,
};

export function holding(most = MOST): Holding {
  let held = 0;
  return {
    hold: async ({ code }, gone) => {
      const ms = HELD[code];
      if (ms === undefined || gone.aborted) return true;
      if (held >= most) return false;
      held += 1;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        gone.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      });
      held -= 1;
      return true;
    },
  };
}
