// The gateway: the only way from sites to Temporal. It keeps nothing that is needed elsewhere; any number of
// it may run.
import { z } from 'zod';
import { GATEWAY_CERTIFICATE } from '../../crds/hub/agent-identity.ts';
import { admittedClusters } from '../../gateway/admitted.ts';
import type { EndedCall } from '../../gateway/answering.ts';
import { openDoor } from '../../gateway/door.ts';
import { identify } from '../../gateway/identify.ts';
import { openCalls } from '../../gateway/bounds/open-calls.ts';
import { isForbidden } from '../../gateway/refusal.ts';
import { seldom } from '../../gateway/seldom.ts';
import { sharedKeys } from '../../gateway/shared-keys.ts';
import { GATEWAY_TIMES } from '../../gateway/times.ts';
import { worksOfSites } from '../../gateway/works.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { chosenCertificate, type Certificate } from '../../tls/shared-certificate.ts';
import { TLS_TIMES } from '../../tls/times.ts';
import { registry, type Registry } from '../metrics/meter.ts';
import { measureCaches, measureProcess, watchProblems } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { claimOf, endedOrLost, holdNamespace, HUB_IDENTITY } from '../process/claim.ts';
import { ADDRESS, COMMON, readConfig } from '../process/config.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';
import { connectClient, TEMPORAL } from '../process/temporal.ts';

const GATEWAY = {
  NAMESPACE: z.string().min(1).describe('the namespace in which Cappstan runs'),
  GATEWAY_ADDRESS: ADDRESS.describe('host:port on which the gateway listens'),
  GATEWAY_HOSTS: z
    .string()
    .regex(/^[^\s,]+(,[^\s,]+)*$/)
    .describe('the names or addresses at which agents reach the gateway, separated by commas'),
  TLS_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('path of the serving certificate (PEM); without it the gateway makes its own'),
  TLS_KEY_FILE: z.string().min(1).optional().describe("path of that certificate's key (PEM)"),
} as const;

type Config = z.infer<z.ZodObject<typeof GATEWAY>>;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig({ ...COMMON, ...TEMPORAL, ...HUB_IDENTITY, ...GATEWAY });
  const logger = createLog('gateway', config.LOG_LEVEL);
  log = logger;
  const meter = registry();
  measureProcess(meter, 'gateway');
  const metrics = await serveMetrics(config.METRICS_ADDRESS, meter);
  const kube = connect({ userAgent: 'cappstan-gateway' });
  let ready = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => ready);
  const open = openCalls();
  const clusters = admittedClusters(kube, open, watchProblems(meter, 'gateway', logger));
  measureCaches(meter, 'gateway', { clusters });
  const client = await connectClient(config, { log: logger });
  const claim = await holdNamespace(client, claimOf(config), {
    log: logger,
    everyMs: config.CLAIM_SECONDS * 1000,
  });
  const certificate = certificateOf(config, kube);
  // This waits for an API server that does not answer; the Secrets are read once, and nobody waits for them.
  await clusters.synced;
  const keys = await sharedKeys(kube, { namespace: config.NAMESPACE });
  const door = await openDoor({
    context: {
      temporal: client.connection,
      namespace: config.TEMPORAL_NAMESPACE,
      keys,
      hasWork: worksOfSites(kube),
      onProblem: (what, { cluster }) => logger.warn({ cluster }, what),
    },
    identify: identify({ kube, clusters }),
    open,
    address: config.GATEWAY_ADDRESS,
    certificate: await certificate.read(),
    onEnded: endings(meter, logger),
  });
  const renewals = [
    again(GATEWAY_TIMES.certificate.ms, async () => door.serve(await certificate.read()), logger),
    again(GATEWAY_TIMES.keys.ms, keys.refresh, logger),
  ];
  const asked = stopAsked();
  ready = true;
  logger.info('letting agents in');
  await endedOrLost(asked, claim);
  ready = false;
  for (const renewal of renewals) clearInterval(renewal);
  await Promise.all([door.close(), health.close(), metrics.close(), clusters.stop()]);
  await client.connection.close();
  await kube.close();
}

/**
 * Counts every call. Each refusal is logged once a minute for a site and a call: who floods us fills no disk.
 */
function endings(meter: Registry, logger: Logger): (call: EndedCall) => void {
  const tell = seldom(GATEWAY_TIMES.telling.ms);
  return ({ method, cluster, refusal, cause, seconds }) => {
    const isRefused = refusal !== null && isForbidden(refusal);
    const result = isRefused ? 'refused' : refusal === null ? 'answered' : 'failed';
    meter.count('cappstan_gateway_calls_total', { result });
    if (refusal === null && method !== 'PollActivityTaskQueue')
      meter.record('cappstan_gateway_duration_seconds', seconds, {});
    if (refusal === null || !tell(`${result}/${cluster}/${method}/${refusal.code}`)) return;
    if (isRefused) logger.warn({ method, cluster, said: refusal.message }, 'a call was refused');
    else if (cause !== null)
      logger[isAnswer(cause) ? 'debug' : 'error']({ method, cluster, err: cause }, 'a call failed');
  };
}

/** A gRPC error of Temporal; anything else is a fault of the gateway. */
function isAnswer(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause;
}

function again(everyMs: number, work: () => Promise<void>, logger: Logger): NodeJS.Timeout {
  return setInterval(() => {
    work().catch((error: unknown) =>
      logger.warn({ err: error }, 'certificate or keys could not be renewed, the old ones stay in use'),
    );
  }, everyMs);
}

function certificateOf(config: Config, kube: Kube): Certificate {
  return chosenCertificate(config, kube, {
    namespace: config.NAMESPACE,
    secret: GATEWAY_CERTIFICATE,
    hosts: config.GATEWAY_HOSTS.split(','),
    // The hub worker ships the authorities to the sites with the identity of their agents.
    publish: () => Promise.resolve(),
    promoteAfterMs: TLS_TIMES.promote.ms,
    now: Date.now,
  });
}

run(main, () => log);
