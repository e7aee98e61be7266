// Decides whether a Capp may have its hostname, by an index over all Capps and never by DNS.
import { ApplicationFailure } from '@temporalio/common';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { hostnameOf } from '../../../crds/capp/hostname.ts';
import { comparedName, hostnamesOf } from '../../../crds/capp/route-name.ts';
import { closedDomain, closedMessage } from '../../../crds/hub/domains.ts';
import type { RcsConfigSpec } from '../../../crds/hub/rcs-config.ts';
import { areSiblings } from '../../../crds/set/child.ts';
import { isAtLeast, type Cache } from '../../../kube/watch/cache.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key } from '../../../kube/resource.ts';
import { ownerOf, type Claimant } from '../../../workflows/placement/hostname.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { HubCaches } from '../caches.ts';
import { holdsInTime } from '../place/caught-up.ts';

/** What the RCSConfig says of hostnames. */
export interface HostnameRules {
  /** What the sites add to them, if the hub knows it. */
  readonly zone: string | undefined;
  readonly domains: RcsConfigSpec['domains'];
  /** Its key. */
  readonly config: Key;
}

/** Those of the RCSConfig as the cache has it. */
export function hostnameRules({
  caches,
  config,
}: {
  readonly caches: Pick<HubCaches, 'configs'>;
  readonly config: Key;
}): HostnameRules {
  const { dns, domains } = caches.configs.get(config)?.spec ?? {};
  return { zone: dns?.zone, domains, config };
}

type Followed = Pick<Cache<Capp>, 'by' | 'caughtUpWith' | 'onSeen'>;

/**
 * Returns the other Capp that has the hostname, or null. Takes a cache with index `hostname`, the zone that
 * the sites add to hostnames, the Capp as it was just read, and the resourceVersion of a Capp that rang, if
 * any did: the cache must not be older. Throws Conflict if the cache does not get there in time, and
 * ApiError.
 */
export async function rivalOf(
  { kube, capps, zone }: { kube: Kube; capps: Followed; zone: string | undefined },
  capp: Capp,
  version?: string,
): Promise<Claimant | null> {
  const hostname = hostnameOf(capp);
  if (hostname === null) return null;
  const { resourceVersion: own = '' } = capp.metadata;
  const isCaughtUp = await holdsInTime(
    [capps],
    () => capps.caughtUpWith(own) && (version === undefined || capps.caughtUpWith(version)),
  );
  if (
    !isCaughtUp &&
    !(capps.caughtUpWith(own) && version !== undefined && (await isToCome(kube, capp, version)))
  )
    throw behind(capp);
  return knownRival(capps, capp, zone);
}

/** The same as far as the cache knows. */
export function knownRival(
  capps: Pick<Cache<Capp>, 'by'>,
  capp: Capp,
  zone: string | undefined,
): Claimant | null {
  const hostname = hostnameOf(capp);
  if (hostname === null) return null;
  const claim = claimantOf(capp);
  // An earlier object of the same name, which the cache still shows, is no rival, nor is a Capp of the same
  // set.
  const others = hostnamesOf(comparedName(hostname, zone), zone)
    .flatMap((one) => capps.by('hostname', one))
    .filter((other) => !isNamedAs(claim, other.metadata) && !areSiblings(other, capp));
  const owner = ownerOf([claim, ...others.map(claimantOf)]);
  return owner === claim ? null : owner;
}

/** Why the Capp's namespace may not have the hostname, as a sentence; null if it may. */
export function closedTo(capp: Capp, { zone, domains, config }: HostnameRules): string | null {
  const hostname = hostnameOf(capp);
  if (hostname === null) return null;
  const { namespace = '' } = capp.metadata;
  const name = comparedName(hostname, zone);
  const domain = closedDomain(namespace, name, domains);
  if (domain === undefined) return null;
  const { namespace: where, name: named } = config;
  const key = { namespace: where ?? '', name: named };
  return `spec.routeSpec.hostname ${closedMessage({ name, domain, namespace, config: key })}.`;
}

/** The API server itself has not reached that version: any client of Temporal can send a made-up one. */
async function isToCome(
  kube: Kube,
  { metadata: { namespace = '', name } }: Capp,
  version: string,
): Promise<boolean> {
  const { resourceVersion } = await kube.list(CAPP, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    metadataOnly: true,
  });
  return !isAtLeast(resourceVersion, version);
}

/** The message for users. */
export function takenMessage(capp: Capp, { namespace, name }: Claimant): string {
  const hostname = capp.spec.routeSpec?.hostname ?? '';
  return `spec.routeSpec.hostname ${hostname} belongs to Capp ${namespace}/${name}, which is older, so this generation is not sent to a site. Use another hostname, or wait until that Capp is deleted or uses another.`;
}

function claimantOf({ metadata }: Capp): Claimant {
  const { namespace = '', name, uid = '', creationTimestamp = '' } = metadata;
  return { namespace, name, uid, createdAt: creationTimestamp };
}

function isNamedAs(own: Claimant, { namespace, name }: Capp['metadata']): boolean {
  return namespace === own.namespace && name === own.name;
}

function behind({ metadata: { namespace, name } }: Capp): ApplicationFailure {
  const message = `The cache of Capps is behind ${namespace}/${name}, so the owner of its hostname is not known yet`;
  return ApplicationFailure.create({ type: Failure.Conflict, message });
}
