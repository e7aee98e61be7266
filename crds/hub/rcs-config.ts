// RCSConfig: the one object by which an operator of the hub says where Capps may go.
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';
import { LONGEST_TTL_S, RECORD_KINDS } from '../dns-record.ts';
import { ResourceQuantities } from '../kubernetes/quantity.ts';

/** Patterns that no hostname may match, and characters of each. */
export const MOST_PATTERNS = 100;
export const LONGEST_PATTERN = 1024;

export const RCS_CONFIG = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'RCSConfig',
  plural: 'rcsconfigs',
  namespaced: true,
} as const;

/** The Go operator's fixed key, ours by default. */
export const RCS_CONFIG_KEY = { namespace: 'rcs-deployer-system', name: 'rcs-config' } as const;

/** Where a Capp may be sent by name: to the clustersets of the placements, or to any site. */
export const PINNINGS = ['ClusterSets', 'Any'] as const;

/** What the names of Bundles' executors on sites tell apart. */
export const BUNDLE_EXECUTORS = ['Namespace', 'HubAndNamespace'] as const;

/** How Secrets of Capps stand in ManifestWorks. */
export const SEALINGS = ['Off', 'Required'] as const;

/** So many CappRevisions a Capp keeps if the RCSConfig does not say. */
export const REVISIONS_KEPT = 10;
const MOST_REVISIONS = 100;

/**
 * The share of the fleet that may turn unhealthy while Capps still move for it, if the RCSConfig does not
 * say.
 */
export const UNHEALTHY_PERCENT = 25;

const NotifiedHost = z.object({
  host: z
    .string()
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/)
    .describe('The name of a host, in small letters, or an IPv4 address; no pattern.'),
  port: z.int().min(1).max(65_535).default(443).describe('The only port of it.'),
  privateAddresses: z
    .array(
      z
        .string()
        .max(43)
        .regex(/^[0-9a-f.:]+\/[0-9]{1,3}$/),
    )
    .max(20)
    .describe(
      'Networks, such as 10.20.0.0/16, in which its address may be although they are not public: private, loopback and link-local ones. Absent: its address must be public.',
    )
    .exactOptional(),
});
export type NotifiedHost = z.infer<typeof NotifiedHost>;

