// Who may come in: the secret of the printed address, which counts once, and what a browser gets for it.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits: nobody guesses it. */
const BYTES = 32;

/** So many tabs may be open; beyond that the one that has been silent for longest has to come in again. */
const MOST_TABS = 64;

export interface Secrets {
  /** Stands behind the `#` of the printed address, so that no request line and no log has it. */
  readonly once: string;
  /** Uses the secret up. What the browser is to keep, or null for a wrong secret and for a second use. */
  enter(secret: string): Entered | null;
  /** A key for one tab, or null for a wrong cookie or key of the page. */
  openTab(cookie: string | null, pageKey: string | null): string | null;
  /** Whether these are the cookie and the key of a tab. */
  isTab(cookie: string | null, tabKey: string | null): boolean;
}

export interface Entered {
  readonly cookie: string;
  /** The page keeps it in the storage of its origin, which other ports cannot read; a cookie they get. */
  readonly pageKey: string;
}

export function newSecrets(): Secrets {
  const once = random();
  const kept = { cookie: random(), pageKey: random() };
  const tabs = new Set<string>();
  let isUsed = false;
  return {
    once,
    enter(secret) {
      if (isUsed || !isSame(secret, once)) return null;
      isUsed = true;
      return kept;
    },
    openTab(cookie, pageKey) {
      if (!isUsed || !isSame(cookie, kept.cookie) || !isSame(pageKey, kept.pageKey)) return null;
      const key = random();
      tabs.add(key);
      const [oldest] = tabs;
      if (tabs.size > MOST_TABS && oldest !== undefined) tabs.delete(oldest);
      return key;
    },
    isTab(cookie, tabKey) {
      if (!isUsed || !isSame(cookie, kept.cookie) || tabKey === null || !tabs.has(tabKey)) return false;
      // The youngest stands last.
      tabs.delete(tabKey);
      tabs.add(tabKey);
      return true;
    },
  };
}

function random(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** In a time that does not depend on where they differ. */
function isSame(given: string | null, kept: string): boolean {
  const [a, b] = [given ?? '', kept].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
