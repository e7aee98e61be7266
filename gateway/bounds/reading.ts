// Whose calls are read, and how many bytes of them. A call that is not read yet waits at its site, by the
// flow control of HTTP/2, and costs next to nothing here: a refusal would still read what follows it.
import { GATEWAY_TIMES } from '../times.ts';

/** What one site may have read: bytes a second for long, and bytes at once after a rest. */
export interface Bytes {
  readonly perSecond: number;
  readonly atOnce: number;
}

/**
 * 5,000 Capps that change at one time are told in some 30 MB, and the inventory of 8,000 in 2 MB. Calls that
 * come together on one connection count up to twice (`bodies`), so both fit in at once all the same.
 */
export const BYTES: Bytes = { perSecond: 4_194_304, atOnce: 67_108_864 };
/**
 * Calls of one site that are read at one time: what its agent's two connections carry, so that it waits for
 * none.
 */
const TOGETHER = 256;

export interface Reading {
  /**
   * Resolves to true when the call may be read; then `end` must follow. Resolves to false when the caller
   * has gone, or has waited for so long that its connection is to be ended.
   */
  begin(cluster: string, gone: AbortSignal): Promise<boolean>;
  /** The call has been read, or is read no further. */
  end(cluster: string, bytes: number): void;
}

interface Site {
  left: number;
  at: number;
  underWay: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
  timer: NodeJS.Timeout | null;
}

export function reading({ perSecond, atOnce } = BYTES, together = TOGETHER, now = Date.now): Reading {
  const sites = new Map<string, Site>();
  const siteOf = (cluster: string): Site => {
    const at = now();
    const site = sites.get(cluster) ?? newSite(atOnce, at);
    sites.set(cluster, site);
    site.left = Math.min(atOnce, site.left + ((at - site.at) * perSecond) / 1_000);
    site.at = at;
    return site;
  };
  const release = (cluster: string): void => {
    const site = siteOf(cluster);
    for (const go of site.waiting) {
      if (site.underWay >= together || site.left <= 0) break;
      site.waiting.delete(go);
      site.underWay += 1;
      go();
    }
    if (site.waiting.size === 0 || site.left > 0 || site.timer !== null) return;
    site.timer = setTimeout(
      () => {
        site.timer = null;
        release(cluster);
      },
      Math.ceil((-site.left * 1_000) / perSecond) + 1,
    ).unref();
  };
  return {
    begin: (cluster, gone) =>
      new Promise((resolve) => {
        const { waiting } = siteOf(cluster);
        const leave = (): void => {
          clearTimeout(timer);
          gone.removeEventListener('abort', drop);
        };
        const go = (): void => {
          leave();
          resolve(true);
        };
        const drop = (): void => {
          leave();
          waiting.delete(go);
          resolve(false);
        };
        const timer = setTimeout(drop, GATEWAY_TIMES.held.ms);
        gone.addEventListener('abort', drop);
        waiting.add(go);
        release(cluster);
      }),
    end: (cluster, bytes) => {
      const site = siteOf(cluster);
      site.underWay -= 1;
      site.left -= bytes;
      release(cluster);
    },
  };
}

function newSite(left: number, at: number): Site {
  return { left, at, underWay: 0, waiting: new Set(), timer: null };
}
