// The benchmarks in the order of `make bench`, and the Go operator's figures from the same kind of stack on
// another day.

export interface Entry {
  readonly title: string;
  /**
   * Figures of rcs-ocm-deployer with both its webhooks on, 2 cores shared by all processes, 2026-11-21. A
   * dash if it has no such feature.
   */
  readonly go: string;
}

export const CATALOG = {
  floor: { title: 'what the parts alone take here', go: '–' },
  rollout: {
    title: 'Capp created → ManifestWork, one at a time, no dependencies',
    go: 'p50 37.6 ms, p90 74 ms, p99 557 ms',
  },
  secrets: { title: 'the same, three Secrets referenced', go: 'p50 51.7 ms, p90 75 ms' },
  'late-decision': { title: 'PlacementDecision filled late → ManifestWork', go: 'p50 13.0 s, max 16.5 s' },
  burst: {
    title: 'many Capps at once → all ManifestWorks, agents paused',
    go: '1000 in 151.5 s, 6.6 a second',
  },
  deletion: { title: 'Capp deleted → gone, agents running', go: 'p50 4.0 s, p90 8.0 s' },
  deletions: { title: 'many Capps deleted at once → all gone, agents running', go: '–' },
  history: { title: 'Temporal events in the history of a Capp', go: '–' },
  idle: { title: 'what idle Capps cost', go: '–' },
  'lost-site': { title: 'a site is lost: decision changed → ManifestWork on another', go: 'never' },
  moves: { title: 'Capps leave a tainted site', go: '–' },
  'moves-at-once': {
    title: 'the same through open lanes, agents paused until all works are written',
    go: '–',
  },
  memory: { title: 'resident memory with many Capps', go: '97 MiB (1100 Capps)' },
  footprint: {
    title: 'memory of `cappstan hub` at rest without a site: proportional (anonymous to resident)',
    go: '–',
  },
  workers: { title: 'one, two and four hub workers under the same loads', go: '–' },
  growth: { title: 'what grows with the number of Capps', go: '–' },
  storms: { title: 'a new Capp while thousands settle', go: '–' },
  fleets: { title: 'OCM’s ManifestWorkReplicaSet, a Bundle and a CappSet on 100 sites in stages', go: '–' },
  gateway: { title: 'a verdict from asking to seeing, straight to Temporal → through the gateway', go: '–' },
  counts: { title: 'what each story costs, counted', go: '–' },
  worst: { title: 'the worst that one request may bring, in processor time', go: '–' },
  page: { title: 'the dashboard with 1,000 sites and 10,000 Capps, in a real browser', go: '–' },
  peer: { title: 'the Go operator and Cappstan in one run', go: '–' },
} as const satisfies Readonly<Record<string, Entry>>;

export type MeasureName = keyof typeof CATALOG;

export function isMeasure(name: string): name is MeasureName {
  return Object.hasOwn(CATALOG, name);
}

/**
 * The benchmarks whose speed depends on Temporal's store. ENGINE=postgres runs these if MEASURE is not set.
 */
export const STORE_BOUND: readonly MeasureName[] = ['rollout', 'secrets', 'burst', 'workers'];

/** The benchmark that runs only if PEER names the program to compare with. */
export const BESIDE_PEER: MeasureName = 'peer';

/**
 * The benchmarks that run only if they are named: `counts` needs a stack with an audit log, and `fleets`
 * starts a controller of OCM anew.
 */
export const BY_NAME: readonly MeasureName[] = ['counts', 'fleets'];
