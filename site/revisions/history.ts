// Keeps the last CappRevisions of a Capp that no hub has shipped; of the others the hub has the history.
import { CAPP_REVISION, isRevisionOf, numberOf, type CappRevision } from '../../crds/capp-revision.ts';
import type { Capp } from '../../crds/capp/capp.ts';
import { APPLIED, ROLLOUT } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { keyOf, keyTextOf, type KubeObject } from '../../kube/resource.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import { BY_CAPP } from '../objects/by-capp.ts';
import { cappRevision, fingerprintIn, fingerprintOf } from './capp-revision.ts';

export interface RevisionHistory {
  /**
   * Makes a revision if the Capp is another one than the newest, and then removes the oldest above the limit;
   * null for a limit that is not known yet. Throws what the client throws; a repeat then finds what was made.
   */
  keep(capp: Capp, limit: number | null): Promise<void>;
  /** The Capp is gone. */
  forget(key: string): void;
}

interface Newest {
  readonly number: number;
  readonly fingerprint: string | undefined;
}

/** `known` has only metadata: ten specs of each Capp would take more memory than all else. */
export function history(
  kube: Pick<Kube, 'create' | 'get' | 'remove'>,
  known: Optional<KubeObject>,
): RevisionHistory {
  /** What was made and may not be in the cache yet. */
  const made = new Map<string, Newest & { readonly of: string | undefined }>();

  /** A number that an earlier Capp of the same name has used is not used again while it is there. */
  function newestOf(capp: Capp, all: readonly KubeObject[]): Newest {
    const own = all.find((one) => isRevisionOf(capp.metadata.uid, one));
    const seen = {
      number: all[0] === undefined ? 0 : numberOf(all[0]),
      fingerprint: own?.metadata.annotations?.[APPLIED],
    };
    const last = made.get(keyTextOf(capp));
    const isNewer = last !== undefined && last.of === capp.metadata.uid && last.number >= seen.number;
    return isNewer && (last.number > seen.number || seen.fingerprint === undefined) ? last : seen;
  }

  /** container-app-operator has left no fingerprint: what its newest revision says is read once. */
  async function inherited(capp: Capp, all: readonly KubeObject[], newest: Newest): Promise<Newest> {
    const own = all.find((one) => isRevisionOf(capp.metadata.uid, one));
    if (newest.fingerprint !== undefined || own === undefined) return newest;
    const fingerprint = fingerprintIn(await kube.get<CappRevision>(CAPP_REVISION, keyOf(own)));
    if (fingerprint === undefined) return newest;
    made.set(keyTextOf(capp), { ...newest, fingerprint, of: capp.metadata.uid });
    return { ...newest, fingerprint };
  }

  return {
    keep: async (capp, limit) => {
      if (!known.served() || capp.metadata.annotations?.[ROLLOUT] !== undefined) return;
      const all = known.by(BY_CAPP, keyTextOf(capp)).toSorted((a, b) => numberOf(b) - numberOf(a));
      const newest = await inherited(capp, all, newestOf(capp, all));
      const fingerprint = fingerprintOf(capp);
      if (newest.fingerprint !== fingerprint) {
        const number = newest.number + 1;
        await kube.create(CAPP_REVISION, cappRevision(capp, number));
        made.set(keyTextOf(capp), { number, fingerprint, of: capp.metadata.uid });
      }
      const own = all.filter((one) => isRevisionOf(capp.metadata.uid, one));
      if (limit !== null) await prune(kube, own, newest.fingerprint === fingerprint ? limit : limit - 1);
    },
    forget: (key) => void made.delete(key),
  };
}

/**
 * Takes the newest first. After a new one was made: a failure in between leaves one too many, never one too
 * few.
 */
async function prune(
  kube: Pick<Kube, 'remove'>,
  revisions: readonly KubeObject[],
  kept: number,
): Promise<void> {
  for (const revision of revisions.slice(Math.max(kept, 0))) {
    const { uid, deletionTimestamp } = revision.metadata;
    if (deletionTimestamp !== undefined) continue;
    await kube.remove(CAPP_REVISION, keyOf(revision), uid === undefined ? {} : { uid });
  }
}
