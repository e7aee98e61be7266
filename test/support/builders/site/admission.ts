// What the webhook of a site says, with the CappConfig that it knows.
import { at } from '../../../../admission/fields.ts';
import type { SiteKnown } from '../../../../admission/known.ts';
import { applySiteRules, PATHS } from '../../../../admission/router.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { siteKnownFrom } from '../../../../workers/webhook/site-known.ts';
import { nothingPending } from '../../../../admission/pending.ts';
import { asked, raw, said } from '../admission.ts';

const HEAD = { namespace: 'container-app-operator-system', name: 'capp-config' };
const place = { configKey: HEAD, namespace: 'site', clusterDomain: 'cluster.local', reserved: ['platform'] };

/** The spec of the CappConfig. */
export const CONFIG = {
  autoscaleConfig: { minReplicasLimit: 10, maxReplicasLimit: '20', maxScaleDelay: 600 },
  dnsConfig: { zone: 'apps.example.com.' },
  allowedHostnamePatterns: [{ match: '.*\\.example\\.com', explanation: 'names in example.com' }],
  maxKafkaConsumers: 3,
  defaultResources: { requests: { cpu: '10m' }, limits: { memory: '64Mi' } },
};

/** What the webhook knows: a CappConfig, and the Capps of others. */
export function facts(spec: object | null = CONFIG, others: readonly object[] = []): SiteKnown {
  const configs = spec === null ? [] : [{ metadata: HEAD, spec } as KubeObject];
  const by = (_: string, hostname: string): object[] =>
    others.filter((one) => at(one, 'spec', 'routeSpec', 'hostname') === hostname);
  const none = { list: () => [] };
  const caches = {
    configs: { list: () => configs },
    autoscaleDefaults: none,
    dnsConfig: none,
    capps: { by },
  };
  return siteKnownFrom(caches as never, place, nothingPending());
}

/** What it says of a Capp. Throws when the path has no rules. */
export function judged(
  path: string,
  object: unknown,
  { before = null, known = facts() }: { before?: unknown; known?: SiteKnown } = {},
) {
  const result = applySiteRules(path, asked(object, before), known);
  if (result === null) throw new Error(`There are no rules for the path ${path}.`);
  return result;
}

/** What it refuses of a spec, with the field of each. */
export const refusals = (spec: object, before: object | null = null, known = facts()): string[] =>
  said(
    judged(PATHS.validateCapp, raw(spec), { before: before === null ? null : raw(before), known }).problems,
  );

/** The template of a Capp with one container. */
export const template = (annotations: object, pod: object = {}) => ({
  configurationSpec: {
    template: { metadata: { annotations }, spec: { containers: [{ name: 'app', image: 'i', ...pod }] } },
  },
});

export const kafka = (given: object) => ({
  eventSourcesSpec: { sources: [{ name: 'topic', kafkaSourceConfiguration: given }] },
});
