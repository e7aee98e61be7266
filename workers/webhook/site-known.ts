// The caches of a site's webhook: the site's Capps, and what its CappConfig says of them.
import type { SiteKnown } from '../../admission/known.ts';
import type { PendingNotes } from '../../admission/pending.ts';
import { CAPP_CONFIG } from '../../crds/capp-config.ts';
import { AUTOSCALE_DEFAULTS, DNS_CONFIG } from '../../crds/former-config.ts';
import { CONFIG_MAP, type ConfigMap } from '../../crds/kubernetes/core.ts';
import { comparedName, hostnamesOf } from '../../crds/capp/route-name.ts';
import type { Kube } from '../../kube/client.ts';
import { cachesOf, type Cache, type OnProblem } from '../../kube/watch/cache.ts';
import type { CappConfig, SiteConfig } from '../../site/config/capp-config.ts';
import { readConfig } from '../../site/config/read.ts';
import { hostnameFault } from '../../site/route/allowed.ts';
import { limited } from '../../site/workload/limits.ts';
import { cappCache, holderOf, type WebhookPlace, type HostnameFields } from './known.ts';

export interface SiteCaches {
  readonly capps: Cache<HostnameFields>;
  readonly configs: Cache<CappConfig>;
  /** What counts where there is none. */
  readonly autoscaleDefaults: Cache<ConfigMap>;
  readonly dnsConfig: Cache<ConfigMap>;
}

export function siteCaches(kube: Kube, onProblem: OnProblem): SiteCaches {
  const caching = cachesOf(kube, onProblem);
  const configMap = ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
    caching<ConfigMap>(CONFIG_MAP, { namespace, fieldSelector: `metadata.name=${name}` });
  return {
    capps: cappCache(kube, onProblem),
    configs: caching<CappConfig>(CAPP_CONFIG),
    autoscaleDefaults: configMap(AUTOSCALE_DEFAULTS),
    dnsConfig: configMap(DNS_CONFIG),
  };
}

/** A view of the caches as of now: do not keep it across an await. */
export function siteKnownFrom(caches: SiteCaches, place: WebhookPlace, pending: PendingNotes): SiteKnown {
  const config = configIn(caches);
  const { zone } = config.dns;
  return {
    ...place,
    config: {
      zone,
      defaultResources: config.defaultResources,
      maxKafkaConsumers: config.maxKafkaConsumers,
      hostnameFault: (names) => hostnameFault(names, config)?.message ?? null,
      limits: config.autoscale.limits,
      limited: (annotations) => limited(annotations, config.autoscale.limits),
    },
    holders: (name) => [
      ...hostnamesOf(name, zone).flatMap((hostname) => caches.capps.by('hostname', hostname).map(holderOf)),
      ...pending.hostnames.of(name, Date.now()),
    ],
  };
}

export function siteHostnameKey(caches: SiteCaches, hostname: string): string {
  return comparedName(hostname, configIn(caches).dns.zone);
}

/** Without a CappConfig, the defaults of the site operator. */
function configIn({ configs, autoscaleDefaults, dnsConfig }: SiteCaches): SiteConfig {
  return readConfig(configs.list(), [...autoscaleDefaults.list(), ...dnsConfig.list()]).config;
}
