// Every time limit and period of the reader, in milliseconds. docs/timeouts.md shows this table.

export const READER_TIMES = {
  look: { ms: 2_000, bounds: 'between two looks where a followed Capp is, and at its Pods' },
  rights: { ms: 10_000, bounds: 'between two reviews whether who follows still may' },
  review: { ms: 5_000, bounds: 'one review; after three in a row that cannot be made, a stream ends' },
  skew: {
    ms: 60_000,
    bounds:
      'how far the clock of a site may be behind that of the reader, for a log that broke off before its first line',
  },
  heartbeat: { ms: 15_000, bounds: 'between two empty lines that keep a silent stream open' },
  stream: { ms: 3_600_000, bounds: 'one stream of a caller, who may ask again from where it ended' },
  silence: { ms: 300_000, bounds: 'silence of a container before its log is asked for again' },
  site: { ms: 8_000, bounds: 'one look at a site through the tunnel' },
  whole: { ms: 300_000, bounds: 'the logs of one site in an answer that is not followed' },
  token: { ms: 60_000, bounds: "how long a site's token is remembered, unless the site refuses it" },
  authorities: {
    ms: 60_000,
    bounds:
      "between two looks at the authorities of front proxies, and whether the reader's certificate must be renewed",
  },
  request: { ms: 10_000, bounds: 'a TLS handshake, and the headers of a request' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
