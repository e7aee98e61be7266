// Keeps the templates of a set's revisions, so that a rollout can go back to one of them.
import { SET } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { Pattern } from '../../../crds/set/render.ts';
import {
  SET_REVISION_KIND,
  SET_REVISIONS_KEPT,
  setRevisionName,
  type SetRevision,
} from '../../../crds/set/set-revision.ts';
import type { Kube } from '../../../kube/client.ts';
import { keep, keptOf, type Keeping } from '../rollout/kept.ts';

const SETS: Keeping = {
  owner: CAPP_SET,
  revisions: SET_REVISION_KIND,
  most: SET_REVISIONS_KEPT,
  labels: ({ metadata }) => ({ [SET]: metadata.name }),
  nameOf: setRevisionName,
};

/** Creates the revision if there is none, and deletes the oldest that nothing needs. A repeat finds it. Throws ApiError. */
export async function keepRevision(
  kube: Kube,
  set: CappSet,
  revision: string,
  needed: readonly (string | null)[],
): Promise<void> {
  const { template, overrides } = set.spec;
  const spec = { revision, template, ...(overrides === undefined ? {} : { overrides }) };
  await keep(kube, SETS, set, { revision, spec, needed });
}

/** Null if it is no longer kept. Throws ApiError. */
export async function patternOf(kube: Kube, set: CappSet, revision: string): Promise<Pattern | null> {
  return (await keptOf<SetRevision>(kube, SETS, set, revision))?.spec ?? null;
}
