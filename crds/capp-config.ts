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
    maxKafkaConsumers: any('The most consumers of one Kafka source. Default 5.'),
  },
};
