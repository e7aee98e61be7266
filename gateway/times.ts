// Every time limit and period of the gateway, in milliseconds. docs/timeouts.md shows this table.

export const GATEWAY_TIMES = {
  review: { ms: 60_000, bounds: "how long the API server's word on a token counts" },
  call: { ms: 10_000, bounds: 'one call to Temporal, but for polls' },
  poll: { ms: 70_000, bounds: "one poll: longer than Temporal's own long poll" },
  keys: { ms: 30_000, bounds: 'between two looks at the keys that seal task tokens' },
  keysRead: {
    ms: 1_000,
    bounds: 'the least time between two reads of the keys for tokens whose key is not known',
  },
  keyLife: {
    ms: 86_400_000,
    bounds: 'the age at which a new key seals; the former one still opens as long again',
  },
  certificate: { ms: 60_000, bounds: "between two looks whether the gateway's certificate must be renewed" },
  handshake: { ms: 10_000, bounds: 'a TLS handshake with whoever connects' },
  stranger: { ms: 20_000, bounds: 'how long a connection stays open on which no site has been known' },
  held: {
    ms: 4_000,
    bounds: 'how long a refusal of who asks too often is held back before it is sent',
  },
  unknown: {
    ms: 1_000,
    bounds: 'how long a refusal of who is not known is held back before it is sent',
  },
  telling: { ms: 60_000, bounds: 'between two lines of the log about the same refusal' },
  work: { ms: 5_000, bounds: 'how long it is remembered that a site has a work of a Capp' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
