// Starts one Temporal server for all flow tests. FLOW_TEMPORAL_ADDRESS is its address.
import { startTemporal, type TemporalForTests } from './temporal.ts';

/** One namespace for each file in test/flow, because the names of task queues are fixed. */
export const NAMESPACES = [
  'rollout',
  'signals',
  'ending',
  'queried',
  'queried-moves',
  'crashes',
  'failures',
  'sites',
  'scores',
  'schedules',
  'drains',
  'orders',
  'drain-objects',
  'drain-objects-found',
  'drain-objects-again',
  'drain-objects-queried',
  'drills',
  'turns',
  'agent',
  'tries',
  'tls',
  'builds',
  'newcomers',
  'sets',
  'unreadable',
  'unreadable-processes',
  'unhealthy',
  'verification',
  'bundles',
  'bundles-again',
  'fleet-before',
  'joins',
  'joins-declared',
  'metal',
  'claims',
] as const;
export type FlowNamespace = (typeof NAMESPACES)[number];

declare global {
  // Jest passes only globals from the setup to the teardown.
  var flowServer: TemporalForTests | undefined;
}

// oxlint-disable-next-line import/no-default-export -- Jest takes nothing else
export default async function setUp(): Promise<void> {
  globalThis.flowServer = await startTemporal({ namespaces: NAMESPACES });
  process.env['FLOW_TEMPORAL_ADDRESS'] = globalThis.flowServer.address;
}
