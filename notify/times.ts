// Every time limit and period of the notifier, in milliseconds. docs/timeouts.md shows this table.

export const NOTIFIER_TIMES = {
  gather: { ms: 2_000, bounds: 'between a change and its message: what happens together is told together' },
  settle: {
    ms: 60_000,
    bounds: 'how long a rollout must be held by what often passes, such as an incomplete decision',
  },
  unplaced: {
    ms: 300_000,
    bounds: 'how long a Capp must lack a site, or a deletion wait for a lost one, to be called stuck',
  },
  past: { ms: 86_400_000, bounds: 'what ended longer ago, such as a move, is not told any more' },
  send: { ms: 10_000, bounds: 'one try: name, connection, TLS and the head of the answer' },
  busy: { ms: 600_000, bounds: 'the time in which twenty messages make a Notification busy' },
  busyGather: {
    ms: 300_000,
    bounds: 'the same as `gather` for a busy one: all that happens becomes one message',
  },
  spacing: { ms: 1_000, bounds: 'between two messages of one Notification' },
  retryFirst: { ms: 5_000, bounds: 'the wait before a failed message is tried again, doubled each time' },
  retryLongest: { ms: 600_000, bounds: 'the longest of these waits' },
  retryAsked: { ms: 3_600_000, bounds: 'the longest wait that a receiver may ask for by Retry-After' },
  giveUp: { ms: 86_400_000, bounds: 'how long a message is tried, from when it was put into the queue' },
  unready: { ms: 30_000, bounds: 'between two looks at a Secret that is missing, wrong or not readable' },
  ready: { ms: 600_000, bounds: 'between two looks at a Secret while nothing is sent' },
  behind: { ms: 250, bounds: 'between two looks while the cache does not show our last write' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;

/** Milliseconds by name. */
export type NotifierTimes = Readonly<Record<keyof typeof NOTIFIER_TIMES, number>>;

export function notifierTimes(others: Partial<NotifierTimes> = {}): NotifierTimes {
  const usual = Object.entries(NOTIFIER_TIMES).map(([name, { ms }]) => [name, ms]);
  return { ...(Object.fromEntries(usual) as NotifierTimes), ...others };
}
