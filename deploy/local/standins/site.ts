// The stand-ins of one site in one process: `KUBECONFIG=<site> node deploy/local/standins/site.ts`.
//
// They replace what cannot run on a machine without containers: node, kubelet, storage, autoscaler and
// ingress. All else on the site is real, except that no image registry is asked
// (deploy/local/programs/go/knative/registry.go).
import { connect } from '../../../kube/client.ts';
import { COMMON, readConfig } from '../../../workers/process/config.ts';
import { serveHealth } from '../../../workers/process/health.ts';
import { createLog, type Logger } from '../../../workers/process/log.ts';
import { run, stopAsked } from '../../../workers/process/stop.ts';
import { autoscaler } from './knative/autoscaler.ts';
import { ingress } from './knative/ingress.ts';
import { kubelet } from './pods/kubelet.ts';
import { node } from './pods/node.ts';
import { storage } from './storage.ts';

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig(COMMON);
  const logger = createLog('stand-ins', config.LOG_LEVEL);
  log = logger;
  const kube = connect({ userAgent: 'cappstan-stand-ins' });
  let isSynced = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => isSynced);
  const parts = [node, kubelet, storage, autoscaler, ingress].map((part) =>
    part(kube, (name, error) => logger.warn({ part: name, err: error }, 'failed; trying again')),
  );
  const listed = (): void => {
    isSynced = true;
    logger.info('caches are synced');
  };
  const stopped = (): void => undefined;
  void Promise.all(parts.map(({ synced }) => synced)).then(listed, stopped);
  const signal = await stopAsked();
  logger.info({ signal }, 'stopping');
  await Promise.all(parts.map((part) => part.stop()));
  await health.close();
  await kube.close();
}

run(main, () => log);
