// The webhook: answers the API server's questions about Capps, on a hub also about RCSConfigs and
// ManagedClusters, from its caches. Any number of it may run.
import { z } from 'zod';
import { connect, type Kube } from '../../kube/client.ts';
import { SIDES } from './sides.ts';
import { givenClients, type Clients } from './door/clients.ts';
import { startAdmission } from './webhook.ts';
import { chosenCertificate, type Certificate } from '../../tls/shared-certificate.ts';
import { publishAuthorities, WEBHOOK_CERTIFICATE } from '../../tls/webhook-authorities.ts';
import { COMMON, CONFIG_PLACE, configKeyOf, readConfig, RESERVED, reservedOf } from '../process/config.ts';
import { registry } from '../metrics/meter.ts';
import { measureCaches, measureProcess, watchProblems } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';
import { PATHS, SITE_PATHS } from '../../admission/router.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';

const WEBHOOK = {
  WEBHOOK_SIDE: z
    .enum(SIDES)
    .default('hub')
    .describe('hub, or site where people write Capps on a site itself'),
  NAMESPACE: z.string().min(1).describe('the namespace in which Cappstan runs'),
  WEBHOOK_ADDRESS: z
    .string()
    .regex(/^[^\s:]+:\d{1,5}$/)
    .describe('host:port on which the webhook listens'),
  WEBHOOK_HOSTS: z
    .string()
    .regex(/^[^\s,]+(,[^\s,]+)*$/)
    .describe('the names or addresses at which the API server reaches the webhook, separated by commas'),
  TLS_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('path of the serving certificate (PEM); without it the webhook makes its own'),
  TLS_KEY_FILE: z.string().min(1).optional().describe("path of that certificate's key (PEM)"),
  CLIENT_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "path of the authority of the API servers' client certificates (PEM); without it anybody may ask",
    ),
  CLIENT_NAMES: z
    .string()
    .regex(/^[^,]+(,[^,]+)*$/)
    .optional()
    .describe('the common names of those certificates, separated by commas; without it any name will do'),
  CLUSTER_DOMAIN: z
    .string()
    .min(1)
    .default('cluster.local')
    .describe('the domain of Services inside clusters'),
} as const;

type Config = z.infer<z.ZodObject<typeof WEBHOOK>>;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig({ ...COMMON, ...CONFIG_PLACE, ...RESERVED, ...WEBHOOK });
  const logger = createLog('webhook', config.LOG_LEVEL);
  log = logger;
  const meter = registry();
  measureProcess(meter, 'webhook');
  for (const path of config.WEBHOOK_SIDE === 'site' ? SITE_PATHS : Object.values(PATHS))
    for (const result of ['allowed', 'refused', 'failed'])
      meter.open('cappstan_webhook_requests_total', { path, result });
  const metrics = await serveMetrics(config.METRICS_ADDRESS, meter);
  const kube = connect({ userAgent: 'cappstan-webhook' });
  let ready = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => ready);
  const admission = await startAdmission(kube, {
    side: config.WEBHOOK_SIDE,
    address: config.WEBHOOK_ADDRESS,
    certificate: certificateOf(config, kube),
    clients: clientsOf(config),
    place: {
      configKey: configKeyOf(config),
      namespace: config.NAMESPACE,
      clusterDomain: config.CLUSTER_DOMAIN,
      reserved: reservedOf(config),
    },
    onProblem: watchProblems(meter, 'webhook', logger),
    onAnswered: (path, result, seconds) => {
      meter.count('cappstan_webhook_requests_total', { path, result });
      meter.record('cappstan_webhook_duration_seconds', seconds, { path });
    },
    onCaches: (caches) => measureCaches(meter, 'webhook', caches),
    onError: (path, error) => logger.error({ path, err: error }, 'admission request failed'),
  });
  const renewal = setInterval(() => {
    admission
      .renew()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'certificate could not be renewed, the old one stays in use'),
      );
  }, WEBHOOK_TIMES.renewal.ms);
  const asked = stopAsked();
  ready = true;
  logger.info('serving admission requests');
  await asked;
  ready = false;
  clearInterval(renewal);
  await Promise.all([admission.close(), health.close(), metrics.close()]);
  await kube.close();
}

function certificateOf(config: Config, kube: Kube): Certificate {
  return chosenCertificate(config, kube, {
    namespace: config.NAMESPACE,
    secret: WEBHOOK_CERTIFICATE,
    hosts: config.WEBHOOK_HOSTS.split(','),
    publish: (authorities) => publishAuthorities(kube, authorities),
    promoteAfterMs: 0,
    now: Date.now,
  });
}

function clientsOf({
  CLIENT_CA_FILE: ca,
  CLIENT_NAMES: names,
}: Config): (() => Promise<Clients>) | undefined {
  return ca === undefined ? undefined : () => givenClients(ca, names?.split(',') ?? []);
}

run(main, () => log);
