// CappConfig: what a site's administrators decide for all Capps of the site.
//
// The schema is loose, because every released container-app-operator spelled its fields differently, and a
// strict one would refuse or prune what another version wrote.
export const CAPP_CONFIG = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'CappConfig',
  plural: 'cappconfigs',
  namespaced: true,
} as const;

/** Only objects of this name count. */
export const CAPP_CONFIG_NAME = 'capp-config';
/**
 * container-app-operator's namespace since v0.4.1, and that of v0.3.6. The first one that has the object
 * counts.
 */
export const CAPP_CONFIG_NAMESPACES = ['container-app-operator-system', 'capp-operator-system'] as const;

/** Where one is looked for, in this order. */
export const CAPP_CONFIG_KEYS = CAPP_CONFIG_NAMESPACES.map((namespace) => ({
  namespace,
  name: CAPP_CONFIG_NAME,
}));

const any = (description: string): object => ({
  description,
  'x-kubernetes-preserve-unknown-fields': true,
});

export const CAPP_CONFIG_SCHEMA: object = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    autoscaleConfig: any(
      'What one replica should carry, by metric (concurrency, cpu, memory, rps); activationScale; and the most that a Capp may ask for: minReplicasLimit, maxReplicasLimit, maxScaleDelay in seconds.',
    ),
    dnsConfig: any(
      'zone, which is added to hostnames outside of it; issuerRef (name, kind, group), which signs certificates; cname and provider, for DNS records.',
    ),
    allowedHostnamePatterns: any(
      'A list of match and explanation: a new hostname must match one of the regular expressions, as a whole. Absent: any hostname.',
    ),
    revisionHistoryLimit: any('How many CappRevisions a Capp keeps. Default 10.'),
    defaultResources: any(
      'requests and limits, cpu and memory in each: what containers get that name none, where the webhook of the site runs.',
    ),
    prometheus: any(
      "url, at which the site's Prometheus is asked by checks of apps (docs/verification.md). Its credentials are in a Secret beside the agent.",
    ),
    maxKafkaConsumers: any('The most consumers of one Kafka source. Default 5.'),
  },
};
