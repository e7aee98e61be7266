// The history of a Capp on the hub: a CappRevision for each generation that is shipped. It has the number of
// its generation, so that two tries mean the same object.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import {
  CAPP_REVISION,
  isRevisionOf,
  numberOf,
  revisionName,
  templateOf,
  type CappRevision,
} from '../../../crds/capp-revision.ts';
import { REVISIONS_KEPT } from '../../../crds/hub/rcs-config.ts';
import {
  CAPP_OF_REVISION,
  LAST_UPDATED_BY,
  MANAGED_BY,
  MANAGED_BY_HUB,
  ROLLED_BACK_TO,
} from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError, isAlreadyExists } from '../../../kube/failure.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import type { State } from '../../../workflows/capp/state.ts';

/** This generation was shipped before, so its revision was made then. What sites can write does not count. */
export function isKept({ metadata: { uid = '', generation = 0 } }: Capp, { copies }: State): boolean {
  return Object.values(copies).some(({ stamp }) => stamp?.startsWith(`${uid}/${generation}/`) === true);
}

/**
 * Makes the revision of this generation, and removes the oldest above the limit. A repeat finds what is
 * there; `isThere`: it probably is, so it is looked for first. What the API server refuses, such as by a
 * quota or without the kind, holds up no rollout. Throws ApiError while the API server does not answer.
 */
export async function keepRevision(
  kube: Kube,
  capp: Capp,
  kept: () => number = () => REVISIONS_KEPT,
  isThere = false,
): Promise<void> {
  try {
    const limit = kept();
    const wanted = revisionOf(capp);
    if (isThere && isSame(wanted, await kube.getMetadata(CAPP_REVISION, keyOf(wanted)))) return;
    await make(kube, wanted);
    if ((capp.metadata.generation ?? 0) > limit) await prune(kube, capp, limit);
  } catch (error) {
    if (!(error instanceof ApiError) || isPassing(error)) throw error;
  }
}

function isPassing({ code }: ApiError): boolean {
  return code === 0 || code === 409 || code === 429 || code >= 500;
}

/**
 * A revision of an earlier Capp of this name gives way: nothing owns it any more. If it does not, because of
 * somebody's finalizer, this generation is shipped without a revision.
 */
async function make(kube: Kube, wanted: CappRevision): Promise<void> {
  if (await isMade(kube, wanted)) return;
  const found = await kube.getMetadata(CAPP_REVISION, keyOf(wanted));
  if (isSame(wanted, found)) return;
  if (found?.metadata.uid !== undefined && found.metadata.deletionTimestamp === undefined)
    await kube.remove(CAPP_REVISION, keyOf(wanted), { uid: found.metadata.uid });
  await isMade(kube, wanted);
}

function isSame({ metadata }: CappRevision, found: KubeObject | null): boolean {
  return found !== null && isRevisionOf(metadata.ownerReferences?.[0]?.uid, found);
}

/** False if an object has the name. */
async function isMade(kube: Kube, wanted: CappRevision): Promise<boolean> {
  try {
    await kube.create(CAPP_REVISION, wanted);
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    throw error;
  }
}

async function prune(kube: Kube, { metadata }: Capp, limit: number): Promise<void> {
  const { namespace = '', name, uid } = metadata;
  const labelSelector = `${CAPP_OF_REVISION}=${name}`;
  const { items } = await kube.list<KubeObject>(CAPP_REVISION, { namespace, labelSelector });
  const own = items.filter((one) => isRevisionOf(uid, one)).toSorted((a, b) => numberOf(b) - numberOf(a));
  for (const old of own.slice(limit))
    await kube.remove(CAPP_REVISION, keyOf(old), { uid: old.metadata.uid ?? '' });
}

export function revisionOf(capp: Capp): CappRevision {
  const { name, namespace = '', uid = '', generation = 0, annotations } = capp.metadata;
  const { rollback } = capp.status ?? {};
  const by = annotations?.[LAST_UPDATED_BY];
  const isBack = rollback?.result === 'RolledBack' && rollback.generation === generation;
  return {
    apiVersion: CAPP_REVISION.apiVersion,
    kind: CAPP_REVISION.kind,
    metadata: {
      name: revisionName(name, generation),
      namespace,
      labels: { [CAPP_OF_REVISION]: name, [MANAGED_BY]: MANAGED_BY_HUB },
      annotations: {
        ...(by === undefined ? {} : { [LAST_UPDATED_BY]: by }),
        ...(isBack ? { [ROLLED_BACK_TO]: String(rollback.to) } : {}),
      },
      ownerReferences: [{ apiVersion: CAPP.apiVersion, kind: CAPP.kind, name, uid }],
    },
    spec: { revisionNumber: generation, cappTemplate: templateOf(capp) },
  };
}
