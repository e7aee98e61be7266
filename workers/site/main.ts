// The site operator's process: turns the Capps of one site into what runs there.
import { z } from 'zod';
import { connect } from '../../kube/client.ts';
import { siteOperator } from '../../site/operator.ts';
import { COMMON, readConfig, RESERVED, reservedOf } from '../process/config.ts';
import { registry } from '../metrics/meter.ts';
import { measureProcess, watchProblems } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { measureReconciles, measureSite } from './measures.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';

let log: Logger | null = null;

const SITE = {
  ...COMMON,
  ...RESERVED,
  SITE_NAMESPACE: z
    .string()
    .default('open-cluster-management-agent-addon')
    .describe('the Namespace of this process, for its record of open Namespaces'),
  SITE_OPERATOR: z
    .enum(['on', 'off'])
    .default('on')
    .describe('on, or off where container-app-operator runs the Capps of this site'),
} as const;

type SiteConfig = z.infer<z.ZodObject<typeof SITE>>;

async function main(): Promise<void> {
  const config = readConfig(SITE);
  const logger = createLog('site', config.LOG_LEVEL);
  log = logger;
  await (config.SITE_OPERATOR === 'on' ? operate(config, logger) : standBy(config, logger));
}

const STANDS_BACK =
  'stands back: container-app-operator runs the Capps of this site. Stop it, and this operator takes over';

/**
 * Two operators would overwrite each other's Services for ever. The process stays, so that one variable turns
 * it on.
 */
async function standBy(config: SiteConfig, logger: Logger): Promise<void> {
  const health = await serveHealth(config.HEALTH_ADDRESS, () => true);
  const asked = stopAsked();
  logger.info('idle: SITE_OPERATOR is off, so container-app-operator runs the Capps of this site');
  const signal = await asked;
  logger.info({ signal }, 'stopping');
  await health.close();
}

async function operate(config: SiteConfig, logger: Logger): Promise<void> {
  const meter = registry();
  measureProcess(meter, 'site');
  meter.open('cappstan_reconcile_failures_total');
  const metrics = await serveMetrics(config.METRICS_ADDRESS, meter);
  const kube = connect({ userAgent: 'cappstan-site' });
  const reconciles = measureReconciles(meter);
  let isSynced = false;
  let standsBack = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => isSynced);
  const operator = siteOperator(kube, {
    reserved: reservedOf(config),
    place: config.SITE_NAMESPACE,
    onProblem: watchProblems(meter, 'site', logger),
    onConfigProblems: (problems) =>
      logger.warn({ problems }, 'parts of the configuration have no effect, or are superseded; correct them'),
    onReconciled: (result, seconds) => reconciles.done(result, seconds),
    onPredecessor: (runs) => {
      standsBack = runs;
      if (runs) logger.warn(STANDS_BACK);
      else logger.info('runs the Capps of this site');
    },
    onError: (key, error, failures) => {
      meter.count('cappstan_reconcile_failures_total');
      logger.warn({ key, failures, err: error }, 'reconcile failed, will be retried');
    },
  });
  measureSite(meter, operator, () => standsBack);
  const listed = operator.synced.then(() => {
    isSynced = true;
    logger.info('caches are synced');
  });
  const asked = stopAsked();
  await Promise.race([asked, listed]);
  const signal = await asked;
  logger.info({ signal }, 'stopping');
  await operator.stop();
  await Promise.all([health.close(), metrics.close()]);
  await kube.close();
}

run(main, () => log);
