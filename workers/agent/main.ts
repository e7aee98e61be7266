// The agent of one site: answers questions about its Capps, rings when they change, measures the site. It
// dials out only, and writes nothing on the hub.
import { Worker } from '@temporalio/worker';
import { z } from 'zod';
import { publishClaimsForever } from '../../activities/agent/claims/publish-claims.ts';
import { doorbell } from '../../activities/agent/ring/doorbell.ts';
import { feed } from '../../activities/agent/report/feed.ts';
import { agentMeasure, watchNodes, type Scoring } from '../../activities/agent/score/measure.ts';
import { agentInspect } from '../../activities/agent/inspect/inspect.ts';
import { agentReports } from '../../activities/agent/report/reports.ts';
import { restartsOn } from '../../activities/agent/report/restarts.ts';
import { watchServices } from '../../activities/agent/report/services.ts';
import { siteCapps, type WatchedSite } from '../../activities/agent/report/site-capps.ts';
import { told } from '../../activities/agent/ring/told.ts';
import { agentVerify } from '../../activities/agent/verify/verify.ts';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { KNATIVE_SERVICE } from '../../crds/kubernetes/knative.ts';
import { cache } from '../../kube/watch/cache.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { agentQueue } from '../../workflows/names.ts';
import type { Agent } from '../../workflows/ports/agent.ts';
import { refuseForeign } from '../process/claim.ts';
import { COMMON, readConfig } from '../process/config.ts';
import { measureCaches, measureProcess, watchProblems } from '../metrics/process.ts';
import { histogramBuckets, temporalMeter } from '../metrics/temporal-meter.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { IDENTITY, identified, mayGetIn } from './identity.ts';
import { ownCapps } from './own-capps.ts';
import { PROXY, throughProxy } from './proxy.ts';
import { INGRESS, ingressIn } from './ingress.ts';
import { METRICS, metricsKeyIn } from './metrics.ts';
import { SCORING, scoringOf } from './scoring.ts';
import { run, stopAsked } from '../process/stop.ts';
import { connectWorker, installRuntime } from '../process/temporal-worker.ts';
import { connectClient, TEMPORAL, type TemporalConfig } from '../process/temporal.ts';
import { AGENT_TIMES } from '../../activities/agent/times.ts';

const SITE = {
  CLUSTER_NAME: z.string().min(1).describe('the name of this managed cluster on the hub'),
  SITE_OPERATOR: z
    .enum(['on', 'off'])
    .default('off')
    .describe('whether our site operator runs the Capps here'),
  SITE_OPERATOR_VERSION: z.string().default('').describe('its version, which the agent claims'),
  HUB_ID: z.string().default('').describe("the hub's id, as its objects on the site bear it"),
  CAPPS_EXECUTOR: z
    .string()
    .default('')
    .describe('the account of the hub for works of Capps, which the agent claims once it has its rights'),
} as const;

const AGENT = {
  ...COMMON,
  ...TEMPORAL,
  ...IDENTITY,
  ...PROXY,
  ...SCORING,
  ...INGRESS,
  ...METRICS,
  ...SITE,
} as const;

/** One waiting activity for each Capp in a rollout; each costs a promise. */
const WAITERS = 5_000;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig(AGENT);
  const scoring = scoringOf(config);
  const logger = createLog('agent', config.LOG_LEVEL);
  log = logger;
  installRuntime(logger, config.METRICS_ADDRESS, histogramBuckets());
  const meter = temporalMeter();
  const onProblem = watchProblems(meter, 'agent', logger);
  const kube = connect({ userAgent: 'cappstan-agent' });
  const capps = cache<Capp>(kube, { resource: CAPP, onProblem: (error) => onProblem(CAPP.kind, error) });
  measureProcess(meter, 'agent');
  measureCaches(meter, 'agent', { capps });
  const health = await serveHealth(config.HEALTH_ADDRESS, () => mayGetIn(config));
  const stopping = stopAsked();
  const isOurs = await ownCapps(kube, config.HUB_ID, { log: logger, stopping });
  if (isOurs !== null) {
    const watching = () => watchServices(kube, (error) => onProblem(KNATIVE_SERVICE.kind, error));
    const site = siteCapps({ kube, capps, isOurs, watchServices: watching });
    await answerOnceFilled({ config, scoring, kube, site, logger, stopping });
    await site.stop();
  }
  meter.stop();
  await Promise.all([capps.stop(), health.close()]);
  await kube.close();
}

