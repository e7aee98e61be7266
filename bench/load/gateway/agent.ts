// An agent that answers every question at once, in a process of its own: what is left is the way to it. It
// connects and polls as the agent of a site does, through the gateway or straight to Temporal.
//
// Usage: node bench/load/gateway/agent.ts <cluster>, with the variables of an agent for Temporal
import { Worker } from '@temporalio/worker';
import { z } from 'zod';
import { createLog } from '../../../workers/process/log.ts';
import { readConfig } from '../../../workers/process/config.ts';
import { stopAsked } from '../../../workers/process/stop.ts';
import { connectWorker, installRuntime } from '../../../workers/process/temporal-worker.ts';
import { TEMPORAL } from '../../../workers/process/temporal.ts';
import { agentQueue } from '../../../workflows/names.ts';
import type { Agent } from '../../../workflows/ports/agent.ts';
import { MEASURED, READY } from '../simulated-answers.ts';
import { sayReady } from './child.ts';

const answers: Agent = {
  awaitVerdict: () => Promise.resolve(READY),
  report: () => Promise.resolve(null),
  measure: () => Promise.resolve(MEASURED),
  verify: () => Promise.resolve(null),
  verifyMetrics: () => Promise.resolve(null),
  inspect: () =>
    Promise.resolve({ nodes: [], moreNodes: 0, quotas: [], areAllQuotas: true, images: [], absent: [] }),
};

const AGENT = {
  ...TEMPORAL,
  TEMPORAL_TOKEN_FILE: z.string().min(1).optional().describe('path of the token for the gateway'),
} as const;

const [cluster = ''] = process.argv.slice(2);
const log = createLog('agent', 'warn');
installRuntime(log);
const config = readConfig(AGENT);
const link = await connectWorker(config, { log });
const worker = await Worker.create({
  connection: link.connection,
  namespace: config.TEMPORAL_NAMESPACE,
  taskQueue: agentQueue(cluster),
  activities: { ...answers },
  activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, maximum: 4, initial: 1 },
});
void stopAsked().then(() => worker.shutdown());
sayReady();
await worker.run();
await link.close();
