// The Capp: a container app as its user writes it. Names are container-app-operator v0.3.6's; older and later
// spellings are accepted beside them.
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';
import type { CappStatus } from './status.ts';
import { EventSourcesSpec } from './event-sources.ts';
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
export const POLICIES = ['Evacuate', 'Follow', 'Manual'] as const;
export const STRATEGIES = ['MakeBeforeBreak', 'Recreate'] as const;
export const FAILBACKS = ['Never', 'Manual', 'Automatic'] as const;
export const HOSTNAME_WAITS = ['Wait', 'Ignore'] as const;

const rule = (cel: string, message: string, fieldPath?: string) => ({
  rule: cel,
  message,
  ...(fieldPath === undefined ? {} : { fieldPath }),
});
const validated = (...rules: ReturnType<typeof rule>[]) => ({ 'x-kubernetes-validations': rules });
/** CEL for "this string field has a value"; the schema bounds what it costs. */
const filled = (field: string) => `has(self.${field}) && self.${field} != ''`;
const text = (max: number) => z.string().max(max);
const seconds = () => z.int().min(0).max(604_800);

const TrafficTarget = z.looseObject({}).describe('Accepted as in v0.3.6, where nothing reads it.');

export const RouteSpec = z
  .object({
    hostname: text(254).describe('The name under which the Capp answers, besides its own.').exactOptional(),
    tlsEnabled: z.boolean().exactOptional(),
    routeTimeoutSeconds: z.int().min(0).describe('How long one request may take.').exactOptional(),
    trafficTarget: TrafficTarget.exactOptional(),
    tlsSecret: text(253)
      .describe('Accepted from older manifests: the name of the secret is derived from the hostname.')
      .exactOptional(),
  })
  .meta(
    validated(
      rule(
        `!has(self.tlsEnabled) || !self.tlsEnabled || (${filled('hostname')})`,
        'tlsEnabled needs a hostname',
        '.hostname',
      ),
    ),
  );

export const LogSpec = z
  .object({
    type: z.enum(['elastic', 'elastic-datastream']).exactOptional(),
    host: text(2048).describe('Where logs go.').exactOptional(),
    index: text(255).exactOptional(),
    user: text(255).exactOptional(),
    passwordSecret: text(253).describe('Name of a Secret with the key "elastic".').exactOptional(),
    username: text(255).describe('Older name of user.').exactOptional(),
    passwordSecretName: text(253).describe('Older name of passwordSecret.').exactOptional(),
    sslVerify: z
      .boolean()
      .describe('Whether the certificate of the host is checked. Default false, as upstream.')
      .exactOptional(),
  })
  .meta(
    validated(
      rule(`!has(self.type) || (${filled('host')})`, 'host is required with a type', '.host'),
      rule(
        `!has(self.type) || self.type != 'elastic' || (${filled('index')})`,
        'index is required with type elastic',
        '.index',
      ),
      rule(
        `!has(self.type) || (${filled('user')}) || (${filled('username')})`,
        'user is required with a type',
        '.user',
      ),
      rule(
        `!has(self.type) || (${filled('passwordSecret')}) || (${filled('passwordSecretName')})`,
        'passwordSecret is required with a type',
        '.passwordSecret',
      ),
      rule(
        `has(self.type) || !(${['host', 'index', 'user', 'username', 'passwordSecret', 'passwordSecretName'].map((f) => `(${filled(f)})`).join(' || ')})`,
        'type is required when any other field of logSpec is set',
        '.type',
      ),
    ),
  );

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
    validated(
      rule(
        '!has(self.minReplicas) || !has(self.maxReplicas) || self.minReplicas <= self.maxReplicas',
        'maxReplicas must not be below minReplicas',
        '.maxReplicas',
      ),
    ),
  );

/** What `spec.migration` says when it says nothing, in seconds. */
export const MIGRATION_DEFAULTS = {
  stabilisationSeconds: 300,
  cooldownSeconds: 600,
  deadlineSeconds: 600,
} as const;

export const MigrationSpec = z
  .object({
    policy: z
      .enum(POLICIES)
      .default('Evacuate')
      .describe(
        'Evacuate leaves a site that is tainted, unreachable or gone. Follow also leaves a healthy site that the placement no longer selects. Manual moves only when asked.',
      ),
    strategy: z
      .enum(STRATEGIES)
      .default('MakeBeforeBreak')
      .describe(
        'MakeBeforeBreak starts the new copy before the old one goes. Recreate never runs two copies.',
      ),
    failback: z
      .enum(FAILBACKS)
      .default('Never')
      .describe('Whether to go back to a site that was left, once it is good again.'),
    stabilisationSeconds: seconds()
      .describe(
        `How long a site must stay unselected (Follow) or good (failback) before it counts. Default ${MIGRATION_DEFAULTS.stabilisationSeconds}.`,
      )
      .exactOptional(),
    cooldownSeconds: seconds()
      .describe(
        `Least time between two moves that nobody asked for. Default ${MIGRATION_DEFAULTS.cooldownSeconds}.`,
      )
      .exactOptional(),
    deadlineSeconds: seconds()
      .min(1)
      .describe(
        `How long a rollout or a new copy may take to become Ready. Default ${MIGRATION_DEFAULTS.deadlineSeconds}.`,
      )
      .exactOptional(),
    hostname: z
      .enum(HOSTNAME_WAITS)
      .describe(
        'Wait, the default, sends users to the new site only when it answers for the hostname, with route and certificate, if the old one does. Ignore does not wait, for certificates that are issued only where the name leads to (ACME HTTP-01).',
      )
      .exactOptional(),
  })
  .describe('When and how the Capp may change sites.');

export const CappSpec = z.object({
  site: text(253)
    .describe(
      'Where to run: empty for the best site, the name of a placement, or the name of a site to be pinned to it.',
    )
    .exactOptional(),
  state: z.enum(STATES).default('enabled').describe('disabled stops the workload and keeps the Capp.'),
  scaleMetric: z.enum(SCALE_METRICS).default('concurrency').describe('What the number of replicas follows.'),
  scaleSpec: ScaleSpec.describe('Bounds of scaling.').exactOptional(),
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
  migration: MigrationSpec.exactOptional(),
});
export type CappSpec = z.infer<typeof CappSpec>;

/** Rules on the whole object: what derives names from the Capp's can only do so within these bounds. */
export const CAPP_RULES = [
  rule(
    "self.metadata.name.size() <= 63 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    'metadata.name must be at most 63 lower-case letters, digits and "-", begin with a letter and end with a letter or digit',
  ),
];

export interface Capp {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: CappSpec;
  readonly status?: CappStatus;
}

/**
 * Reads a Capp's spec from outside, with its defaults. Throws an Error that names the first field that is
 * wrong.
 */
export function parseSpec(raw: unknown): CappSpec {
  const parsed = CappSpec.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`spec.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`, {
    cause: parsed.error,
  });
}
