// Since when a site's API server has forbidden what a Capp needs: it may allow it in a moment, because it
// learns of a new Role a little later than of the Capp that came with it.
import type { Capp } from '../../crds/capp/capp.ts';
import { isForbidden } from '../../kube/failure.ts';
import { keyTextOf } from '../../kube/resource.ts';
import { SITE_TIMES } from '../times.ts';

export interface Refusals {
  /**
   * Notes what came of writing what this generation needs; null if it was written. Says whether a refusal is
   * too young to be believed.
   */
  isYoung(capp: Capp, error: Error | null): boolean;
  /** The Capp is gone. */
  forget(key: string): void;
}

export function refusals(now: () => number = Date.now): Refusals {
  const first = new Map<string, { readonly of: string; readonly since: number }>();
  return {
    isYoung: (capp, error) => {
      const key = keyTextOf(capp);
      if (!isForbidden(error?.cause)) {
        first.delete(key);
        return false;
      }
      const of = `${capp.metadata.uid}/${capp.metadata.generation}`;
      const before = first.get(key);
      const since = before?.of === of ? before.since : now();
      first.set(key, { of, since });
      return now() - since < SITE_TIMES.refusalYoung.ms;
    },
    forget: (key) => void first.delete(key),
  };
}
