// The Bundle: plain Kubernetes manifests on chosen sites.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import { Strategy } from '../rollout/stages.ts';
import type { BundleStatus } from './status.ts';

export const BUNDLE = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Bundle',
  plural: 'bundles',
  namespaced: true,
  keepsDigits: true,
} as const;

/**
 * Who applies the manifests on a site: the executor of the Bundle's namespace, or OCM's work agent itself.
 */
export const EXECUTORS = ['Namespace', 'WorkAgent'] as const;
export const REMOVALS = ['Delete', 'Orphan'] as const;

export const MOST_MANIFESTS = 250;
export const MOST_SOURCES = 64;
export const MOST_CLUSTERS = 250;

const name = () => z.string().min(1).max(253);

const BundleSites = z
  .object({
    clusters: z
      .array(z.string().min(1).max(63))
      .max(MOST_CLUSTERS)
      .meta({ 'x-kubernetes-list-type': 'set' })
      .describe('The sites, by the names of their managed clusters.')
      .exactOptional(),
  })
  .meta(
    rules([
      'has(self.clusters) && size(self.clusters) > 0',
      'names no site: list managed clusters in spec.sites.clusters, such as [site-1]',
    ]),
  );

const BundleManifest = z
  .looseObject({
    apiVersion: z.string().exactOptional(),
    kind: z.string().exactOptional(),
    metadata: z
      .looseObject({ name: z.string().exactOptional(), namespace: z.string().exactOptional() })
      .exactOptional(),
  })
  .meta(
    rules(
      [
        "has(self.apiVersion) && self.apiVersion != '' && has(self.kind) && self.kind != ''",
        'has no apiVersion or no kind: a manifest is a whole Kubernetes object, such as {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: default}}',
      ],
      [
        "!has(self.kind) || !self.kind.endsWith('List') || (has(self.metadata) && has(self.metadata.name))",
        'is a list: write each of its items as a manifest of its own',
      ],
      [
        "(has(self.metadata) && has(self.metadata.name) && self.metadata.name != '') || (has(self.kind) && self.kind.endsWith('List'))",
        'has no metadata.name: give it one, since generateName would make another object each time',
      ],
    ),
  );

const BundleSource = z
  .object({
    configMap: name().describe('A ConfigMap in the namespace of the Bundle.').exactOptional(),
    secret: name().describe('A Secret in the namespace of the Bundle.').exactOptional(),
  })
  .meta(
    rules([
      'has(self.configMap) != has(self.secret)',
      'must name either a configMap or a secret: give each of them an entry of its own',
    ]),
  );

const ReadyRule = z.object({
  kind: z.string().min(1).max(63).describe('The kind of a manifest.'),
  name: name().describe('Its name.'),
  namespace: z.string().max(63).describe('Its namespace; left out for what has none.').exactOptional(),
  when: z
    .string()
    .min(1)
    .max(4096)
    .describe(
      'CEL over `object`, the live object on the site: it is ready when this is true. Replaces the rule that its kind has by itself.',
    ),
});

export const BundleSpec = z
  .object({
    placement: name()
      .describe(
        'A Placement that the RCSConfig lists, or one in the namespace of the Bundle: all sites that it selects.',
      )
      .exactOptional(),
    sites: BundleSites.describe('The sites by their names.').exactOptional(),
    manifests: z
      .array(BundleManifest)
      .max(MOST_MANIFESTS)
      .describe('Kubernetes objects as they are to be on each site.')
      .exactOptional(),
    manifestsFrom: z
      .array(BundleSource)
      .max(MOST_SOURCES)
      .describe('ConfigMaps and Secrets each key of which holds YAML documents: further manifests.')
      .exactOptional(),
    ready: z
      .array(ReadyRule)
      .max(100)
      .describe('When manifests are ready, where the rule that their kind has by itself does not fit.')
      .exactOptional(),
    plurals: z
      .record(z.string().max(63), z.string().max(63))
      .describe(
        'Kinds whose plural in the API is not the usual one, such as {SecurityContextConstraints: securitycontextconstraints}.',
      )
      .exactOptional(),
    executor: z
      .enum(EXECUTORS)
      .describe(
        "Who applies the manifests on a site. Namespace: the executor of this namespace, with the rights that the site's admins gave it. WorkAgent: OCM's work agent with its own rights, for namespaces that the RCSConfig lists in spec.bundles.unrestricted; it is their default.",
      )
      .exactOptional(),
    onRemoval: z
      .enum(REMOVALS)
      .default('Delete')
      .describe(
        'What becomes of the objects when the Bundle is deleted or leaves a site. Namespaces and CustomResourceDefinitions always stay.',
      ),
    strategy: Strategy.prefault({}).describe('How a new revision goes to the sites.'),
    paused: z.boolean().default(false).describe('Change no site until this is false again.'),
  })
  .meta(
    rules(
      [
        'has(self.placement) != has(self.sites)',
        'spec needs exactly one of placement and sites: remove one of them, or add one',
      ],
      [
        '!has(self.strategy) || !has(self.strategy.stages) || self.strategy.stages.all(s, !has(s.verify) || s.verify.all(c, has(c.job)))',
        'a Bundle has no app that checks by http and prometheus could ask: write a job in each check of its stages, such as one that calls curl',
        '.strategy.stages',
      ],
    ),
  );
export type BundleSpec = z.infer<typeof BundleSpec>;

export const BUNDLE_RULES = [
  {
    rule: '(has(self.spec.manifests) && size(self.spec.manifests) > 0) || (has(self.spec.manifestsFrom) && size(self.spec.manifestsFrom) > 0)',
    message:
      'has no manifests: list them in spec.manifests, or name ConfigMaps and Secrets in spec.manifestsFrom',
    fieldPath: '.spec',
  },
] as const;

export interface Bundle {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: BundleSpec;
  readonly status?: BundleStatus;
}

/** What is shipped, and how: a revision is of this. */
export type BundlePattern = Pick<
  BundleSpec,
  'manifests' | 'manifestsFrom' | 'ready' | 'plurals' | 'executor' | 'onRemoval'
>;

/** Names of the ConfigMaps or Secrets in its namespace that a Bundle reads manifests from. */
export function sourcesOf({ spec }: Pick<Bundle, 'spec'>, kind: 'configMap' | 'secret'): string[] {
  return (spec.manifestsFrom ?? []).flatMap((source) => source[kind] ?? []);
}
