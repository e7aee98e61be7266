// Every time limit and period of the registrar, in milliseconds. docs/timeouts.md shows this table.

export const REGISTRAR_TIMES = {
  look: { ms: 30_000, bounds: 'between two rounds, so how late Argo CD has a new token' },
  round: { ms: 60_000, bounds: 'one round: what is read, and all that is written' },
  unseen: {
    ms: 120_000,
    bounds: 'between two rounds, after which what the first one saw missing counts from the beginning again',
  },
  noWay: {
    ms: 600_000,
    bounds:
      'how long a site must lack a tunnel or a token before its Secret goes: both may be installed again',
  },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
