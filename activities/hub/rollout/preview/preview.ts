// What would change if an object on many sites were written as it is given: what its next turns would do, by
// the same look and planner. Pure, but for what its sight reads from caches. Nothing is written.
import type { RolloutPlan } from '../../../../crds/rollout/plan.ts';
import { forecast } from '../../../../workflows/stages/forecast.ts';
import { HUB_TIMES } from '../../times.ts';
import { without } from '../removing/apart.ts';
import { lookAt, type Look, type RolloutMember, type Sight } from '../look.ts';
import { answerWith, toldBy, type Foreseen } from './plan-answer.ts';
import type { HeardRequests } from '../requests.ts';

/** Copies that a foreseen turn may delete: all on sites that are left go at once. */
const MOST = 1_000;

export interface Preview<C, M extends RolloutMember, B> {
  readonly look: Look<C, M, B>;
  readonly told: Foreseen;
}

export function previewFor<C, M extends RolloutMember, B>(
  sight: Sight<C, M, B>,
  memory: HeardRequests['memory'],
  now: number,
): Preview<C, M, B> {
  const look = lookAhead(sight, memory, now);
  const told = toldBy(look.undecided, () => {
    const targets = [...look.members, ...look.lost].map(({ target }) => target);
    const { strategy, object } = sight;
    return forecast({ targets, strategy, rollout: memory.rollout, seed: object.metadata.uid ?? '' }, now);
  });
  return { look, told };
}

/** A turn removes nothing before the same sites have been left out for a few seconds. */
function lookAhead<C, M extends RolloutMember, B>(
  sight: Sight<C, M, B>,
  memory: HeardRequests['memory'],
  now: number,
): Look<C, M, B> {
  const first = lookAt(sight, memory, MOST, now);
  if (first.left.length === 0) return first;
  const { leaving } = first.memory;
  return lookAt(sight, { ...memory, leaving }, MOST, now + HUB_TIMES.setHeld.ms);
}

export interface PreviewAnswering<C, M extends RolloutMember, B>
  extends Preview<C, M, B>, Pick<RolloutPlan, 'excluded' | 'changes' | 'moreChanges'> {
  readonly rollout: HeardRequests['memory']['rollout'];
  readonly sight: Pick<Sight<C, M, B>, 'siteOf'>;
  /** Whether a site has another revision, or none. */
  readonly isBehind: (member: M) => boolean;
}

export function answerFor<C, M extends RolloutMember, B>({
  look,
  told,
  rollout,
  sight,
  isBehind,
  ...rest
}: PreviewAnswering<C, M, B>): RolloutPlan {
  const { members, left, released, undecided, kept } = look;
  const isStill = kept > 0 || undecided !== null || rollout.paused;
  return answerWith({
    rollout,
    told,
    offline: members
      .filter((member) => !member.target.reachable && isBehind(member))
      .map(({ site }) => site.cluster),
    removed: {
      sites: isStill ? [] : without(left.map((copy) => sight.siteOf(copy)).toSorted(), released.lost),
      held: released.held,
      kept,
    },
    ...rest,
  });
}
