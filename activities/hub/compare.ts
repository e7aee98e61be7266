// Which Capps of a site the hub has not seen as they are now: what an agent says when it starts, against what was last published.
import type { Capp } from '../../crds/capp.ts';
import type { Hub } from '../../workflows/ports.ts';
import type { HubCaches } from './caches.ts';

/** A Capp that the hub does not know, or has placed elsewhere, is none of this site's business: its work is going or gone. */
export function hubCompare(caches: Pick<HubCaches, 'capps'>): Pick<Hub, 'compare'> {
  return {
    compare: async (cluster, entries) => {
      const differing = entries.filter(({ namespace, name, uid, statusHash }) => {
        const capp = caches.capps.get({ namespace, name });
        if (capp === undefined || capp.metadata.uid !== uid || capp.status?.applicationLinks?.site !== cluster) return false;
        return capp.status.migration?.statusHash !== statusHash || isThoughtSilent(capp);
      });
      return { differing: differing.map(({ namespace, name }) => ({ namespace, name })) };
    },
  };
}

/** The hub has said that nobody answers there; an agent that speaks up is the news. */
function isThoughtSilent(capp: Capp): boolean {
  return capp.status?.conditions?.some(({ type, reason }) => type === 'Available' && reason === 'AgentSilent') === true;
}
