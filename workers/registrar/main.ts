// The registrar: makes sites clusters of the hub's Argo CD, where their ManagedCluster has a label for it. It
// writes nothing but Secrets in Argo CD's namespace; a second one would write nothing more.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { connect } from '../../kube/client.ts';
import { READER_ACCOUNT } from '../../reach/names.ts';
import { startRegistrar } from '../../registrar/registrar.ts';
import { registry } from '../metrics/meter.ts';
import { measureProcess } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { COMMON, NAME, PATH, readConfig } from '../process/config.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';

const REGISTRAR = {
  ARGOCD_NAMESPACE: NAME.describe('the namespace of Argo CD'),
  ARGOCD_ACCOUNT: NAME.refine(
    (name) => name !== READER_ACCOUNT,
    `must not be ${READER_ACCOUNT}: the reader's account is lent to nobody`,
  ).describe('the ManagedServiceAccount of each site with which Argo CD works there'),
  USER_SERVER_URL: z
    .url({ protocol: /^https$/ })
    .describe("the https address at which Argo CD reaches cluster-proxy's user server"),
  USER_SERVER_CA_FILE: PATH.describe("the path of the authority (PEM) of the user server's certificate"),
} as const;

const DONE = {
  make: 'a site is a cluster of Argo CD now',
  change: 'the Secret of a cluster of Argo CD was renewed',
  remove: 'a site is no cluster of Argo CD any more',
} as const;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig({ ...COMMON, ...REGISTRAR });
  const logger = createLog('registrar', config.LOG_LEVEL);
  log = logger;
  const meter = registry();
  measureProcess(meter, 'registrar');
  const metrics = await serveMetrics(config.METRICS_ADDRESS, meter);
  const kube = connect({ userAgent: 'cappstan-registrar' });
  let ready = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => ready);
  const registrar = startRegistrar(kube, {
    namespace: config.ARGOCD_NAMESPACE,
    account: config.ARGOCD_ACCOUNT,
    userServer: config.USER_SERVER_URL,
    authority: () => authorityIn(config.USER_SERVER_CA_FILE),
    onDone: (act, site) => logger.info({ cluster: site }, DONE[act]),
    onRemark: (site, remark) => logger.warn({ cluster: site }, remark),
    onError: (site, error) => logger.error({ cluster: site, err: error }, 'a write failed, will be retried'),
    onFailed: (error) => logger.error({ err: error }, 'a round failed, will be retried'),
  });
  const asked = stopAsked();
  ready = true;
  logger.info('telling Argo CD of sites');
  await asked;
  ready = false;
  await Promise.all([registrar.stop(), health.close(), metrics.close()]);
  await kube.close();
}

/** Throws a plain Error where the file is no PEM: Argo CD would trust nobody. */
async function authorityIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new Error(`USER_SERVER_CA_FILE (${file}) has no certificate: it must be PEM.`);
}

run(main, () => log);
