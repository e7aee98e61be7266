// The hub worker: runs the workflows and the hub's activities. Any number of it may run.
import { z } from 'zod';
import { hubCaches } from '../../activities/hub/caches.ts';
import { eventRecorder, type EventRecorder } from '../../activities/hub/status/events.ts';
import { NAMESPACE, type Namespace } from '../../crds/kubernetes/core.ts';
import { allSynced, stopAll } from '../../kube/watch/cache.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { unlessAborted, within } from '../../kube/http/deadline.ts';
import { HUB_QUEUE } from '../../workflows/names.ts';
import { BUILD, buildOf, keepCurrent, versioned } from '../process/builds.ts';
import { endedOrLost, holdNamespace, HUB_IDENTITY } from '../process/claim.ts';
import {
  COMMON,
  CONFIG_PLACE,
  configKeyOf,
  GATEWAY_PLACE,
  gatewayKeyOf,
  readConfig,
  RESERVED,
  reservedOf,
} from '../process/config.ts';
import { serveHealth } from '../process/health.ts';
import { hubActivities } from './activities.ts';
import { auditOn } from './audit.ts';
import { measureHub } from './measures.ts';
import { watchProblems } from '../metrics/process.ts';
import { histogramBuckets, temporalMeter } from '../metrics/temporal-meter.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';
import { connectWorker, installRuntime, disableWorkflowStacks } from '../process/temporal-worker.ts';
import { connectClient, TEMPORAL } from '../process/temporal.ts';
import { bundleWorkflows, EARLIER_FAIL } from './workflow-code.ts';
import { workflowWorker } from './workflow-worker.ts';
import { HUB_TIMES } from '../../activities/hub/times.ts';

/** Names of namespaces, separated by commas. */
const NAMESPACES = z.string().regex(/^[a-z0-9][-a-z0-9]*(,[a-z0-9][-a-z0-9]*)*$/);

const HUB = {
  SITE_NAMESPACE: z
    .string()
    .min(1)
    .default('open-cluster-management-agent-addon')
    .describe('where the site operator runs on sites'),
  SEALING_NAMESPACE: z
    .string()
    .min(1)
    .optional()
    .describe('where the hub keeps its key for sealed Secrets; without it, beside the RCSConfig'),
  METAL_SERVICE_NAMESPACES: NAMESPACES.optional().describe(
    'namespaces in which load balancers and jump hosts of SIPClusters are made, separated by commas',
  ),
  METAL_PROVISION_NAMESPACES: NAMESPACES.optional().describe(
    'namespaces whose SIPClusters may have sites, and beside whose hosts user data is written, separated by commas',
  ),
  JOINS: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on where clusters are accepted that come with a token for them, and ClusterJoins are read'),
  JOIN_NAMESPACES: NAMESPACES.optional().describe(
    'namespaces whose ClusterJoins let clusters in, separated by commas. What those of others have made is taken back',
  ),
  JOIN_CLUSTER_SETS: z
    .string()
    .regex(/^[a-z0-9][-a-z0-9.]*(,[a-z0-9][-a-z0-9.]*)*$/)
    .optional()
    .describe('ManagedClusterSets that these clusters may join beside the default one, separated by commas'),
  JOIN_CERTIFICATE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(365)
    .describe('for how many days the hub signs certificates of clients at most: so long a name is kept'),
  WORKFLOW_STACKS: z
    .stringbool()
    .default(false)
    .describe('true: the Temporal UI shows where in the code a workflow waits; the worker is a third slower'),
  CACHED_WORKFLOWS: z.coerce
    .number()
    .int()
    .min(1)
    .default(320)
    .describe('workflows kept in memory, at 0.2 MB each; others are replayed when they are rung'),
  WORKFLOW_BUNDLE: z
    .string()
    .min(1)
    .optional()
    .describe('path of a bundle made by `npm run build`; without it the worker makes its own'),
} as const;

/**
 * Workflow tasks at once. One that ships waits for the hub's API server: more are no faster, and each comes
 * closer to its timeout of 10 s.
 */
const TASKS_AT_ONCE = 12;

