// What one caller may take of the reader, and all of them together.

/** Streams at the same time: of one user, of the Capps of one namespace, and of all. */
export const MOST_STREAMS = { ofOne: 10, ofNamespace: 40, ofAll: 200 } as const;
/** Bytes of one answer; who follows may ask again. */
export const MOST_BYTES = 64 * 1024 * 1024;
/**
 * Bytes of one container's log in one answer that is not followed; and of what nobody is told, since it has
 * no time or no end of a line, before a log that is followed is left.
 */
export const MOST_BYTES_OF_ONE = 8 * 1024 * 1024;
/** Pods of a Capp on a site that are looked at: a Capp has fewer, or something is wrong. */
export const MOST_PODS = 200;
/** Containers of a Pod that are looked at. */
export const MOST_CONTAINERS = 20;
/** Bytes of what a site answers to one look. */
export const MOST_BYTES_OF_LOOK = 4 * 1024 * 1024;
/** Values and fields in it: a page of the largest Pods has a third of them. */
export const MOST_VALUES_OF_LOOK = 250_000;
/** Bytes of what all sites together have answered and is not read yet; beyond it, who sent the most goes. */
export const MOST_BYTES_OF_LOOKS = 32 * 1024 * 1024;
/** Looks at one site at the same time; others wait their turn. */
export const MOST_LOOKS = 4;
/**
 * Logs: of one site in one stream; of one site in all streams, and of all sites, beside those few of each
 * site that no other site takes.
 */
export const MOST_LOGS = { ofStream: 100, reserved: 10, ofSite: 390, ofAll: 1_000 } as const;
/** Sentences about one site in one stream. */
export const MOST_REMARKS = 20;

export interface StreamHolder {
  readonly user: string;
  readonly namespace: string;
}

export interface Streams {
  /** Null when there are too many; otherwise call it once when the stream has ended. */
  begin(holder: StreamHolder): (() => void) | null;
}

export function streams({
  ofOne,
  ofNamespace,
  ofAll,
}: { ofOne: number; ofNamespace: number; ofAll: number } = MOST_STREAMS): Streams {
  const [users, namespaces] = [counts(ofOne), counts(ofNamespace)];
  const all = counts(ofAll);
  return {
    begin: ({ user, namespace }) => {
      const taken: (() => void)[] = [];
      for (const take of [() => users.take(user), () => namespaces.take(namespace), () => all.take('')]) {
        const giveBack = take();
        if (giveBack !== null) taken.push(giveBack);
        else {
          for (const one of taken) one();
          return null;
        }
      }
      return () => {
        for (const one of taken) one();
      };
    },
  };
}

export interface StreamCounts {
  /** Null where there are as many as may be; otherwise gives it back, once. */
  take(name: string): (() => void) | null;
}

/** Counts what is held under a name. */
export function counts(most: number): StreamCounts {
  const held = new Map<string, number>();
  return {
    take: (name) => {
      const own = held.get(name) ?? 0;
      if (own >= most) return null;
      held.set(name, own + 1);
      return () => {
        const left = (held.get(name) ?? 1) - 1;
        if (left === 0) held.delete(name);
        else held.set(name, left);
      };
    },
  };
}

/** The first that is held counts in `reserved`; what does not fit there counts in both others. */
export function within(reserved: StreamCounts, own: StreamCounts, all: StreamCounts): StreamCounts {
  const shared = both(own, all);
  return { take: (name) => reserved.take(name) ?? shared.take(name) };
}

/** What is held counts in both. */
function both(own: StreamCounts, all: StreamCounts): StreamCounts {
  return {
    take: (name) => {
      const giveBack = own.take(name);
      const giveBackToAll = giveBack === null ? null : all.take(name);
      if (giveBackToAll === null) {
        giveBack?.();
        return null;
      }
      return () => {
        giveBack?.();
        giveBackToAll();
      };
    },
  };
}
