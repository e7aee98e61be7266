// HubStatus: what only Temporal knows, for people who reach the hub's API server and nothing else.
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';

export const HUB_STATUS = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'HubStatus',
  plural: 'hubstatuses',
  namespaced: false,
} as const;

/** There is one. */
export const HUB_STATUS_NAME = 'hub';

/**
 * `Polling`: the agent asks Temporal for work. `Silent`: it has not done so for longer than the bridge's
 * `AGENT_SILENT_SECONDS`.
 */
export const AGENT_STATES = ['Polling', 'Silent'] as const;

/** Why Temporal cannot be used: it does not answer, it has no such namespace, or it refuses the bridge. */
export const TEMPORAL_PROBLEMS = ['Unreachable', 'NoNamespace', 'Refused'] as const;
export type TemporalProblem = (typeof TEMPORAL_PROBLEMS)[number];

const MOST_SITES = 5_000;
const MOST_NAMES = 50;
const time = () => z.iso.datetime({ offset: true });

const PublishedAgent = z.object({
  site: z.string(),
  state: z.enum(AGENT_STATES),
  lastSeen: time()
    .describe('When the agent last began to poll, if it is silent and that is known.')
    .exactOptional(),
});
export type PublishedAgent = z.infer<typeof PublishedAgent>;

export const HubStatusReport = z.object({
  temporal: z
    .object({
      reachable: z.boolean(),
      since: time().describe('Since when that is so.'),
      problem: z.enum(TEMPORAL_PROBLEMS).exactOptional(),
      namespace: z.string().describe('The namespace of Temporal that is used.'),
      ui: z.string().describe("The address of Temporal's UI, if the chart says it.").exactOptional(),
    })
    .exactOptional(),
  missingSearchAttributes: z
    .array(z.string())
    .max(MOST_NAMES)
    .describe('Search attributes that Temporal lacks; absent if Temporal does not say.')
    .exactOptional(),
  hubWorkers: z
    .object({
      polling: z.boolean().describe('A hub worker asks Temporal for work.'),
      current: z
        .string()
        .describe('The build that runs the workflows; absent without builds.')
        .exactOptional(),
      others: z
        .array(z.string())
        .max(MOST_NAMES)
        .describe('Other builds that still poll, as during an upgrade.')
        .exactOptional(),
    })
    .exactOptional(),
  bridge: z.string().describe('The version of the bridge that wrote this.').exactOptional(),
  agents: z
    .array(PublishedAgent)
    .max(MOST_SITES)
    .describe('Sites with an agent of which Temporal has heard, by name.')
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['site'] })
    .exactOptional(),
});
export type HubStatusReport = z.infer<typeof HubStatusReport>;

export interface HubStatus {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: object;
  readonly status?: HubStatusReport;
}
