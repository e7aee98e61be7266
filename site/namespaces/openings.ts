// Which Namespaces of the site the Capps of a hub may use, by what the Namespace says and what was recorded.
import type { Capp } from '../../crds/capp/capp.ts';
import { NAMESPACE } from '../../crds/kubernetes/core.ts';
import { isOfHub, isOpen } from '../../crds/open-namespace.ts';
import type { Kube } from '../../kube/client.ts';
import { readRecord, type Shown } from './record.ts';

export interface NamespaceOpenings {
  /**
   * Resolves once the record is read or made. Nothing is written before. Throws ApiError; the next call tries
   * again.
   */
  known(): Promise<unknown>;
  /** Whether the Capp, or what comes with it, may be where it is. Throws ApiError. */
  admits(capp: Pick<Capp, 'metadata'>): Promise<boolean>;
}

export function openings(
  kube: Pick<Kube, 'get' | 'getMetadata' | 'create'>,
  watched: Shown,
  /** The site operator's own Namespace. */
  place: string,
): NamespaceOpenings {
  let reading: Promise<ReadonlyMap<string, string>> | null = null;
  const known = (): Promise<ReadonlyMap<string, string>> =>
    (reading ??= readRecord(kube, watched, place).catch((error: unknown) => {
      reading = null;
      throw error;
    }));
  return {
    known,
    admits: async ({ metadata }) => {
      if (!isOfHub(metadata)) return true;
      const recorded = await known();
      const key = { namespace: null, name: metadata.namespace ?? '' };
      // A work makes the Namespace a moment before the Capp, and the cache may show the Capp first.
      const seen = watched.namespaces.get(key) ?? (await kube.getMetadata(NAMESPACE, key));
      return seen !== null && isOpen(seen.metadata, recorded);
    },
  };
}
