// The notifier: tells people by webhooks what they must know of the hub. It writes nothing but the status of
// Notifications, and reads no Secret that its namespace has not let it read.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { connect } from '../../kube/client.ts';
import { startNotifier, type Notifier } from '../../notify/notifier.ts';
import type { Result } from '../../notify/turn.ts';
import { registry, type Registry } from '../metrics/meter.ts';
import { measureCaches, measureProcess, measureQueue, watchProblems } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { COMMON, CONFIG_PLACE, configKeyOf, NAME, PATH, readConfig } from '../process/config.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';

const NOTIFIER = {
  NAMESPACE: NAME.describe('the namespace in which Cappstan runs: a Notification there is of the whole hub'),
  NOTIFY_OF_BUNDLES: z
    .enum(['true', 'false'])
    .default('true')
    .describe('true, or false where the notifier may not read Bundles'),
  NOTIFICATION_SOURCE: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][-A-Za-z0-9._:/]*$/)
    .default('cappstan')
    .describe('what tells this hub from others in a message: letters, digits and -._:/'),
  AUTHORITIES_FILE: PATH.optional().describe(
    'the path of further authorities (PEM) of receivers; without it those that everybody trusts',
  ),
} as const;

const RESULTS: readonly Result[] = ['delivered', 'failed', 'given up'];

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig({ ...COMMON, ...CONFIG_PLACE, ...NOTIFIER });
  const logger = createLog('notifier', config.LOG_LEVEL);
  log = logger;
  const meter = registry();
  measureProcess(meter, 'notifier');
  for (const result of RESULTS) meter.open('cappstan_notifications_total', { result });
  const metrics = await serveMetrics(config.METRICS_ADDRESS, meter);
  const kube = connect({ userAgent: 'cappstan-notifier' });
  let ready = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => ready);
  const { AUTHORITIES_FILE: file } = config;
  const notifier = await startNotifier(kube, {
    place: { namespace: config.NAMESPACE, configKey: configKeyOf(config) },
    source: config.NOTIFICATION_SOURCE,
    withBundles: config.NOTIFY_OF_BUNDLES === 'true',
    ...(file === undefined ? {} : { authorities: () => readFile(file, 'utf8') }),
    onProblem: watchProblems(meter, 'notifier', logger),
    onError: (notification, error) =>
      logger.warn({ notification, err: error }, 'a turn failed, will be retried'),
    onEnded: (result, { notification, reason }) => {
      meter.count('cappstan_notifications_total', { result });
      if (result === 'delivered') logger.debug({ notification }, 'a message was delivered');
      else logger.warn({ notification, reason }, `a message was not delivered: ${result}`);
    },
  });
  measure(meter, notifier);
  const asked = stopAsked();
  ready = true;
  logger.info('telling people what they must know');
  await asked;
  ready = false;
  await Promise.all([notifier.stop(), health.close(), metrics.close()]);
  await kube.close();
}

function measure(meter: Registry, { caches, queue, waiting }: Notifier): void {
  measureCaches(meter, 'notifier', caches);
  measureQueue(meter, 'notifications', queue);
  meter.gauge('cappstan_notifications_waiting', () => [{ labels: {}, value: waiting() }]);
}

run(main, () => log);
