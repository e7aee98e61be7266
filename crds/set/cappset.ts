// The CappSet: one app on many sites. Its children are ordinary Capps, one for each site, pinned there.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import { CappSpec } from '../capp/capp.ts';
import { Strategy } from '../rollout/stages.ts';
import type { CappSetStatus } from './status.ts';

export const CAPP_SET = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'CappSet',
  plural: 'cappsets',
  namespaced: true,
} as const;

export const WHEN_UNSELECTED = ['Remove', 'Keep'] as const;

/** Named sites and overrides at most. */
const MOST_SITES = 1000;
const MOST_OVERRIDES = 50;

const texts = () => z.record(z.string(), z.string());

const SetTemplate = z.object({
  metadata: z
    .object({ labels: texts().exactOptional(), annotations: texts().exactOptional() })
    .describe('Labels and annotations of each Capp.')
    .exactOptional(),
  spec: CappSpec.meta(
    rules([
      "!has(self.site) || self.site == ''",
      'spec.template.spec.site must be left out: the set pins each of its Capps to a site',
    ]),
  ).describe(
    'The spec of each Capp. Text may hold the placeholders site and label:<key>, within two pairs of braces: the name of the site, and one of its labels.',
  ),
});
export type SetTemplate = z.infer<typeof SetTemplate>;

const Override = z.object({
  clusterSelector: z
    .object({
      matchLabels: texts().exactOptional(),
      matchExpressions: z
        .array(
          z.object({
            key: z.string().min(1).max(317),
            operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
            values: z.array(z.string().max(63)).max(100).exactOptional(),
          }),
        )
        .max(20)
        .exactOptional(),
    })
    .describe('Which sites it is for, by the labels of their ManagedClusters. Empty: all of them.'),
  patch: z
    .looseObject({})
    .describe('A JSON merge patch of the template. A list in it replaces the whole list of the template.'),
});
export type Override = z.infer<typeof Override>;

export const CappSetSpec = z
  .object({
    placement: z
      .string()
      .min(1)
      .max(253)
      .describe(
        'A Placement that the RCSConfig lists, or one in the namespace of the set: all sites that it selects.',
      )
      .exactOptional(),
    sites: z
      .object({
        clusters: z
          .array(z.string().min(1).max(253))
          .min(1)
          .max(MOST_SITES)
          .meta({ 'x-kubernetes-list-type': 'set' }),
      })
      .describe('The sites by their names.')
      .exactOptional(),
    template: SetTemplate,
    overrides: z
      .array(Override)
      .max(MOST_OVERRIDES)
      .describe('What differs on some sites: those that match are applied in order.')
      .exactOptional(),
    whenUnselected: z
      .enum(WHEN_UNSELECTED)
      .default('Remove')
      .describe('What becomes of the Capp of a site that is no longer selected. A kept one is not changed.'),
    strategy: Strategy.prefault({}).describe('How a new revision goes to the sites.'),
    paused: z.boolean().default(false).describe('Write no Capp until this is false again.'),
  })
  .meta(
    rules(
      [
        'has(self.placement) != has(self.sites)',
        'spec needs exactly one of placement and sites: remove one of them, or add one',
      ],
      [
        '!has(self.strategy) || !has(self.strategy.stages) || self.strategy.stages.all(s, !has(s.verify) || s.verify.all(c, !has(c.job)))',
        'the executor of Capps makes no Jobs: write http or prometheus in the checks of the stages, or ship the Job in a Bundle',
        '.strategy.stages',
      ],
    ),
  );
export type CappSetSpec = z.infer<typeof CappSetSpec>;

/** The names of its Capps begin with its own. */
export const CAPP_SET_RULES = [
  {
    rule: "self.metadata.name.size() <= 52 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    message:
      'metadata.name must be at most 52 lower-case letters, digits and "-", begin with a letter and end with a letter or digit',
  },
];

export interface CappSet {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: CappSetSpec;
  readonly status?: CappSetStatus;
}