export const RcsConfigSpec = z.object({
  placements: z
    .array(z.string().min(1).max(253))
    .min(1)
    .max(100)
    .describe(
      'Placements that a Capp may name as its site, in the order in which they are tried when it names none.',
    ),
  placementsNamespace: z
    .string()
    .min(1)
    .max(63)
    .default('placements')
    .describe('Where those Placements and their decisions are.'),
  pinning: z
    .enum(PINNINGS)
    .describe(
      'Where a Capp may be sent by the name of a site, in spec.site or by request. ClusterSets, the default: where the placements could decide for it, in a clusterset of theirs that is bound to their namespace. Any: to every site that the hub has accepted.',
    )
    .exactOptional(),
  defaultResources: z
    .looseObject({ limits: ResourceQuantities.exactOptional(), requests: ResourceQuantities.exactOptional() })
    .describe('cpu and memory for containers that do not say.')
    .exactOptional(),
  reservedDomains: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/),
    )
    .max(100)
    .describe(
      "Domains in which no Capp may ask for a hostname: those under which sites answer by themselves (Knative's config-domain), where every other Capp has its name.",
    )
    .exactOptional(),
  domains: z
    .array(
      z.object({
        domain: z
          .string()
          .max(253)
          .regex(/^(\*|[a-z0-9]([-a-z0-9.]*[a-z0-9])?)$/)
          .describe('A domain with its zone, or * for every name that is in no other domain of this list.'),
        namespaces: z
          .array(
            z
              .string()
              .max(63)
              .regex(/^([a-z0-9][-a-z0-9]*\*?|\*)$/),
          )
          .max(100)
          .describe('Namespaces on the hub. A * at the end stands for any ending. None: nobody may.'),
      }),
    )
    .max(100)
    .describe(
      'Whose domains are whose: a Capp may have a hostname in one of these domains only if its namespace is named with it. Of several domains that a name is in, the longest decides. A name that is in none of them is open to all.',
    )
    .exactOptional(),
  dns: z
    .object({
      zone: z
        .string()
        .min(1)
        .max(254)
        .describe(
          'The zone of the records, such as capp-zone.com. It is the zone in the CappConfigs of the sites.',
        ),
      provider: z
        .string()
        .min(1)
        .max(253)
        .describe('The ClusterProviderConfig (or ProviderConfig, with kind Cluster) of the records.'),
      kind: z
        .enum(RECORD_KINDS)
        .describe(
          'Namespaced, the default: record.dns-v2.m.crossplane.io. Cluster: record.dns.crossplane.io, as container-app-operator v0.3.6 uses it.',
        )
        .exactOptional(),
      ttlSeconds: z
        .int()
        .min(1)
        .max(LONGEST_TTL_S)
        .default(LONGEST_TTL_S)
        .describe('For how long resolvers may keep a record. The old copy of a move stays for as long.'),
      allowedTargets: z
        .array(z.string().min(1).max(254))
        .min(1)
        .max(100)
        .describe(
          'The ingress names to which records may lead. Each is a name, or *. and a domain for every name in it. What a site claims is used only if it is here.',
        ),
    })
    .describe('The hub keeps a DNS record for the hostname of each Capp. Absent: it keeps none.')
    .exactOptional(),
  revisionHistoryLimit: z
    .int()
    .min(1)
    .max(MOST_REVISIONS)
    .describe('How many CappRevisions a Capp keeps on the hub. Default 10.')
    .exactOptional(),
  unhealthyPercent: z
    .int()
    .min(0)
    .max(100)
    .describe(
      `No Capp moves because it is unhealthy (spec.migration.unhealthy) while so many percent of all Capps or more, and at least two, have turned unhealthy together, or one with the same images is unhealthy on another site: what they share is to blame. 0: none ever does; 100: others never hold one back. Default ${UNHEALTHY_PERCENT}.`,
    )
    .exactOptional(),
  bundles: z
    .object({
      unrestricted: z
        .array(z.string().min(1).max(63))
        .max(100)
        .describe(
          "Namespaces whose Bundles OCM's work agent applies with its own rights on a site, on any site. Bundles of other namespaces get only what the admins of a site give the executor of that namespace.",
        )
        .exactOptional(),
      executors: z
        .enum(BUNDLE_EXECUTORS)
        .describe(
          "The names to which the admins of sites give rights. Namespace, the default: cappstan-bundles-<namespace>, for every hub of a site. HubAndNamespace: cappstan-bundles-<namespace>.<the first ten hex digits of the SHA-256 of the hub's id>. Another value changes no site: a work gets the other name with its next change.",
        )
        .exactOptional(),
    })
    .describe('What Bundles may do on sites.')
    .exactOptional(),
  secrets: z
    .object({
      sealing: z
        .enum(SEALINGS)
        .describe(
          'Off, the default: ManifestWorks hold the Secrets of Capps as they are. Required: they hold them sealed to the key that the site claims, and a site that claims none gets no Secret.',
        )
        .exactOptional(),
      unsealedBundles: z
        .array(z.string().min(1).max(63))
        .max(100)
        .describe(
          'Namespaces whose Bundles go to sites with their Secrets as they are, although sealing is Required. A Bundle of another namespace is not sent then while it has a Secret with values in it, or reads its manifests from one.',
        )
        .exactOptional(),
    })
    .describe('How Secrets go to sites.')
    .exactOptional(),
  notifications: z
    .object({
      hosts: z
        .array(NotifiedHost)
        .max(100)
        .describe('The hosts to which the notifier may send. None: it sends nothing.'),
    })
    .describe('Where Notifications may be sent.')
    .exactOptional(),
  invalidHostnamePatterns: z
    .array(z.string().max(LONGEST_PATTERN))
    .max(MOST_PATTERNS)
    .default([])
    .describe('Regular expressions that no hostname may match.'),
});
export type RcsConfigSpec = z.infer<typeof RcsConfigSpec>;
export type DnsConfig = NonNullable<RcsConfigSpec['dns']>;

export interface RcsConfig {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: RcsConfigSpec;
}

/** It asks for Secrets to go to sites only sealed. */
export function asksForSealing(config: RcsConfig | null): boolean {
  return config?.spec.secrets?.sealing === 'Required';
}
