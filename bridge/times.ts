// Every time limit and period of the bridge, in milliseconds. docs/timeouts.md shows this table.

export const BRIDGE_TIMES = {
  resync: {
    ms: 60_000,
    bounds: 'between two comparisons of Capps with the number of workflows, of sites and of Schedules',
  },
  workflows: {
    ms: 600_000,
    bounds: 'between two lists of all workflows of Capps, while there are as many as Capps',
  },
  works: { ms: 600_000, bounds: 'between two comparisons of works with Capps' },
  silence: { ms: 30_000, bounds: 'between two looks for silent agents' },
  published: {
    ms: 30_000,
    bounds: 'between two looks at what is published of Temporal; half of it bounds one look',
  },
  publishedAmiss: {
    ms: 3_000,
    bounds: 'the same while Temporal does not answer, or no hub worker polls, on a hub that has just begun',
  },
  begun: {
    ms: 300_000,
    bounds: 'how long after the start of the bridge the hub counts as one that has just begun',
  },
  polled: {
    ms: 150_000,
    bounds: 'a hub worker that has begun no poll for so long does not poll: a poll lasts a minute',
  },
  newCapp: {
    ms: 60_000,
    bounds: 'a Capp younger than this may have a workflow that visibility does not show yet',
  },
  identity: {
    ms: 600_000,
    bounds: "between two looks whether the identity of a site's agent must be renewed",
  },
  identityForm: {
    ms: 2_000,
    bounds:
      'the wait before an identity in a former form is looked at again, at first; twice as long each time, up to `identity`',
  },
  goneCapp: {
    ms: 600_000,
    bounds: 'how long a workflow without its Capp is left alone after a ring: its site may be unreachable',
  },
  goneDrain: {
    ms: 600_000,
    bounds: 'how long a drain without a Drain is left alone after a ring: Capps may have begun it',
  },
  fleetCopies: {
    ms: 1_000,
    bounds:
      'the wait before a change of a copy or a cluster is rung for a set or a Bundle: many of them are one look',
  },
  hosts: {
    ms: 300,
    bounds: 'the wait before a change of a host is rung for SIPClusters: many of them are one look',
  },
  workStatus: {
    ms: 5_000,
    bounds: 'the wait before the status of a work is rung: it may be half-way to Ready',
  },
  workPause: {
    ms: 50,
    bounds: 'between two such rings: of many Capps at once most are Ready meanwhile, and need none',
  },
  yieldFirst: { ms: 1_000, bounds: 'after a ring that yields, in each of eight lines, at first: 8 a second' },
  yieldBlind: { ms: 320, bounds: 'the same where Temporal does not say how many tasks wait: 25 a second' },
  yieldShortest: { ms: 40, bounds: 'the same while the hub workers keep up: 200 a second' },
  yieldLongest: { ms: 4_000, bounds: 'the same while they do not: 2 a second' },
  yieldLate: {
    ms: 300,
    bounds:
      'a workflow task that has waited longer for a hub worker halves the rate: a new Capp would wait, too',
  },
  yieldLook: {
    ms: 5_000,
    bounds:
      'between two looks at the queue of the hub workers while rings yield: Temporal renews the figure as often',
  },
  yieldForget: {
    ms: 60_000,
    bounds: 'after so long without such a ring the rate begins again at 8 a second',
  },
  workOfMove: {
    ms: 2_000,
    bounds:
      'the same while a Capp moves: its new copy may be Ready and waits for what its site takes of the work',
  },
  decision: {
    ms: 120,
    bounds:
      'the wait before a decision is rung for a placed Capp: OCM changes taint and decisions some 50 ms apart',
  },
  scheduleCatchUp: {
    ms: 10_000,
    bounds: 'how late a Schedule may still start a run after an outage: only the newest score counts',
  },
  scheduleRun: {
    ms: 300_000,
    bounds: 'one run of a Schedule, so that one that hangs does not block the next',
  },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
