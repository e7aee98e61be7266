// Every time limit and period of certificates, in milliseconds. docs/timeouts.md shows this table.

export const TLS_TIMES = {
  lifetime: {
    ms: 90 * 86_400_000,
    bounds:
      'a certificate that the webhook or the gateway issues; its successor is issued when a third of this is left',
  },
  backdate: {
    ms: 3_600_000,
    bounds: 'how far before its issue a certificate becomes valid, for clocks that are slow',
  },
  promote: {
    ms: 7 * 86_400_000,
    bounds: 'how long sites get to trust the next certificate of the gateway before it is served',
  },
  look: { ms: 30_000, bounds: 'between two looks at the certificate files for Temporal' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
