// Notices what has been so of a Capp for too long, where nobody says since when it is so.

export interface Lasting {
  /**
   * Whether this (null: nothing) has been so for the whole time. While that is not known yet, the Capp is
   * looked at again when it is.
   */
  of(key: string, what: string | null): boolean;
  /** The Capp is gone. */
  forget(key: string): void;
}

/** Has the Capp with this key looked at after so many milliseconds. */
export type Wake = (key: string, delayMs: number) => void;

export function lasting(limitMs: number, wake: Wake, now: () => number = Date.now): Lasting {
  const first = new Map<string, { readonly what: string; readonly since: number }>();
  return {
    of: (key, what) => {
      if (what === null) {
        first.delete(key);
        return false;
      }
      const before = first.get(key);
      const since = before?.what === what ? before.since : now();
      first.set(key, { what, since });
      const left = since + limitMs - now();
      if (left > 0) wake(key, left);
      return left <= 0;
    },
    forget: (key) => void first.delete(key),
  };
}
