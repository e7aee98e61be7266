// Every time limit and period of the hub worker outside workflows, in milliseconds. Those of activities are
// in workflows/engine/proxies.ts. docs/timeouts.md shows this table.

export const HUB_TIMES = {
  cacheLag: {
    ms: 500,
    bounds: 'how long a choice waits for its caches: less than the second of its local activity',
  },
  pendingChoice: {
    ms: 60_000,
    bounds: 'after this a choice that never became a work no longer counts as a Capp of its site',
  },
  unhealthyTogether: {
    ms: 600_000,
    bounds:
      'how much earlier another Capp may have turned unhealthy and counts as having done so with this one',
  },
  workAgent: {
    ms: 30_000,
    bounds:
      'how long after its creation a work waits for the first status of the work agent before it may be deleted: OCM 1.2.1 applies and cleans up side by side, and would leave a copy behind',
  },
  agentToken: {
    ms: 86_400_000,
    bounds: "how long a token of a site's agent is good for the gateway; a new one is made at half of it",
  },
  setHeld: { ms: 5_000, bounds: 'how long a site must stay unselected before a set or a Bundle leaves it' },
  setCounted: {
    ms: 600_000,
    bounds: 'removals of a set or a Bundle within this count together: more than a tenth wait for a person',
  },
  setCounts: {
    ms: 10_000,
    bounds:
      'after a set has written a Capp, how long a Ready from before does not count: its workflow may not have shipped it yet',
  },
  verdictSpare: {
    ms: 300_000,
    bounds:
      'how much longer than its checks may take a set or a Bundle waits for a verdict: it is none after that',
  },
  verifyOrdered: {
    ms: 10_000,
    bounds: 'after a Bundle has had its sites checked, when it looks whether all have been told',
  },
  setWrites: {
    ms: 10_000,
    bounds: 'after this a look at a set or a Bundle begins no further write: the next one does',
  },
  unwrittenFirst: {
    ms: 5_000,
    bounds:
      'the wait before what the hub could not write of a set or a Bundle is tried again, then as long as it has failed',
  },
  unwrittenLongest: { ms: 300_000, bounds: 'the longest of these waits' },
  bundleContested: {
    ms: 60_000,
    bounds:
      'the wait before a Bundle looks again whether another one still carries an object that both want otherwise',
  },
  removalChanged: {
    ms: 1_000,
    bounds: 'the wait before a set or a Bundle looks again at a copy that was to go and has become Ready',
  },
  removalRefused: {
    ms: 60_000,
    bounds: 'the wait before a removal that the hub has refused is tried again, of a set or a Bundle',
  },
  hostRefused: {
    ms: 60_000,
    bounds: 'the wait before a write of a host that the hub has refused is tried again, for a SIPCluster',
  },
  hostsUnread: {
    ms: 300_000,
    bounds:
      'the wait before a SIPCluster reads other free hosts, where no service could lead to as many as one look reads',
  },
  services: {
    ms: 60_000,
    bounds:
      'the wait before a SIPCluster looks again at services that do not serve yet, could not be made, or may still lead to hosts that are to be given back',
  },
  servicesNotAllowed: {
    ms: 600_000,
    bounds:
      'the wait before a SIPCluster looks again whether services may be made in its namespace: the answer comes with other hub workers',
  },
  chain: {
    ms: 30_000,
    bounds:
      'between two looks at a SIPCluster whose hosts are provisioned, join or are wiped: hosts and sites ring, too',
  },
  joinNotTakenBack: {
    ms: 600_000,
    bounds:
      'how long a ClusterJoin that is deleted waits for the right to delete its ManagedCluster, as while a chart is upgraded',
  },
  chainGoesOn: {
    ms: 1_000,
    bounds: 'the wait before a look at a SIPCluster that has written much goes on',
  },
  drillPage: {
    ms: 10_000,
    bounds: 'after this a page of a drill ends with the Capps that it has: less than its activity may take',
  },
  breath: {
    ms: 20,
    bounds:
      'how long a look at a set of many sites, or the plan of a drain, goes on before other work of its process has its turn',
  },
  setEnding: { ms: 30_000, bounds: 'between two looks at a set that is being deleted: its Capps ring, too' },
  bundleEnding: {
    ms: 600_000,
    bounds: 'between two looks at a Bundle that is being deleted: its works ring, too',
  },
  answer: { ms: 4_000, bounds: 'one call that tells a Capp its turn' },
  backlog: {
    ms: 5_000,
    bounds:
      'between two looks at the queue of the hub workers while a drain gives turns: Temporal renews the figure as often',
  },
  clockSkew: { ms: 60_000, bounds: 'a time in a status that is further ahead than this orders nothing' },
  eventPause: { ms: 50, bounds: 'between two events: status and works go first' },
  appliedLag: { ms: 600, bounds: 'how long a status waits for the work agent to say what it applied' },
  appliedPoll: { ms: 200, bounds: 'between two looks at the work during that wait' },
  clocksApart: {
    ms: 300_000,
    bounds:
      'how far clocks may be apart: a copy of a set or a Bundle that was written later than this from now is written again',
  },
  bundleSettles: {
    ms: 60_000,
    bounds:
      'how long a site may refuse a manifest of a Bundle before that counts as failed: its kind or its namespace may come',
  },
  bundleRefused: {
    ms: 600_000,
    bounds: 'the wait before a work of a Bundle that the hub has refused is written again',
  },
  removalPending: {
    ms: 5_000,
    bounds: 'the wait before a work of a Bundle that is too young is deleted again',
  },
  blocked: { ms: 30_000, bounds: 'after this a workflow that blocks its thread makes the worker exit' },
  lastEvents: { ms: 2_000, bounds: 'events that are still to be written when the worker stops' },
  shutdown: { ms: 10_000, bounds: 'activities under way when the worker stops' },
} as const satisfies Readonly<Record<string, { readonly ms: number; readonly bounds: string }>>;