/** Answers once the caches are filled, until it is to stop. */
async function answerOnceFilled(answering: Answering): Promise<void> {
  const { config, site, logger, stopping } = answering;
  const isStopped = await Promise.race([site.settled().then(() => false), stopping.then(() => true)]);
  if (isStopped) return;
  logger.info({ cluster: config.CLUSTER_NAME, capps: site.list().length }, 'watching the site');
  await answer(answering);
}

interface Answering {
  readonly config: TemporalConfig &
    z.infer<z.ZodObject<typeof SITE>> &
    z.infer<z.ZodObject<typeof IDENTITY>> &
    z.infer<z.ZodObject<typeof PROXY>> &
    z.infer<z.ZodObject<typeof INGRESS>> &
    z.infer<z.ZodObject<typeof METRICS>>;
  readonly scoring: Scoring;
  readonly kube: Kube;
  /** Its caches are filled: an agent that polls gets questions. */
  readonly site: WatchedSite;
  readonly logger: Logger;
  readonly stopping: Promise<unknown>;
}

async function answer({ config: given, scoring, kube, site, logger, stopping }: Answering): Promise<void> {
  const known = await identified(given, { log: logger, stopping });
  if (known === null) return;
  const { config, close: closeWay } = await throughProxy(known, logger);
  const cluster = config.CLUSTER_NAME;
  const client = await connectClient(config, { log: logger });
  const place = { hub: config.HUB_ID, address: config.TEMPORAL_ADDRESS };
  // Through a gateway it reaches its own hub's namespace alone, and may not ask.
  if (config.GATEWAY_IDENTITY === undefined) await refuseForeign(client, place, logger);
  const link = await connectWorker(config, { log: logger });
  const news = told();
  const sights = feed(site);
  const nodes = watchNodes(kube, (error) => logger.warn({ err: error }, 'watch restarted'));
  let areListed = false;
  void nodes.synced.then(() => (areListed = true));
  const measuring = agentMeasure(kube, {
    ...scoring,
    nodes,
    onProblem: (source, error) =>
      logger.warn({ source, err: error }, 'custom scores could not be read and are left out'),
    onWatchProblem: (error) => logger.warn({ err: error }, 'watch restarted'),
  });
  const worker = await Worker.create({
    connection: link.connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: agentQueue(cluster),
    activities: {
      ...agentReports(site, sights, news, restartsOn(kube)),
      ...agentVerify({ kube, site, ingress: ingressIn(config), prometheusKey: metricsKeyIn(config) }),
      ...agentInspect(kube),
      measure: measuring.measure,
    } satisfies Agent,
    maxConcurrentActivityTaskExecutions: WAITERS,
    maxHeartbeatThrottleInterval: AGENT_TIMES.heartbeatThrottle.ms,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, maximum: 4, initial: 1 },
    shutdownGraceTime: AGENT_TIMES.shutdown.ms,
  });
  link.follow(worker);
  const onError = (key: string, error: unknown): void =>
    logger.warn({ capp: key, err: error }, 'ring failed, will be retried');
  const bell = doorbell({ client, cluster, capps: site, feed: sights, told: news, onError });
  const own = {
    nodes: () => (areListed ? nodes.list() : undefined),
    siteOperator: siteOperatorOf(config),
    hub: config.HUB_ID,
    cappsExecutor: config.CAPPS_EXECUTOR === '' ? null : config.CAPPS_EXECUTOR,
  };
  const claiming = publishClaimsForever(kube, own, {
    onWritten: (claims) => logger.info({ claims }, 'claims of the site published'),
    onProblem: (error) => logger.warn({ err: error }, 'claims could not be published, will be retried'),
  });
  void stopping.then(() => worker.shutdown());
  await worker.run();
  await Promise.all([bell.stop(), measuring.stop(), claiming.stop(), nodes.stop()]);
  await client.connection.close();
  await link.close();
  closeWay();
}

function siteOperatorOf({
  SITE_OPERATOR,
  SITE_OPERATOR_VERSION,
}: Pick<Answering['config'], 'SITE_OPERATOR' | 'SITE_OPERATOR_VERSION'>): string | null {
  return SITE_OPERATOR === 'on' && SITE_OPERATOR_VERSION !== '' ? SITE_OPERATOR_VERSION : null;
}

run(main, () => log);
