// The calls of each site that are open now. They end when the site is no longer admitted.
import { tooMuch } from '../refusal.ts';

export interface OpenCalls {
  /**
   * Runs `work` with a signal that is aborted when the site's calls end or `signal` is aborted. Throws a
   * GatewayRefusal (RESOURCE_EXHAUSTED) if `most` calls of this kind are open.
   */
  during<T>(call: Call, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends every call of this site. */
  end(cluster: string): void;
}

interface Call {
  readonly cluster: string;
  readonly kind: string;
  readonly most: number;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

export function openCalls(): OpenCalls {
  const open = new Map<string, Set<{ readonly kind: string; readonly ending: AbortController }>>();
  return {
    during: async ({ cluster, kind, most, signal }, work) => {
      const calls = open.get(cluster) ?? new Set();
      if ([...calls].filter((one) => one.kind === kind).length >= most)
        throw tooMuch(`This site has ${most} calls of this kind open already. The agent tries again.`);
      const call = { kind, ending: new AbortController() };
      open.set(cluster, calls.add(call));
      try {
        return await work(AbortSignal.any([signal, call.ending.signal]));
      } finally {
        calls.delete(call);
        if (calls.size === 0 && open.get(cluster) === calls) open.delete(cluster);
      }
    },
    end: (cluster) => {
      for (const { ending } of open.get(cluster) ?? []) ending.abort();
    },
  };
}
