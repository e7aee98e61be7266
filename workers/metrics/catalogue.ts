// Every metric of ours. docs/monitor.md shows this table. Names are `cappstan_<what>_<unit>`, or those of
// controller-runtime for what every operator has, and counters end in `_total`. None has a label for each
// Capp or site: `labels` says how many values a label may have.

const KINDS = 36;
/** Of a closed list: those of a later version are `other`. */
const REASONS = 60;
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const SHORT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** By label: the most values that it may have. Further values count as `other`. */
  readonly labels: Readonly<Record<string, number>>;
  /** The processes that serve it. */
  readonly on: readonly string[];
  /** Upper bounds, for histograms. */
  readonly buckets?: readonly number[];
}

const ALL = ['hub', 'bridge', 'webhook', 'gateway', 'notifier', 'agent', 'site'];

export const METRICS = {
  cappstan_build_info: {
    type: 'gauge',
    help: 'Always 1: which process runs which version',
    labels: { process: 7, version: 3 },
    on: ALL,
  },
  cappstan_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the process',
    labels: { process: 7 },
    on: ALL,
  },
  cappstan_watch_restarts_total: {
    type: 'counter',
    help: 'Watches of an API server that were interrupted and restarted',
    labels: { process: 7, kind: KINDS },
    on: ALL,
  },
  cappstan_cache_age_seconds: {
    type: 'gauge',
    help: 'Seconds since the API server last showed a cache that it is up to date; about 60 when nothing changes',
    labels: { process: 7, cache: KINDS },
    on: ['hub', 'bridge', 'webhook', 'gateway', 'notifier', 'agent'],
  },
  cappstan_queue_keys: {
    type: 'gauge',
    help: 'Keys that wait in a queue, are worked on or back off',
    labels: { queue: 8 },
    on: ['hub', 'bridge', 'notifier'],
  },
  cappstan_queue_oldest_seconds: {
    type: 'gauge',
    help: 'Seconds that the oldest key of a queue has been there, its failures included',
    labels: { queue: 8 },
    on: ['hub', 'bridge', 'notifier'],
  },
  cappstan_rollouts_total: {
    type: 'counter',
    help: 'Generations of Capps about which a site has given its verdict',
    labels: { result: 4 },
    on: ['hub'],
  },
  cappstan_rollout_duration_seconds: {
    type: 'histogram',
    help: 'Seconds from sending a generation to the verdict of its site',
    labels: { result: 4 },
    on: ['hub'],
    buckets: SECONDS,
  },
  cappstan_moves_total: {
    type: 'counter',
    help: 'Moves that have ended',
    labels: { reason: 10, result: 5 },
    on: ['hub'],
  },
  cappstan_move_duration_seconds: {
    type: 'histogram',
    help: 'Seconds from the first step of a move to its end',
    labels: { reason: 10, result: 5 },
    on: ['hub'],
    buckets: SECONDS,
  },
  cappstan_move_wait_seconds: {
    type: 'histogram',
    help: 'Seconds from the reason to leave to the first step',
    labels: { reason: 10 },
    on: ['hub'],
    buckets: SECONDS,
  },
  cappstan_messages_unreadable_total: {
    type: 'counter',
    help: 'Signals, Updates and answers that could not be read',
    labels: { workflow: 10 },
    on: ['hub'],
  },
  cappstan_workflows_failing_total: {
    type: 'counter',
    help: 'Workflows of Capps whose task was found to fail again and again',
    labels: {},
    on: ['hub'],
  },
  cappstan_scores: {
    type: 'gauge',
    help: 'Scores of sites on the hub: valid ones, and those that have expired because nobody renews them',
    labels: { state: 2 },
    on: ['hub'],
  },
  cappstan_score_expired_seconds: {
    type: 'gauge',
    help: 'Seconds for which the oldest score has been expired; 0 if none is',
    labels: {},
    on: ['hub'],
  },
  cappstan_capps: {
    type: 'gauge',
    help: 'Capps by the status of their condition Ready',
    labels: { ready: 4 },
    on: ['bridge'],
  },
  cappstan_sets: {
    type: 'gauge',
    help: 'CappSets by the reason of their condition Ready, or of Stalled if they are Ready, and whether they are stalled',
    labels: { reason: REASONS, stalled: 2 },
    on: ['bridge'],
  },
  cappstan_set_sites: {
    type: 'gauge',
    help: 'Sites of CappSets: Ready, failed, offline, or on their way',
    labels: { state: 4 },
    on: ['bridge'],
  },
  cappstan_bundles: {
    type: 'gauge',
    help: 'Bundles by the reason of their condition Ready, or of Stalled if they are Ready, and whether they are stalled',
    labels: { reason: REASONS, stalled: 2 },
    on: ['bridge'],
  },
  cappstan_bundle_sites: {
    type: 'gauge',
    help: 'Sites of Bundles: Ready, failed, or on their way',
    labels: { state: 4 },
    on: ['bridge'],
  },
  cappstan_agents: {
    type: 'gauge',
    help: 'Agents of the sites that serve Capps: those that poll Temporal, and silent ones',
    labels: { state: 2 },
    on: ['bridge'],
  },
  cappstan_agent_silence_seconds: {
    type: 'gauge',
    help: 'Seconds since the agent that has been away longest polled Temporal',
    labels: {},
    on: ['bridge'],
  },
  cappstan_ring_failures_total: {
    type: 'counter',
    help: 'Rings that Temporal did not take and that are tried again',
    labels: {},
    on: ['bridge'],
  },
  cappstan_webhook_requests_total: {
    type: 'counter',
    help: 'Admission requests by path: allowed, refused, or failed without an answer about the object',
    labels: { path: 10, result: 3 },
    on: ['webhook'],
  },
  cappstan_webhook_duration_seconds: {
    type: 'histogram',
    help: 'Seconds from an admission request to its answer',
    labels: { path: 10 },
    on: ['webhook'],
    buckets: SHORT_BUCKETS,
  },
  cappstan_gateway_calls_total: {
    type: 'counter',
    help: 'Calls of agents at the gateway: answered, refused, or failed since Temporal or the API server did not answer',
    labels: { result: 3 },
    on: ['gateway'],
  },
  cappstan_gateway_duration_seconds: {
    type: 'histogram',
    help: 'Seconds from a call of an agent to its answer, but for polls',
    labels: {},
    on: ['gateway'],
    buckets: SHORT_BUCKETS,
  },
  cappstan_notifications_total: {
    type: 'counter',
    help: 'Tries to send a message: delivered, failed, or failed for good',
    labels: { result: 3 },
    on: ['notifier'],
  },
  cappstan_notifications_waiting: {
    type: 'gauge',
    help: 'Messages that wait for their receivers',
    labels: {},
    on: ['notifier'],
  },
  cappstan_site_capps: {
    type: 'gauge',
    help: 'Capps of the site by condition and its status',
    labels: { condition: 12, status: 3 },
    on: ['site'],
  },
  cappstan_site_stands_back: {
    type: 'gauge',
    help: 'Whether the site operator changes nothing, because container-app-operator runs there: 1 or 0',
    labels: {},
    on: ['site'],
  },
  controller_runtime_reconcile_total: {
    type: 'counter',
    help: 'Reconciles of Capps, under the name that controller-runtime gives them',
    labels: { controller: 1, result: 2 },
    on: ['site'],
  },
  controller_runtime_reconcile_errors_total: {
    type: 'counter',
    help: 'Reconciles of Capps that failed, likewise',
    labels: { controller: 1 },
    on: ['site'],
  },
  controller_runtime_reconcile_time_seconds: {
    type: 'histogram',
    help: 'Seconds that a reconcile of a Capp takes, likewise',
    labels: { controller: 1 },
    on: ['site'],
    buckets: SHORT_BUCKETS,
  },
  workqueue_depth: {
    type: 'gauge',
    help: 'Capps that wait for a reconcile, are reconciled or back off, likewise',
    labels: { name: 1 },
    on: ['site'],
  },
  cappstan_reconcile_failures_total: {
    type: 'counter',
    help: 'Capps that the site operator could not bring up to date and tries again',
    labels: {},
    on: ['site'],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
