// The stand-ins of one site in one process:
// `KUBECONFIG=<site> SITE=site-1 INGRESS_ADDRESS=127.0.0.11:8080 node deploy/local/standins/site.ts`.
//
// They replace what cannot run on a machine without containers: node, kubelet, storage, autoscaler and
// ingress. All else on the site is real, except that no image registry is asked
// (deploy/local/programs/go/stack/knative-controller/registry.go).
import { KNATIVE_REVISION_LABEL } from '../../../crds/kubernetes/knative.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { ADDRESS, COMMON, NAME, PATH, readConfig } from '../../../workers/process/config.ts';
import { serveHealth } from '../../../workers/process/health.ts';
import { createLog, type Logger } from '../../../workers/process/log.ts';
import { run, stopAsked } from '../../../workers/process/stop.ts';
import { identityMount, proxyMount } from './secret-mounts.ts';
import { autoscaler } from './knative/autoscaler.ts';
import { ingress } from './ingress/ingress.ts';
import { kubelet } from './pods/kubelet.ts';
import { node } from './pods/node.ts';
import { output } from './output/serve.ts';
import { newPodLogs } from './output/pod-logs.ts';
import type { OnPartProblem, StandIn } from './stand-in.ts';
import { storage } from './storage.ts';

const SETTINGS = {
  ...COMMON,
  SITE: NAME.describe('the name of the site'),
  IDENTITY_FOLDER: PATH.describe("the folder in which the site's agent finds its identity"),
  PROXY_FOLDER: PATH.describe('the folder in which it finds the proxy of the site'),
  NODE_ADDRESS: ADDRESS.describe('host:port on which the node answers for logs and what Pods use'),
  INGRESS_ADDRESS: ADDRESS.optional().describe(
    'host:port on which the site answers requests to its apps; without it, its real data plane answers, and scales and runs the Pods of revisions',
  ),
} as const;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig(SETTINGS);
  const logger = createLog('stand-ins', config.LOG_LEVEL);
  log = logger;
  const kube = connect({ userAgent: 'cappstan-stand-ins' });
  let isSynced = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => isSynced);
  const onProblem: OnPartProblem = (name, error) =>
    logger.warn({ part: name, err: error }, 'failed; trying again');
  const parts = [
    ...startParts(kube, config, onProblem),
    identityMount(kube, onProblem, config.IDENTITY_FOLDER),
    proxyMount(kube, onProblem, config.PROXY_FOLDER),
  ];
  const synced = Promise.all(parts.map((part) => part.synced)).then(() => {
    isSynced = true;
    logger.info({ ingress: config.INGRESS_ADDRESS }, 'caches are synced, and the ingress answers');
  });
  // A part that cannot start, such as an ingress whose address is taken, ends the process.
  const signal = await Promise.race([stopAsked(), synced.then(() => new Promise<never>(() => undefined))]);
  logger.info({ signal }, 'stopping');
  await Promise.all(parts.map((part) => part.stop()));
  await health.close();
  await kube.close();
}

type Config = ReturnType<typeof readConfig<typeof SETTINGS>>;

function startParts(
  kube: Kube,
  { SITE: site, NODE_ADDRESS: nodeAddress, INGRESS_ADDRESS: address }: Config,
  onProblem: OnPartProblem,
): StandIn[] {
  const logs = newPodLogs();
  const at = placeIn(nodeAddress);
  const plain = [node(kube, onProblem, at.port), storage(kube, onProblem), output(kube, logs, at)];
  if (address === undefined)
    return [
      ...plain,
      kubelet(kube, onProblem, { labelSelector: `!${KNATIVE_REVISION_LABEL}`, written: logs }),
    ];
  return [
    ...plain,
    kubelet(kube, onProblem, { written: logs }),
    autoscaler(kube, onProblem),
    ingress(kube, onProblem, { site, ...placeIn(address), written: logs }),
  ];
}

function placeIn(address: string): { readonly host: string; readonly port: number } {
  const [host = '', port] = address.split(':');
  return { host, port: Number(port) };
}

run(main, () => log);
