// Every time limit and period of the webhook, in milliseconds. docs/timeouts.md shows this table.

export const WEBHOOK_TIMES = {
  keepAlive: {
    ms: 120_000,
    bounds:
      'an idle connection: more than the 90 s for which an API server keeps it, so that none is closed under a request',
  },
  request: {
    ms: 5_000,
    bounds:
      'a handshake, the headers, and the whole of a request: the API server waits no longer (`timeoutSeconds` in the chart)',
  },
  connectionCheck: { ms: 1_000, bounds: 'between two looks for connections that are past these limits' },
  retryAfter: { ms: 1_000, bounds: 'when a request that found no memory may come again' },
  cacheLag: { ms: 1_000, bounds: 'how long a refusal waits for what the caches may not show yet' },
  cachePoll: { ms: 50, bounds: 'between two looks at the caches during that wait' },
  variants: {
    ms: 150,
    bounds:
      'after this no further variant of a CappSet is looked at: a set of any size holds the thread for a moment only',
  },
  revision: { ms: 2_000, bounds: 'the read of the CappRevision that a rollback names' },
  plan: { ms: 4_000, bounds: 'reading what the plan of a CappSet needs: less than the API server waits' },
  pending: {
    ms: 5_000,
    bounds:
      'how long a hostname of a Capp, or a Drain, counts that was let in and that no cache shows: longer than a watch event takes',
  },
  renewal: { ms: 60_000, bounds: 'between two looks whether the certificate must be renewed' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
