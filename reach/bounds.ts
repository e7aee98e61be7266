// What one caller may take of the reader, and all of them together.

/** Streams at the same time. */
export const MOST_STREAMS = { ofOne: 10, ofAll: 200 } as const;
/** Bytes of one answer; who follows may ask again. */
export const MOST_BYTES = 64 * 1024 * 1024;
/** Bytes of one container's log in one answer that is not followed. */
export const MOST_BYTES_OF_ONE = 8 * 1024 * 1024;
/** Pods of a Capp on a site that are looked at: a Capp has fewer, or something is wrong. */
export const MOST_PODS = 200;

export interface Streams {
  /** Null when there are too many; otherwise call it once when the stream has ended. */
  begin(user: string): (() => void) | null;
}

export function streams({ ofOne, ofAll }: { ofOne: number; ofAll: number } = MOST_STREAMS): Streams {
  const open = new Map<string, number>();
  let all = 0;
  return {
    begin: (user) => {
      const own = open.get(user) ?? 0;
      if (own >= ofOne || all >= ofAll) return null;
      open.set(user, own + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (open.get(user) ?? 1) - 1;
        if (left === 0) open.delete(user);
        else open.set(user, left);
      };
    },
  };
}
