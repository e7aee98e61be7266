// The site operator's process: turns the Capps of one site into what runs there.
import { connect } from '../kube/client.ts';
import { siteOperator } from '../site/operator.ts';
import { COMMON, readConfig, RESERVED, reservedOf } from './config.ts';
import { serveHealth } from './health.ts';
import { createLog, type Logger } from './log.ts';
import { run, stopAsked } from './stop.ts';

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig({ ...COMMON, ...RESERVED });
  const logger = createLog('site', config.LOG_LEVEL);
  log = logger;
  const kube = connect({ userAgent: 'cappstan-site' });
  let isSynced = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => isSynced);
  const operator = siteOperator(kube, {
    reserved: reservedOf(config),
    onProblem: (kind, error) => logger.warn({ kind, err: error }, 'a watch begins again'),
    onError: (key, error, failures) => logger.warn({ key, failures, err: error }, 'will be looked at again'),
  });
  const listed = operator.synced.then(() => {
    isSynced = true;
    logger.info('all is listed');
  });
  const asked = stopAsked();
  await Promise.race([asked, listed]);
  const signal = await asked;
  logger.info({ signal }, 'stopping');
  await operator.stop();
  await health.close();
  await kube.close();
}

run(main, () => log);
