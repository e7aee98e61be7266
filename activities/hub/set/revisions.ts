// Keeps the templates of a set's revisions, so that a rollout can go back to one of them.
import { SET } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import { revisionOf, type RevisionContent } from '../../../crds/set/render.ts';
import {
  SET_REVISION_KIND,
  SET_REVISIONS_KEPT,
  setRevisionNames,
  type SetRevision,
} from '../../../crds/set/set-revision.ts';
import type { Kube } from '../../../kube/client.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { keep, keptOf, type Keeping } from '../rollout/kept.ts';
import { shortIn } from '../rollout/memory.ts';

const SETS: Keeping = {
  owner: CAPP_SET,
  revisions: SET_REVISION_KIND,
  most: SET_REVISIONS_KEPT,
  labels: ({ metadata }) => ({ [SET]: metadata.name }),
  namesOf: setRevisionNames,
};

/**
 * Creates the revision if there is none, and deletes the oldest that nothing needs. A repeat finds it. Throws
 * ApiError.
 */
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
export async function patternOf(
  kube: Pick<Kube, 'get'>,
  set: CappSet,
  revision: string,
): Promise<RevisionContent | null> {
  const spec = (await keptOf<SetRevision>(kube, SETS, set, revision))?.spec ?? null;
  // Two templates may begin with the same digits.
  return spec === null || !isSameRevision(revisionOf(spec), revision) ? null : spec;
}

/**
 * Whole names of revisions to which an earlier version gave short ones. They come from the templates that are
 * kept, so each belongs to exactly one template.
 */
export async function wholeNamesOf(
  kube: Kube,
  set: CappSet,
  { rollout }: Pick<RolloutMemory, 'rollout'>,
): Promise<string[]> {
  const kept = await Promise.all(shortIn(rollout).map((short) => patternOf(kube, set, short)));
  return kept.flatMap((pattern) => (pattern === null ? [] : [revisionOf(pattern)]));
}
