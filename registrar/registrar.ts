// The registrar: makes the sites that are labelled for it clusters of the hub's Argo CD, through OCM's
// tunnel, and keeps these Secrets as they should be, round after round.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../kube/client.ts';
import { round, type RoundEnd, type RoundOptions } from './round.ts';
import { REGISTRAR_TIMES } from './times.ts';

export interface RegistrarOptions extends Omit<RoundOptions, 'noWayMs'> {
  /** A sentence that is new about a site. */
  readonly onRemark: (site: string, remark: string) => void;
  /** A round that failed; the next one tries again. */
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds; those of `REGISTRAR_TIMES` if not given. */
  readonly lookMs?: number;
  readonly noWayMs?: number;
  /** Milliseconds of a clock that nobody sets; that of this process if not given. */
  readonly now?: () => number;
}

export interface Registrar {
  /** Ends after what is being written. */
  stop(): Promise<void>;
}

/** Begins its first round at once. It keeps nothing but since when sites have no way. */
export function startRegistrar(kube: Kube, options: RegistrarOptions): Registrar {
  const ending = new AbortController();
  const rules = { ...options, noWayMs: options.noWayMs ?? REGISTRAR_TIMES.noWay.ms };
  const clock = options.now ?? ((): number => performance.now());
  const going = (async () => {
    let last = UNSEEN;
    let told: RoundEnd['remarks'] = new Map();
    while (!ending.signal.aborted) {
      const now = clock();
      // What nobody has seen for long does not count: the tunnel may have been there meanwhile.
      const before = now - last.at > REGISTRAR_TIMES.unseen.ms ? UNSEEN : last;
      try {
        const bounds = { until: Date.now() + REGISTRAR_TIMES.round.ms, signal: NEVER };
        last = { at: now, ...(await round(kube.within(bounds), rules, before.noWaySince, now)) };
        for (const [site, remark] of last.remarks)
          if (told.get(site) !== remark) options.onRemark(site, remark);
        told = last.remarks;
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

/** Before the first round, and after a time in which none succeeded. */
const UNSEEN: RoundEnd & { readonly at: number } = { at: 0, remarks: new Map(), noWaySince: new Map() };
