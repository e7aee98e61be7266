// Whether the hub has shipped a Capp to a site: by the exact names of its works, which no site can choose.
import { workNamesOf } from '../crds/ocm/work-identity.ts';
import { MANIFEST_WORK } from '../crds/ocm/ocm.ts';
import type { Kube } from '../kube/client.ts';
import { GATEWAY_TIMES } from './times.ts';

const MOST_KEPT = 50_000;

/** Only metadata is read: no Secret that a work carries reaches the gateway. Throws ApiError. */
export function worksOfSites(kube: Pick<Kube, 'getMetadata'>, now: () => number = Date.now) {
  const seen = new Map<string, number>();
  const exists = async (cluster: string, name: string): Promise<boolean> => {
    const key = `${cluster}/${name}`;
    if ((seen.get(key) ?? 0) > now()) return true;
    const found = await kube.getMetadata(MANIFEST_WORK, { namespace: cluster, name });
    if (found === null) return false;
    if (seen.size >= MOST_KEPT) seen.clear();
    seen.set(key, now() + GATEWAY_TIMES.work.ms);
    return true;
  };
  return async (
    cluster: string,
    capp: { readonly namespace: string; readonly name: string },
  ): Promise<boolean> => {
    for (const name of workNamesOf(capp)) if (await exists(cluster, name)) return true;
    return false;
  };
}
