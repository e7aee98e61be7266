// Writes a site's scores into its AddOnPlacementScores on the hub, which OCM's scheduler and our own choice
// read.
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { ADD_ON_PLACEMENT_SCORE, type AddOnPlacementScore } from '../../../crds/ocm/placements.ts';
import { SCORE_OBJECTS } from '../../../crds/ocm/add-on.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import { revise, type PublishedScore } from '../../../workflows/score/decide/due.ts';
import { readMeasured } from '../../../workflows/parse/figures.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { acting } from '../../trying.ts';

export interface ScoreCaches {
  readonly scores: Pick<Cache<AddOnPlacementScore>, 'get'>;
  readonly clusters: Pick<Cache<ManagedCluster>, 'get'>;
}

/** Reads the caches only: a run that changes nothing costs no request. */
export function hubPublishScore(kube: Kube, { scores, clusters }: ScoreCaches): Pick<Hub, 'publishScore'> {
  return {
    publishScore: (cluster, said, intervalSeconds) =>
      acting(kube, async (kube) => {
        // Whatever a message calls a cluster: no other namespace gets scores.
        if (clusters.get({ namespace: null, name: cluster }) === undefined) return { written: [] };
        const measured = readMeasured(said);
        const moment = { now: Date.now(), intervalMs: intervalSeconds * 1000 };
        const writes = SCORE_OBJECTS.map(async (name) => {
          const found = scores.get({ namespace: cluster, name }) ?? null;
          const next = revise(found === null ? null : publishedIn(found), measured, moment);
          if (next === null) return [];
          if (found === null) await create(kube, cluster, name);
          await write(kube, { namespace: cluster, name }, next);
          return [name];
        });
        return { written: (await Promise.all(writes)).flat() };
      }),
  };
}

function publishedIn({ status }: AddOnPlacementScore): PublishedScore {
  return {
    figures: status?.scores ?? [],
    validUntil: status?.validUntil === undefined ? null : Date.parse(status.validUntil),
  };
}

/** The API server drops the status of a new object, so the status is a write of its own. */
async function create(kube: Kube, namespace: string, name: string): Promise<void> {
  const { apiVersion, kind } = ADD_ON_PLACEMENT_SCORE;
  await kube
    .create(ADD_ON_PLACEMENT_SCORE, { apiVersion, kind, metadata: { namespace, name } })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
}

/** Writes the whole list: the object is ours, whoever created it. */
async function write(
  kube: Kube,
  key: { namespace: string; name: string },
  { figures, validUntil }: PublishedScore,
): Promise<void> {
  const until = validUntil === null ? null : new Date(validUntil).toISOString().replace(/\.\d+Z$/, 'Z');
  await kube.patch(
    ADD_ON_PLACEMENT_SCORE,
    key,
    { status: { scores: figures, validUntil: until } },
    { subresource: 'status' },
  );
}
