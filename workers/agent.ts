// The agent of one site: answers questions about its Capps, rings when they change, measures the site. It dials out only, and writes nothing on the hub.
import { Worker } from '@temporalio/worker';
import { z } from 'zod';
import { doorbell } from '../activities/agent/doorbell.ts';
import { feed } from '../activities/agent/feed.ts';
import { agentMeasure } from '../activities/agent/measure.ts';
import { agentReports } from '../activities/agent/reports.ts';
import { siteCapps, watchServices } from '../activities/agent/site-capps.ts';
import { told } from '../activities/agent/told.ts';
import { CAPP, type Capp } from '../crds/capp.ts';
import { cache } from '../kube/cache.ts';
import { connect } from '../kube/client.ts';
import { agentQueue } from '../workflows/names.ts';
import type { Agent } from '../workflows/ports.ts';
import { COMMON, readConfig } from './config.ts';
import { serveHealth } from './health.ts';
import { createLog, type Logger } from './log.ts';
import { SCORING, scoringOf } from './scoring.ts';
import { run, stopAsked } from './stop.ts';
import { connectWorker, installRuntime } from './temporal-worker.ts';
import { connectClient, TEMPORAL } from './temporal.ts';

const AGENT = {
  CLUSTER_NAME: z.string().min(1).describe('the name of this managed cluster on the hub'),
} as const;

/** One waiting activity for each Capp in a rollout: they cost a promise each. */
const WAITERS = 5_000;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig({ ...COMMON, ...TEMPORAL, ...AGENT, ...SCORING });
  const scoring = scoringOf(config);
  const logger = createLog('agent', config.LOG_LEVEL);
  log = logger;
  installRuntime(logger);
  const kube = connect({ userAgent: 'cappstan-agent' });
  let served = true;
  const capps = cache<Capp>(kube, {
    resource: CAPP,
    onProblem: (error) => {
      served = false;
      logger.warn({ err: error }, 'watch had to be begun again');
    },
  });
  void capps.synced.then(() => (served = true));
  const client = await connectClient(config);
  const connection = await connectWorker(config);
  const news = told();
  const site = siteCapps({
    capps,
    watchServices: () => watchServices(kube, (error) => logger.warn({ err: error }, 'watch of Knative Services had to be begun again')),
  });
  const sights = feed(site, () => served);
  const measuring = agentMeasure(kube, {
    ...scoring,
    onProblem: (source, error) => logger.warn({ source, err: error }, 'further figures could not be read, and are left out'),
    onWatchProblem: (error) => logger.warn({ err: error }, 'watch had to be begun again'),
  });
  const worker = await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: agentQueue(config.CLUSTER_NAME),
    activities: { ...agentReports(sights, news), measure: measuring.measure } satisfies Agent,
    maxConcurrentActivityTaskExecutions: WAITERS,
    maxHeartbeatThrottleInterval: '5s',
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, maximum: 4, initial: 1 },
    shutdownGraceTime: '1s',
  });
  const health = await serveHealth(config.HEALTH_ADDRESS, () => true);
  const running = worker.run();
  const bell = capps.synced.then(site.settled).then(() => {
    logger.info({ cluster: config.CLUSTER_NAME, capps: capps.list().length }, 'watching the site');
    const onError = (key: string, error: unknown): void => logger.warn({ capp: key, err: error }, 'ring failed, will be tried again');
    return doorbell({ client, cluster: config.CLUSTER_NAME, capps: site, feed: sights, told: news, onError });
  });
  void stopAsked().then(() => worker.shutdown());
  await running;
  await Promise.race([bell.then((one) => one.stop()), Promise.resolve()]);
  await Promise.all([site.stop(), capps.stop(), measuring.stop(), health.close()]);
  await client.connection.close();
  await connection.close();
  await kube.close();
}

run(main, () => log);
