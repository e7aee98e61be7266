// Stand-in for OCM's cluster-proxy: its user server, which leads to the API server of every site of the
// stack. The tunnel behind the real one needs Pods on hub and sites; here all is on one machine.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { ADDRESS, COMMON, PATH, readConfig } from '../../../../workers/process/config.ts';
import { serveHealth } from '../../../../workers/process/health.ts';
import { createLog, type Logger } from '../../../../workers/process/log.ts';
import { run, stopAsked } from '../../../../workers/process/stop.ts';
import { forwarding } from './forward.ts';
import { SITES, sitesIn } from './sites.ts';

const SETTINGS = {
  ...COMMON,
  TUNNEL_ADDRESS: ADDRESS.describe('host:port on which it listens'),
  TUNNEL_CERT_FILE: PATH.describe('the path of its certificate (PEM)'),
  TUNNEL_KEY_FILE: PATH.describe('the path of the key'),
  AUTHORITY_FILE: PATH.describe("the path of the authority (PEM) of the sites' certificates"),
} as const;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig(SETTINGS);
  const logger = createLog('tunnel', config.LOG_LEVEL);
  log = logger;
  const [cert, key, ca] = await Promise.all(
    [config.TUNNEL_CERT_FILE, config.TUNNEL_KEY_FILE, config.AUTHORITY_FILE].map((file) =>
      readFile(file, 'utf8'),
    ),
  );
  const sites = sitesIn(process.env[SITES] ?? '');
  const server = createServer({ cert, key }, forwarding({ sites, ca: ca ?? '' }));
  const [host = '', port] = config.TUNNEL_ADDRESS.split(':');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port: Number(port), exclusive: true }, () => resolve());
  });
  const health = await serveHealth(config.HEALTH_ADDRESS, () => true);
  logger.info({ sites: [...sites.keys()] }, 'leads to these sites');
  await stopAsked();
  server.close();
  server.closeAllConnections();
  await health.close();
}

run(main, () => log);
