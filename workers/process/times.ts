// Every time limit and period that all processes share, in milliseconds. docs/timeouts.md shows this table.

export const PROCESS_TIMES = {
  exit: { ms: 15_000, bounds: 'what may still run after a process has stopped its parts' },
  formerConnection: {
    ms: 90_000,
    bounds: 'calls on a former connection to Temporal, after new certificates',
  },
  token: { ms: 10_000, bounds: "between two looks at the file with an agent's token for the gateway" },
  identity: {
    ms: 1_000,
    bounds:
      'between two looks of an agent whether the hub has shipped its identity, or the site says whose its Capps are',
  },
  claim: { ms: 60_000, bounds: 'between two looks whether this hub still has its Temporal namespace' },
  claimLook: { ms: 20_000, bounds: 'one look whose the Temporal namespace is' },
  sample: { ms: 5_000, bounds: 'between two reads of the gauges whose last value the SDK serves' },
  buildLook: { ms: 5_000, bounds: 'between two looks whether this build should be the current one' },
  buildUnknown: {
    ms: 250,
    bounds: 'the same while Temporal has not heard of this build: its first poll is on the way',
  },
  buildGone: { ms: 90_000, bounds: 'a build that has not polled for so long is gone: a poll lasts a minute' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
