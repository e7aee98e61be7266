// The Capp: a container app as its user writes it. Names are container-app-operator v0.3.6's; older and later
// spellings are accepted beside them.
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';
import type { CappStatus } from './status.ts';
import { EventSourcesSpec } from './spec/event-sources.ts';
import { LogSpec } from './spec/log.ts';
import { MigrationSpec } from './spec/migration.ts';
import { Requires } from './spec/requires.ts';
import { RouteSpec } from './spec/route.ts';
import { rules } from '../definitions/rules.ts';
import { Template } from '../kubernetes/pod.ts';
import { ResourceQuantities } from '../kubernetes/quantity.ts';

export const CAPP = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Capp',
  plural: 'capps',
  namespaced: true,
} as const;

export const SCALE_METRICS = ['concurrency', 'cpu', 'memory', 'rps'] as const;
export const STATES = ['enabled', 'disabled'] as const;

const text = (max: number) => z.string().max(max);
export const NfsVolume = z.object({
  name: z
    .string()
    .min(1)
    .max(63)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    .describe('Name of the volume, its claim, and the volumeMounts that use it.'),
  server: text(253).min(1),
  path: text(1024).regex(/^\//).describe('The exported path; begins with /.'),
  capacity: ResourceQuantities.describe('For example storage: 200Gi.'),
});
export type NfsVolume = z.infer<typeof NfsVolume>;

export const ScaleSpec = z
  .object({
    metric: z.enum(SCALE_METRICS).describe('Later name of scaleMetric; wins over it.').exactOptional(),
    minReplicas: z.int().min(0).max(1_000_000).exactOptional(),
    maxReplicas: z.int().min(1).max(1_000_000).exactOptional(),
    scaleDelaySeconds: z.int().min(0).max(3600).exactOptional(),
  })
  .meta(
    rules([
      '!has(self.minReplicas) || !has(self.maxReplicas) || self.minReplicas <= self.maxReplicas',
      'maxReplicas must not be below minReplicas: raise it, or lower minReplicas',
      '.maxReplicas',
    ]),
  );

/** `minReplicas` of older manifests, which `normalise` makes that of scaleSpec. */
const OLDER_BOUNDS = rules([
  '!has(self.minReplicas) || self.minReplicas == 0 || !has(self.scaleSpec) || has(self.scaleSpec.minReplicas) || !has(self.scaleSpec.maxReplicas) || self.minReplicas <= self.scaleSpec.maxReplicas',
  'scaleSpec.maxReplicas must not be below minReplicas: raise it, or lower minReplicas',
  '.minReplicas',
]);

export const CappSpec = z
  .object({
    site: text(253)
      .describe(
        'Where to run: empty for the best site, the name of a placement, or the name of a site to be pinned to it.',
      )
      .exactOptional(),
    state: z.enum(STATES).default('enabled').describe('disabled stops the workload and keeps the Capp.'),
    scaleMetric: z
      .enum(SCALE_METRICS)
      .default('concurrency')
      .describe('What the number of replicas follows.'),
    scaleSpec: ScaleSpec.describe('Bounds of scaling.').exactOptional(),
    minReplicas: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe('Older name of scaleSpec.minReplicas, where 0 meant that it is not set.')
      .exactOptional(),
    sources: z
      .array(z.looseObject({}))
      .max(64)
      .describe('Accepted from older manifests, and has no effect: use eventSourcesSpec.')
      .exactOptional(),
    configurationSpec: z.object({ template: Template }).describe('The workload.'),
    routeSpec: RouteSpec.describe('How it is reached.').exactOptional(),
    volumesSpec: z
      .object({
        nfsVolumes: z
          .array(NfsVolume)
          .max(64)
          .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
          .exactOptional(),
      })
      .describe('Volumes that are made for it.')
      .exactOptional(),
    logSpec: LogSpec.describe('Where its output goes.').exactOptional(),
    eventSourcesSpec: EventSourcesSpec.exactOptional(),
    requires: Requires.exactOptional(),
    migration: MigrationSpec.exactOptional(),
  })
  .meta(OLDER_BOUNDS);
export type CappSpec = z.infer<typeof CappSpec>;

/** Rules on the whole object: what derives names from the Capp's can only do so within these bounds. */
export const CAPP_RULES = [
  {
    rule: "self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    message:
      'metadata.name must be at most 63 lower-case letters, digits and "-", begin with a letter and end with a letter or digit',
  },
];

export interface Capp {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: CappSpec;
  readonly status?: CappStatus;
}

/** A spec is not as its schema asks. The message names the first field that is wrong. */
export class UnreadableSpec extends Error {
  override readonly name = 'UnreadableSpec';
}

/** Reads a Capp's spec from outside, with its defaults. Throws UnreadableSpec. */
export function parseSpec(raw: unknown): CappSpec {
  const parsed = CappSpec.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UnreadableSpec(`spec.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`, {
    cause: parsed.error,
  });
}
