// Whether a Capp may have the hostname that it asks for: looked up among all Capps by index, never in DNS.
import { ApplicationFailure } from '@temporalio/common';
import type { Capp } from '../../crds/capp.ts';
import { hostnameOf } from '../../crds/hostname.ts';
import type { Cache } from '../../kube/cache.ts';
import { ownerOf, type Claimant } from '../../workflows/decide/hostname.ts';
import { Failure } from '../../workflows/failures.ts';
import { patiently } from './caught-up.ts';

/**
 * The other Capp that has the hostname a Capp asks for, or null. Takes a cache with index `hostname`, the Capp as it was just read, and the
 * resourceVersion of a Capp that rang, if any did: the cache must not be older. Throws Conflict if it does not get there.
 */
export async function rivalOf(capps: Pick<Cache<Capp>, 'by' | 'caughtUpWith'>, capp: Capp, mark?: string): Promise<Claimant | null> {
  const hostname = hostnameOf(capp);
  if (hostname === null) return null;
  const marks = [capp.metadata.resourceVersion, mark].filter((one) => one !== undefined);
  if (!(await patiently(() => marks.every((one) => capps.caughtUpWith(one))))) throw behind(capp);
  const own = claimantOf(capp);
  // A namesake that the cache has not forgotten yet is no other.
  const others = capps.by('hostname', hostname).filter(({ metadata }) => !isNamedAs(own, metadata));
  const owner = ownerOf([own, ...others.map(claimantOf)]);
  return owner === own ? null : owner;
}

/** What a user reads of it. */
export function takenMessage(capp: Capp, { namespace, name }: Claimant): string {
  const hostname = capp.spec.routeSpec?.hostname ?? '';
  return `routeSpec.hostname ${hostname} is that of Capp ${namespace}/${name}, which is older, so nothing of this generation is sent to a site. Ask for another, or wait: it goes on by itself when that one goes or asks for another.`;
}

function claimantOf({ metadata }: Capp): Claimant {
  const { namespace = '', name, uid = '', creationTimestamp = '' } = metadata;
  return { namespace, name, uid, createdAt: creationTimestamp };
}

function isNamedAs(own: Claimant, { namespace, name }: Capp['metadata']): boolean {
  return namespace === own.namespace && name === own.name;
}

function behind({ metadata: { namespace, name } }: Capp): ApplicationFailure {
  const message = `The cache of Capps is behind ${namespace}/${name}: whose hostname it is cannot be told yet`;
  return ApplicationFailure.create({ type: Failure.Conflict, message });
}
