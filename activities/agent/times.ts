// Every time limit and period of the agent, in milliseconds. docs/timeouts.md shows this table.

export const AGENT_TIMES = {
  unobserved: {
    ms: 15_000,
    bounds: 'how long a Capp may go unobserved before the verdict says NoSiteOperator',
  },
  settle: { ms: 5_000, bounds: 'how long a reason that decides nothing must last before it is reported' },
  read: { ms: 3_000, bounds: 'one read of a Capp: a third of what its activity may take' },
  ring: { ms: 5_000, bounds: 'the least time between two rings for one Capp' },
  inventory: {
    ms: 600_000,
    bounds: 'between two inventories, give or take a fifth, so that sites do not send together',
  },
  claims: { ms: 60_000, bounds: 'between two looks whether the claims of the site are right' },
  customScores: { ms: 2_000, bounds: 'one read of a ConfigMap or URL with custom scores' },
  firstList: {
    ms: 5_000,
    bounds: 'the wait for the first list of nodes and pods: less than the activity may take',
  },
  readyz: { ms: 2_000, bounds: 'one check whether the API server of the site is ready' },
  verifyRequest: {
    ms: 5_000,
    bounds: 'one request of a check to an app or to Prometheus, until the body is read',
  },
  verifyLag: {
    ms: 500,
    bounds: 'between two looks whether the cache has what is to be checked, ten at most',
  },
  verifyWait: {
    ms: 10_000,
    bounds: 'how long the measurements of one check wait for their turn in all, beyond their interval',
  },
  heartbeat: {
    ms: 15_000,
    bounds: 'the heartbeat timeout where the activity sets none; a heartbeat is sent three times within it',
  },
  heartbeatThrottle: { ms: 5_000, bounds: 'the longest time for which the SDK holds a heartbeat back' },
  shutdown: { ms: 1_000, bounds: 'activities under way when the agent stops' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
