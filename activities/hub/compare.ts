// Which Capps of a site the hub has not seen as they are now: what an agent says when it starts, against what was last published.
import { isSaidSilent } from '../../crds/health.ts';
import type { Hub } from '../../workflows/ports.ts';
import type { HubCaches } from './caches.ts';

/** A Capp that the hub does not know, or has placed elsewhere, is none of this site's business: its work is going or gone. */
export function hubCompare(caches: Pick<HubCaches, 'capps'>): Pick<Hub, 'compare'> {
  return {
    compare: async (cluster, entries) => {
      const differing = entries.filter(({ namespace, name, uid, statusHash }) => {
        const capp = caches.capps.get({ namespace, name });
        if (capp === undefined || capp.metadata.uid !== uid || capp.status?.applicationLinks?.site !== cluster) return false;
        // Where nobody is said to answer, an agent that speaks up is the news.
        return capp.status.migration?.statusHash !== statusHash || isSaidSilent(capp.status);
      });
      return { differing: differing.map(({ namespace, name }) => ({ namespace, name })) };
    },
  };
}
