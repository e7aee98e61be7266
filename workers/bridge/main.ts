// The bridge: watches the hub and rings workflows. It decides nothing, and never reads what a Secret holds.
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { listen } from '../../bridge/changes/listen.ts';
import { ringer } from '../../bridge/ringer.ts';
import { backlogBy, yieldPace, type YieldPace } from '../../bridge/yield-pace.ts';
import { watchRecords } from '../../bridge/changes/records.ts';
import { watchDeclared, watchRequests } from '../../bridge/joins/keep.ts';
import { watchMetal } from '../../bridge/metal/sip-clusters.ts';
import { openingsOf } from '../../bridge/changes/openings.ts';
import { watchHub } from '../../bridge/changes/watched.ts';
import { allSynced, stopAll, type OnProblem } from '../../kube/watch/cache.ts';
import { connect, type Kube } from '../../kube/client.ts';
import { BUILD } from '../process/builds.ts';
import { claimOf, endedOrLost, holdNamespace, HUB_IDENTITY } from '../process/claim.ts';
import { COMMON, CONFIG_PLACE, configKeyOf, GATEWAY_PLACE, readConfig } from '../process/config.ts';
import { measureBridge } from './measures.ts';
import { registry, type Meter } from '../metrics/meter.ts';
import { watchProblems } from '../metrics/process.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { serveHealth } from '../process/health.ts';
import { createLog, type Logger } from '../process/log.ts';
import { run, stopAsked } from '../process/stop.ts';
import { connectClient, TEMPORAL } from '../process/temporal.ts';
import { lookAgain } from './look-again.ts';

const BRIDGE = {
  SCORE_INTERVAL_SECONDS: z.coerce
    .number()
    .refine((seconds) => seconds === 0 || (Number.isInteger(seconds) && seconds >= 10 && seconds <= 3600))
    .default(60)
    .describe('how often each site is scored: 10 to 3600 seconds, or 0 for never'),
  AGENT_SILENT_SECONDS: z.coerce
    .number()
    .int()
    .min(120)
    .max(86_400)
    .default(300)
    .describe('after how many seconds without its agent a site counts as silent: 120 to 86400'),
  DNS_RECORDS: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on where the hub workers may write DNS records'),
  JOINS: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on where the hub workers accept clusters that come with a token for them'),
  METAL: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on where the hub workers may reserve BareMetalHosts for SIPClusters'),
  METAL_SERVICES: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on where the hub workers may make load balancers and jump hosts for SIPClusters'),
  TEMPORAL_UI: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("the address of Temporal's UI, for people"),
} as const;

const ALL = {
  ...COMMON,
  ...CONFIG_PLACE,
  ...GATEWAY_PLACE,
  ...TEMPORAL,
  ...BUILD,
  ...HUB_IDENTITY,
  ...BRIDGE,
} as const;

let log: Logger | null = null;

async function main(): Promise<void> {
  const config = readConfig(ALL);
  const logger = createLog('bridge', config.LOG_LEVEL);
  log = logger;
  const kube = connect({ userAgent: 'cappstan-bridge' });
  const client = await connectClient(config, { log: logger });
  const claim = await holdNamespace(client, claimOf(config), {
    log: logger,
    everyMs: config.CLAIM_SECONDS * 1000,
  });
  const meter = registry();
  const onProblem = watchProblems(meter, 'bridge', logger);
  const watched = watchHub(kube, configKeyOf(config), onProblem);
  const bell = ringer(client, ringFailed(meter, logger), paceFor(client, logger));
  measureBridge(meter, { watched, queue: bell.queue });
  const metrics = await serveMetrics(config.METRICS_ADDRESS, meter);
  const records = config.DNS_RECORDS === 'on' ? watchRecords(kube, onProblem) : [];
  const joins = watchJoins(kube, config, onProblem);
  const metal = config.METAL === 'on' ? watchMetal(kube, onProblem, config.METAL_SERVICES === 'on') : null;
  const openings = openingsOf(watched);
  const listening = listen(watched, bell, openings, records);
  let ready = false;
  const health = await serveHealth(config.HEALTH_ADDRESS, () => ready);
  await allSynced({ ...watched, ...alwaysServed(joins) });
  await Promise.all([joins.declared?.known, metal?.sipClusters.known, metal?.hosts.known]);
  const stopLooking = lookAgain({
    client,
    kube,
    watched,
    openings,
    ...joins,
    metal,
    bell,
    logger,
    meter,
    config,
  });
  const asked = stopAsked();
  ready = true;
  logger.info({ capps: watched.capps.list().length }, 'watching the hub');
  await endedOrLost(asked, claim);
  await Promise.all([
    listening.stop(),
    stopLooking(),
    bell.queue.stop(),
    stopAll(watched),
    ...records.map((one) => one.stop()),
    ...Object.values(joins).map((one) => one?.stop()),
    metal?.sipClusters.stop(),
    metal?.hosts.stop(),
    ...(metal?.services ?? []).map((one) => one.stop()),
  ]);
  await Promise.all([health.close(), metrics.close()]);
  await client.connection.close();
  await kube.close();
}

/** Null where nobody is let in by it. */
function watchJoins(kube: Kube, config: { readonly JOINS: 'on' | 'off' }, onProblem: OnProblem) {
  return {
    requests: config.JOINS === 'on' ? watchRequests(kube, onProblem) : null,
    declared: config.JOINS === 'on' ? watchDeclared(kube, onProblem) : null,
  };
}

/** Those whose kind is always there. */
function alwaysServed({ requests }: ReturnType<typeof watchJoins>) {
  return requests === null ? {} : { requests };
}

function ringFailed(meter: Meter, logger: Logger): Parameters<typeof ringer>[1] {
  return (key, error, failures) => {
    meter.count('cappstan_ring_failures_total');
    logger.warn({ capp: key, failures, err: error }, 'ring failed, will be retried');
  };
}

function paceFor(client: Client, logger: Logger): YieldPace {
  const message =
    'the backlog of the hub workers could not be read, so what can wait is rung at the usual rate';
  return yieldPace(backlogBy(client), (error) => logger.warn({ err: error }, message));
}

run(main, () => log);
