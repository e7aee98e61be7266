// Before the flow tests, once for all of their files: a Temporal server, of which FLOW_TEMPORAL_ADDRESS tells them.
import { startTemporal, type TemporalForTests } from './temporal.ts';

/** One namespace for each file in test/flow, for workflows and activities go to queues with fixed names. */
export const NAMESPACES = [
  'rollout',
  'signals',
  'ending',
  'crashes',
  'failures',
  'sites',
  'scores',
  'schedules',
  'drains',
  'orders',
  'turns',
  'agent',
  'tries',
  'tls',
  'builds',
  'unreadable',
] as const;
export type FlowNamespace = (typeof NAMESPACES)[number];

declare global {
  // Jest hands nothing from its set-up to its tear-down but what is global.
  var flowServer: TemporalForTests | undefined;
}

// oxlint-disable-next-line import/no-default-export -- Jest takes nothing else
export default async function setUp(): Promise<void> {
  globalThis.flowServer = await startTemporal({ namespaces: NAMESPACES });
  process.env['FLOW_TEMPORAL_ADDRESS'] = globalThis.flowServer.address;
}
