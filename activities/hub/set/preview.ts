// What would change if a set were written as it is given: what its next turns would do, by the same planning,
// selection and rendering. It reads caches alone, and nothing is written.
import type { Capp } from '../../../crds/capp/capp.ts';
import { CappSetSpec, type CappSet } from '../../../crds/set/cappset.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import { revisionOf, type RevisionContent } from '../../../crds/set/render.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import type { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { SET_SITE_REASONS } from '../../../crds/set/status.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { memoryOf } from '../rollout/memory.ts';
import { answerFor, previewFor } from '../rollout/preview/preview.ts';
import { heard, type HeardRequests } from '../rollout/requests.ts';
import { withWholeNames } from '../rollout/memory.ts';
import { changesIn } from './preview-changes.ts';
import type { SelectOptions } from './selected.ts';
import { sightOf } from './sight.ts';

export interface PreviewedSet {
  /** As it would be written, with the status that it has. */
  readonly set: CappSet;
  /** All Capps of the set, as they are now. */
  readonly children: readonly Capp[];
  /** Templates of revisions that Capps have, by their whole names, as far as they are known. */
  readonly patterns: ReadonlyMap<string, RevisionContent>;
  /** When it aborts, no more sites are looked at. */
  readonly signal?: AbortSignal;
}

/**
 * Null for a set that cannot be read. However large the set is, it holds the thread for moments only. Throws
 * the reason of the signal once that is aborted.
 */
export async function previewOf(
  options: SelectOptions,
  { set: given, children, patterns, signal }: PreviewedSet,
  now: number,
): Promise<RolloutPlan | null> {
  const parsed = CappSetSpec.safeParse(given.spec);
  if (!parsed.success) return null;
  const set = { ...given, spec: parsed.data };
  const revision = revisionOf(set.spec);
  const known = new Map(patterns).set(revision, set.spec);
  const { memory } = heard(set, remembered({ set, children, patterns: known }, revision, now), now);
  const { rollout } = memory;
  const sight = await sightOf(options, set, children, signal);
  const preview = previewFor(sight, memory, now);
  return answerFor({
    ...preview,
    rollout,
    sight,
    isBehind: ({ child }) =>
      child === null || !isSameRevision(writtenOf(child.metadata)?.revision ?? '', rollout.revision),
    excluded: preview.look.barred.map(({ cluster, reason }) => ({ site: cluster, reason })),
    ...(await changesIn(preview.look, preview.told, { patterns: known, signal })),
  });
}

/** As the workflow has it, so far as the status says: of what was refused it names the first twenty sites. */
function remembered(
  { set, children, patterns }: PreviewedSet,
  revision: string,
  now: number,
): HeardRequests['memory'] {
  const memory = memoryOf(set, null);
  const known = withWholeNames(memory.rollout, [...patterns.keys()]);
  const rollout = begin(known, revision, now);
  if (rollout !== known) return { ...memory, rollout };
  return { ...memory, rollout, refused: refusedIn(set, children, now) };
}

const REFUSALS: ReadonlySet<string> = new Set(
  SET_SITE_REASONS.filter((reason) =>
    ['NameTaken', 'Overridden', 'Rejected', 'MissingLabel', 'RevisionGone'].includes(reason),
  ),
);

function refusedIn({ status }: CappSet, children: readonly Capp[], now: number): Record<string, RefusedCopy> {
  const of = (name: string) => children.find(({ metadata }) => metadata.name === name);
  return Object.fromEntries(
    (status?.failing ?? [])
      .filter(({ reason }) => REFUSALS.has(reason))
      .map(({ site, capp, reason, message }) => [
        site,
        {
          revision: status?.revision ?? '',
          reason,
          message,
          at: now,
          generation: of(capp)?.metadata.generation ?? null,
        },
      ]),
  );
}