const ALL = {
  ...COMMON,
  ...CONFIG_PLACE,
  ...GATEWAY_PLACE,
  ...RESERVED,
  ...TEMPORAL,
  ...BUILD,
  ...HUB_IDENTITY,
  ...HUB,
} as const;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig(ALL);
  const logger = createLog('hub', config.LOG_LEVEL);
  log = logger;
  installRuntime(logger, config.METRICS_ADDRESS, histogramBuckets());
  if (!config.WORKFLOW_STACKS) disableWorkflowStacks();
  const meter = temporalMeter();
  const kube = connect({ userAgent: 'cappstan-hub' });
  const caches = hubCaches(kube, watchProblems(meter, 'hub', logger));
  const client = await connectClient(config, { log: logger });
  const link = await connectWorker(config, { log: logger });
  const uid = await hubUid(kube);
  const place = { hub: config.HUB_ID ?? uid, address: config.TEMPORAL_ADDRESS };
  const everyMs = config.CLAIM_SECONDS * 1000;
  const claim = await holdNamespace(client, place, { log: logger, everyMs });
  const events = eventRecorder(kube);
  measureHub(meter, { caches, events, namespace: config.TEMPORAL_NAMESPACE });
  const activities = hubActivities({
    kube,
    caches,
    events,
    audit: auditOn(logger),
    client,
    hubUid: uid,
    ...settingsOf(config, uid),
  });
  const build = buildOf(config);
  let ready = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => ready);
  await allSynced(caches);
  const worker = await workflowWorker(() => giveUp(logger)).create({
    connection: link.connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: HUB_QUEUE,
    activities,
    workflowBundle:
      config.WORKFLOW_BUNDLE === undefined ? await bundleWorkflows() : { codePath: config.WORKFLOW_BUNDLE },
    ...(build === null ? {} : { workerDeploymentOptions: versioned(build) }),
    workflowFailureErrorTypes: EARLIER_FAIL,
    maxCachedWorkflows: config.CACHED_WORKFLOWS,
    maxConcurrentWorkflowTaskExecutions: TASKS_AT_ONCE,
    shutdownGraceTime: HUB_TIMES.shutdown.ms,
  });
  link.follow(worker);
  const asked = stopAsked();
  ready = true;
  logger.info({ build }, 'running workflows');
  const onLate = (error: unknown): void =>
    logger.warn({ err: error }, 'the current build could not be read or set, will be retried');
  const keeper = build === null ? null : keepCurrent(client, build, onLate);
  void asked.then(() => worker.shutdown());
  await endedOrLost(worker.run(), claim);
  keeper?.stop();
  meter.stop();
  await Promise.all([stopAll(caches), health.close(), lastOf(events)]);
  await client.connection.close();
  await link.close();
  await kube.close();
}

/** What the activities must know of how this hub is set up. */
function settingsOf(config: z.infer<z.ZodObject<typeof ALL>>, uid: string) {
  return {
    config: configKeyOf(config),
    reserved: reservedOf(config),
    gateway: gatewayKeyOf(config),
    serviceNamespaces: config.METAL_SERVICE_NAMESPACES?.split(',') ?? [],
    provisionNamespaces: config.METAL_PROVISION_NAMESPACES?.split(',') ?? [],
    ...(config.JOINS === 'on' ? { joinNamespaces: config.JOIN_NAMESPACES?.split(',') ?? [] } : {}),
    ...(config.SEALING_NAMESPACE === undefined ? {} : { sealingNamespace: config.SEALING_NAMESPACE }),
    joinClusterSets: config.JOIN_CLUSTER_SETS?.split(',') ?? [],
    certificateLifeMs: config.JOIN_CERTIFICATE_DAYS * 86_400_000,
    sender: {
      hub: config.HUB_ID ?? uid,
      operator: { namespace: config.SITE_NAMESPACE, name: 'cappstan-site' },
    },
  };
}

/** Events that are not written in time are lost. */
function lastOf({ queue }: EventRecorder): Promise<void> {
  return within({ deadlineMs: HUB_TIMES.lastEvents.ms }, (signal) =>
    unlessAborted(signal, queue.idle()),
  ).catch(() => queue.stop());
}

/**
 * After a restart the worker goes on with the other workflows. Temporal schedules the blocked workflow task
 * again after its timeout.
 */
function giveUp(logger: Logger): void {
  logger.fatal(
    `a workflow has blocked its thread for ${HUB_TIMES.blocked.ms / 1000} s: the worker exits, to be restarted. The Temporal UI shows whose workflow task timed out`,
  );
  process.exit(1);
}

/** The uid of kube-system is a cluster's identity, by the convention that OCM's `id.k8s.io` claim follows. */
async function hubUid(kube: Kube): Promise<string> {
  const namespace = await kube.get<Namespace>(NAMESPACE, { namespace: null, name: 'kube-system' });
  return namespace?.metadata.uid ?? '';
}

run(main, () => log);
