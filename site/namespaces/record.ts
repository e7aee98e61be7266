// Records, once for a site, in which Namespaces Capps of a hub ran before anybody asked whether they may.
import type { Capp } from '../../crds/capp/capp.ts';
import type { KnativeService } from '../../crds/kubernetes/knative.ts';
import { CONFIG_MAP } from '../../crds/kubernetes/core.ts';
import { isOfHub, isWorkOfCapp, OPEN_NAMESPACES } from '../../crds/open-namespace.ts';
import type { Kube } from '../../kube/client.ts';
import { isAlreadyExists } from '../../kube/failure.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { Cache } from '../../kube/watch/cache.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import { isOwn } from '../objects/owned.ts';

/** What the site operator's caches show. */
export interface Shown {
  readonly capps: Pick<Cache<Capp>, 'list'>;
  readonly services: Optional<KnativeService>;
  readonly namespaces: Pick<Cache<KubeObject>, 'list' | 'get'>;
}

interface Recorded extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/**
 * Name → uid of each Namespace that is open because of what was there before. What exists of the record
 * counts, so whatever comes to a Namespace later opens none; a repeat reads the record. Throws ApiError.
 */
export async function readRecord(
  kube: Pick<Kube, 'get' | 'create'>,
  watched: Shown,
  place: string,
): Promise<ReadonlyMap<string, string>> {
  const key = { namespace: place, name: OPEN_NAMESPACES };
  const found = await kube.get<Recorded>(CONFIG_MAP, key);
  if (found !== null) return uidsIn(found);
  const { apiVersion, kind } = CONFIG_MAP;
  const record = { apiVersion, kind, metadata: key, data: Object.fromEntries(lived(watched)) };
  try {
    await kube.create<Recorded>(CONFIG_MAP, record);
    return uidsIn(record);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return uidsIn(await kube.get<Recorded>(CONFIG_MAP, key));
}

function uidsIn(record: Pick<Recorded, 'data'> | null): ReadonlyMap<string, string> {
  return new Map(Object.entries(record?.data ?? {}));
}

/**
 * The Namespaces of Capps of a hub of which something has run, and those that a work of the Go operator owns.
 */
function lived(watched: Shown): [string, string][] {
  const ran = new Set(
    watched.capps
      .list()
      .filter((capp) => isOfHub(capp.metadata) && hasRun(watched, capp))
      .map(({ metadata }) => metadata.namespace ?? ''),
  );
  return watched.namespaces
    .list()
    .filter(
      ({ metadata: { name, ownerReferences = [] } }) => ran.has(name) || ownerReferences.some(isWorkOfCapp),
    )
    .map(({ metadata: { name, uid = '' } }) => [name, uid]);
}

/**
 * Only an operator writes a status or a Service: a Capp that has just come has neither, and one that was
 * refused has no Service.
 */
function hasRun({ services }: Shown, capp: Capp): boolean {
  const { name, namespace = '' } = capp.metadata;
  const live = services.served() ? services.get({ namespace, name }) : undefined;
  if (live !== undefined && isOwn(live.metadata, capp)) return true;
  const { conditions = [], ...rest } = capp.status ?? {};
  if (conditions.some(({ reason }) => reason === 'NamespaceClosed')) return false;
  return conditions.length > 0 || Object.keys(rest).length > 0;
}
