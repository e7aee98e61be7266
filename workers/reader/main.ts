// The reader: tells people on the hub what their Capps write and which Pods they have, on whatever site they
// are. It keeps nothing; any number of it may run.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { connect, type Kube } from '../../kube/client.ts';
import { READER_CERTIFICATE } from '../../reach/names.ts';
import { publishAuthority } from '../../reach/door/publish.ts';
import { startReader } from '../../reach/reader.ts';
import { READER_TIMES } from '../../reach/times.ts';
import { chosenCertificate, type Certificate } from '../../tls/shared-certificate.ts';
import { TLS_TIMES } from '../../tls/times.ts';
import { registry } from '../metrics/meter.ts';
import { measureProcess } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { ADDRESS, COMMON, NAME, PATH, readConfig } from '../process/config.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';

const READER = {
  NAMESPACE: NAME.describe('the namespace in which Cappstan runs'),
  READER_ADDRESS: ADDRESS.describe('host:port on which the reader listens'),
  READER_HOSTS: z
    .string()
    .regex(/^[^\s,]+(,[^\s,]+)*$/)
    .describe('the names at which the API server reaches the reader, separated by commas'),
  USER_SERVER_URL: z
    .url({ protocol: /^https$/ })
    .describe("the https address of cluster-proxy's user server"),
  USER_SERVER_CA_FILE: PATH.describe("the path of the authority (PEM) of the user server's certificate"),
} as const;

type Config = z.infer<z.ZodObject<typeof READER>>;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig({ ...COMMON, ...READER });
  const logger = createLog('reader', config.LOG_LEVEL);
  log = logger;
  const meter = registry();
  measureProcess(meter, 'reader');
  const metrics = await serveMetrics(config.METRICS_ADDRESS, meter);
  const kube = connect({ userAgent: 'cappstan-reader' });
  let ready = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => ready);
  const reader = await startReader(kube, {
    address: config.READER_ADDRESS,
    certificate: certificateOf(config, kube),
    userServer: { url: config.USER_SERVER_URL, ca: () => readFile(config.USER_SERVER_CA_FILE, 'utf8') },
    // Who reads what: never what was read.
    onBegun: ({ caller: { user }, question: { capp, part, follow } }) =>
      logger.info({ user, ...capp, part, follow }, 'reading begins'),
    onAsked: ({ caller: { user }, question: { capp, part, follow }, refused }) =>
      logger.info({ user, ...capp, part, follow, refused }, 'asked'),
    onError: (error) => logger.error({ err: error }, 'a question failed'),
  });
  const renewal = setInterval(() => {
    reader
      .renew()
      .catch((error: unknown) =>
        logger.warn(
          { err: error },
          'certificate or authorities could not be renewed, the old ones stay in use',
        ),
      );
  }, READER_TIMES.authorities.ms);
  const asked = stopAsked();
  ready = true;
  logger.info('telling people what their Capps write');
  await asked;
  ready = false;
  clearInterval(renewal);
  await Promise.all([reader.close(), health.close(), metrics.close()]);
  await kube.close();
}

function certificateOf(config: Config, kube: Kube): Certificate {
  const none = { TLS_CERT_FILE: undefined, TLS_KEY_FILE: undefined };
  return chosenCertificate(none, kube, {
    namespace: config.NAMESPACE,
    secret: READER_CERTIFICATE,
    hosts: config.READER_HOSTS.split(','),
    publish: (authorities) => publishAuthority(kube, authorities),
    promoteAfterMs: TLS_TIMES.promote.ms,
    now: Date.now,
  });
}

run(main, () => log);
