// What would change if a set were written as it is given: what its next turns would do, by the same planning,
// selection and rendering. Pure, but for the caches that it reads. Nothing is written.
import type { Capp } from '../../../crds/capp/capp.ts';
import { CappSetSpec, type CappSet } from '../../../crds/set/cappset.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import { revisionOf, type Pattern } from '../../../crds/set/render.ts';
import { isSameRevision } from '../../../crds/rollout/revision.ts';
import type { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { SET_SITE_REASONS } from '../../../crds/set/status.ts';
import { forecast } from '../../../workflows/stages/forecast.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { memoryOf } from '../rollout/memory.ts';
import { answerWith, toldBy, type Foreseen } from '../rollout/plan-answer.ts';
import { heard, type Heard } from '../rollout/requests.ts';
import { withWholeNames } from '../rollout/whole-names.ts';
import { HUB_TIMES } from '../times.ts';
import { planned, type Look } from './planned.ts';
import { changesIn } from './preview-changes.ts';
import type { SelectOptions } from './selected.ts';

export interface Previewed {
  /** As it would be written, with the status that it has. */
  readonly set: CappSet;
  /** All Capps of the set, as they are now. */
  readonly children: readonly Capp[];
  /** Templates of revisions that Capps have, as far as they are known. */
  readonly patterns: ReadonlyMap<string, Pattern>;
}

/** Null for a set that cannot be read. */
export function previewOf(
  options: SelectOptions,
  { set: given, children, patterns }: Previewed,
  now: number,
): RolloutPlan | null {
  const parsed = CappSetSpec.safeParse(given.spec);
  if (!parsed.success) return null;
  const set = { ...given, spec: parsed.data };
  const { memory } = heard(set, remembered({ set, children, patterns }, now), now);
  const look = lookOn(options, { set, memory, children }, now);
  const told = toldBy(look.selected.undecided, () => forecast(questionOf(set, look, memory), now));
  return answerOf(look, told, { memory, changes: changesIn(look, told, patterns) });
}

/** A turn removes nothing before the same sites have been left out for a few seconds. */
function lookOn(options: SelectOptions, asked: Parameters<typeof planned>[1], now: number): Look {
  const first = planned(options, asked, now);
  if (first.left.size === 0) return first;
  const { leaving } = first.memory;
  return planned(options, { ...asked, memory: { ...asked.memory, leaving } }, now + HUB_TIMES.setHeld.ms);
}

function questionOf(
  set: CappSet,
  { members }: Look,
  memory: Heard['memory'],
): Parameters<typeof forecast>[0] {
  return {
    targets: members.map(({ target }) => target),
    strategy: set.spec.strategy,
    rollout: memory.rollout,
    seed: set.metadata.uid ?? '',
  };
}

/** As the workflow has it, so far as the status says: of what was refused it names the first twenty sites. */
function remembered({ set, children, patterns }: Previewed, now: number): Heard['memory'] {
  const memory = memoryOf(set, null);
  const revision = revisionOf(set.spec);
  const wholes = [...patterns.values()].map((pattern) => revisionOf(pattern));
  const known = withWholeNames(memory.rollout, [...wholes, revision]);
  const rollout = begin(known, revision, now);
  if (rollout !== known) return { ...memory, rollout };
  return { ...memory, rollout, refused: refusedIn(set, children, now) };
}

const REFUSALS: ReadonlySet<string> = new Set(
  SET_SITE_REASONS.filter((reason) =>
    ['NameTaken', 'Overridden', 'Rejected', 'MissingLabel', 'RevisionGone'].includes(reason),
  ),
);

function refusedIn({ status }: CappSet, children: readonly Capp[], now: number): Record<string, Refused> {
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

function answerOf(
  { selected, members, released, left, kept }: Look,
  told: Foreseen,
  {
    memory: { rollout },
    changes,
  }: { readonly memory: Heard['memory'] } & {
    readonly changes: Pick<RolloutPlan, 'changes' | 'moreChanges'>;
  },
): RolloutPlan {
  const isBehind = (child: Capp | null): boolean =>
    child === null || !isSameRevision(writtenOf(child.metadata)?.revision ?? '', rollout.revision);
  const isStill = kept > 0 || selected.undecided !== null || rollout.paused;
  return answerWith({
    rollout,
    told,
    offline: members
      .filter(({ target, child }) => !target.reachable && isBehind(child))
      .map(({ site }) => site.cluster),
    excluded: selected.excluded.map(({ cluster, reason }) => ({ site: cluster, reason })),
    removed: { sites: isStill ? [] : [...left.keys()].toSorted(), held: released.held, kept },
    ...changes,
  });
}
