// What the program of each container has written since its container began: the log that a kubelet keeps.

export interface WrittenLine {
  /** RFC 3339 with nanoseconds; no two lines of a site have the same. */
  readonly at: string;
  readonly text: string;
}

/** Who follows a container's log. */
export interface LogFollower {
  line(line: WrittenLine): void;
  /** The container has ended, or another run of it has begun. */
  end(): void;
}

export interface PodLogs {
  /** A run of the container begins; what an earlier run has written is forgotten. Nothing if it has begun. */
  begin(container: ContainerAt, run: number, text: string): void;
  /** Nothing for a container that has not begun. */
  write(container: ContainerAt, text: string): void;
  /** The lines so far; null for a container that has not begun. */
  lines(container: ContainerAt): readonly WrittenLine[] | null;
  /** Returns what stops it. */
  follow(container: ContainerAt, follower: LogFollower): () => void;
  /** The Pod is gone, and its logs with it. */
  forget(pod: Omit<ContainerAt, 'container'>): void;
}

export interface ContainerAt {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Of a container; the oldest go first, as a kubelet rotates files. */
const MOST_LINES = 5_000;

interface Log {
  readonly run: number;
  readonly lines: WrittenLine[];
  readonly followers: Set<LogFollower>;
}

/** `now` is in milliseconds since the epoch. */
export function newPodLogs(now: () => number = Date.now): PodLogs {
  const logs = new Map<string, Log>();
  let last = 0n;
  const add = ({ lines, followers }: Log, text: string): void => {
    const instant = BigInt(now()) * 1_000_000n;
    last = instant > last ? instant : last + 1n;
    const line = { at: timeOf(last), text };
    lines.push(line);
    if (lines.length > MOST_LINES) lines.shift();
    for (const follower of followers) follower.line(line);
  };
  const end = (key: string): void => {
    const log = logs.get(key);
    logs.delete(key);
    for (const follower of log?.followers ?? []) follower.end();
  };
  return {
    begin: (container, run, text) => {
      const key = keyOf(container);
      if (logs.get(key)?.run === run) return;
      end(key);
      const log = { run, lines: [], followers: new Set<LogFollower>() };
      logs.set(key, log);
      add(log, text);
    },
    write: (container, text) => {
      const log = logs.get(keyOf(container));
      if (log !== undefined) add(log, text);
    },
    lines: (container) => logs.get(keyOf(container))?.lines ?? null,
    follow: (container, follower) => {
      const { followers } = logs.get(keyOf(container)) ?? {};
      followers?.add(follower);
      return () => void followers?.delete(follower);
    },
    forget: ({ namespace, pod }) => {
      for (const key of logs.keys()) if (key.startsWith(`${namespace}/${pod}/`)) end(key);
    },
  };
}

function keyOf({ namespace, pod, container }: ContainerAt): string {
  return `${namespace}/${pod}/${container}`;
}

function timeOf(instant: bigint): string {
  const whole = new Date(Number(instant / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(instant % 1_000_000_000n).padStart(9, '0')}Z`;
}
