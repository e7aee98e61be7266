// The data plane of one site, in network, mount and process namespaces of its own, which site.ts makes for
// it.
//
// It is the first process of its namespaces: whatever it started ends with it.
import { join } from 'node:path';
import { KNATIVE_REVISION_LABEL } from '../../../crds/kubernetes/knative.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { readConfig } from '../../../workers/process/config.ts';
import { serveHealth } from '../../../workers/process/health.ts';
import { createLog, type Logger } from '../../../workers/process/log.ts';
import { run, stopAsked } from '../../../workers/process/stop.ts';
import { kubelet } from '../standins/pods/kubelet.ts';
import { DOORS, relay } from './network/relay.ts';
import { GATEWAY, openNetwork, type Network } from './network/sandbox.ts';
import { serveNames } from './network/names.ts';
import { services } from './network/services.ts';
import { envoyPart } from './parts/envoy.ts';
import { knativeParts } from './parts/knative.ts';
import { startPart, type DataplanePart } from './parts/part.ts';
import { HTTP_PORT, HTTPS_PORT, WEBHOOK_PORT } from './parts/settings.ts';
import { podHost } from './pods/host.ts';
import { portOf, SETTINGS } from './settings.ts';

const FOLDER = '.';

let log: Logger | null = null;

async function main(): Promise<void> {
  endWithParent();
  const config = readConfig(SETTINGS);
  const { SITE: site, LOGS: logs } = config;
  const logger = createLog('data-plane', config.LOG_LEVEL);
  log = logger;
  const onProblem = (part: string, error: unknown): void =>
    logger.warn({ part, err: error }, 'failed; trying again');
  let isReady = false;
  await serveHealth(config.HEALTH_ADDRESS, () => isReady);
  const network = await openNetwork(FOLDER);
  await openDoors(portOf(config.API_ADDRESS), portOf(config.HEALTH_ADDRESS));
  const kube = connect({ userAgent: 'cappstan-data-plane' });
  const known = services(kube, onProblem);
  await known.synced;
  await serveNames(GATEWAY, known.resolve);
  await startParts({ kube, network, logger, partsKubeconfig: config.PARTS_KUBECONFIG, site, logs });
  const pods = kubelet(kube, onProblem, {
    labelSelector: KNATIVE_REVISION_LABEL,
    host: (onChange) => {
      const podLog = join(logs, `${site}-pods.log`);
      return podHost(
        { kube, site, network, log: podLog, onProblem: (error) => onProblem('pods', error) },
        onChange,
      );
    },
  });
  await pods.synced;
  isReady = true;
  logger.info('the data plane answers');
  await stopAsked();
  process.exit(0);
}

/** site.ts holds the other end of the standard input. */
function endWithParent(): void {
  process.stdin.resume().once('close', () => process.exit(0));
}

/** The API server comes in here, and the health check leaves; the parts open the other doors. */
async function openDoors(apiPort: number, healthPort: number): Promise<void> {
  for (const host of ['127.0.0.1', GATEWAY])
    await relay({ host, port: apiPort }, () => ({ path: DOORS.api }));
  await relay({ path: DOORS.health }, () => ({ host: '127.0.0.1', port: healthPort }));
}

interface Ground {
  readonly kube: Kube;
  readonly network: Network;
  readonly logger: Logger;
  readonly partsKubeconfig: string;
  readonly site: string;
  readonly logs: string;
}

async function startParts({ kube, network, logger, partsKubeconfig, site, logs }: Ground): Promise<void> {
  const start = async (part: DataplanePart): Promise<string> => {
    const sandbox = await network.newSandbox();
    const onEnd = (how: string): void => logger.warn({ part: part.name, how }, 'ended; starting it again');
    await startPart(part, { kube, sandbox, log: join(logs, `${site}-${part.name}.log`), onEnd });
    logger.info({ part: part.name, ip: sandbox.ip }, 'takes connections');
    return sandbox.ip;
  };
  const parts = knativeParts(partsKubeconfig);
  const addresses = new Map(
    await Promise.all(parts.map(async (part) => [part.name, await start(part)] as const)),
  );
  const envoy = await start(envoyPart(addresses.get('kourier') ?? '', join(process.cwd(), 'envoy.yaml')));
  await relay({ path: DOORS.http }, () => ({ host: envoy, port: HTTP_PORT }));
  await relay({ path: DOORS.https }, () => ({ host: envoy, port: HTTPS_PORT }));
  const webhook = addresses.get('knative-webhook') ?? '';
  await relay({ path: DOORS.webhook }, () => ({ host: webhook, port: WEBHOOK_PORT }));
}

run(main, () => log);
