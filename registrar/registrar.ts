// The registrar: makes the sites that are labelled for it clusters of the hub's Argo CD, through OCM's
// tunnel, and keeps these Secrets as they should be, round after round.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../kube/client.ts';
import { round, type RoundOptions } from './round.ts';
import { REGISTRAR_TIMES } from './times.ts';

export interface RegistrarOptions extends Omit<RoundOptions, 'noWayMs'> {
  /** A sentence that is new about a site. */
  readonly onRemark: (site: string, remark: string) => void;
  /** A round that failed; the next one tries again. */
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds; those of `REGISTRAR_TIMES` if not given. */
  readonly lookMs?: number;
  readonly noWayMs?: number;
}

export interface Registrar {
  /** Ends after what is being written. */
  stop(): Promise<void>;
}

/** Begins its first round at once. It keeps nothing but since when sites have no way. */
export function startRegistrar(kube: Kube, options: RegistrarOptions): Registrar {
  const ending = new AbortController();
  const rules = { ...options, noWayMs: options.noWayMs ?? REGISTRAR_TIMES.noWay.ms };
  const going = (async () => {
    let noWaySince: ReadonlyMap<string, number> = new Map();
    let told: ReadonlyMap<string, string> = new Map();
    while (!ending.signal.aborted) {
      try {
        const bounds = { until: Date.now() + REGISTRAR_TIMES.round.ms, signal: NEVER };
        const end = await round(kube.within(bounds), rules, noWaySince, Date.now());
        noWaySince = end.noWaySince;
        for (const [site, remark] of end.remarks)
          if (told.get(site) !== remark) options.onRemark(site, remark);
        told = end.remarks;
      } catch (error) {
        options.onFailed(error);
      }
      const { signal } = ending;
      await sleep(options.lookMs ?? REGISTRAR_TIMES.look.ms, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await going;
    },
  };
}

/** A round that has begun is finished: it is short, and bounded. */
const NEVER = new AbortController().signal;
