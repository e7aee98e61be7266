// Every time limit and period of the client for API servers, in milliseconds. docs/timeouts.md shows this
// table.

export const KUBE_TIMES = {
  call: { ms: 10_000, bounds: 'one call, with its retries and waits, unless its caller sets another limit' },
  margin: {
    ms: 500,
    bounds: 'what an activity keeps at least of its time for its answer: all its calls end before',
  },
  connect: { ms: 5_000, bounds: 'the TCP and TLS handshake with an API server' },
  tunnel: { ms: 15_000, bounds: 'until a proxy answers CONNECT' },
  keepAlive: {
    ms: 45_000,
    bounds: 'an idle connection: less than the 90 s after which an API server closes it',
  },
  probe: { ms: 30_000, bounds: 'silence on a connection before TCP probes begin' },
  retryAfter: { ms: 1_000, bounds: 'the wait after a 429 or 5xx that names no time itself' },
  rights: {
    ms: 750,
    bounds:
      'the wait before a call of an activity that was refused for want of rights is sent again, and twice as long before the last try: an API server that has just started knows no rights yet',
  },
  renewal: { ms: 1_000, bounds: 'the least time between two renewals of refused credentials' },
  backoffFirst: { ms: 200, bounds: 'the wait before a failed watch restarts, doubled after each failure' },
  backoffLongest: { ms: 10_000, bounds: 'the longest of these waits' },
  watchRetryAfter: { ms: 60_000, bounds: 'the longest wait that a server may ask of a watch' },
  watchIdle: {
    ms: 90_000,
    bounds: 'silence before a watch restarts: the server sends a bookmark about every 60 s',
  },
  watchShortest: { ms: 1_000, bounds: 'a watch that ends sooner, without an event, has failed' },
  watchSettled: { ms: 10_000, bounds: 'a watch that lasted this long restarts with the first backoff' },
  watchResumed: {
    ms: 60_000,
    bounds:
      'a watch that goes on where it was, after an interruption no longer than this, has missed nothing',
  },
  watchLeast: {
    ms: 240_000,
    bounds: 'the time after which the server ends a watch, with up to watchSpread more',
  },
  watchSpread: { ms: 60_000, bounds: 'a random share of this keeps watches from ending together' },
  queueFirst: {
    ms: 100,
    bounds: 'the wait before failed work on a key is retried, doubled after each failure',
  },
  queueLongest: { ms: 30_000, bounds: 'the longest of these waits, unless the queue sets another' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
