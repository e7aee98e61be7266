// How a rollout begins, and what people may ask of it.
import type { Rollout } from './types.ts';

/** Revisions that are remembered as never having come to their end. */
export const MOST_HALFWAY = 10;
const MOST_RETRIES = 50;

/**
 * A first rollout, or an edit that supersedes the previous one. The same revision again changes nothing. An
 * edit to the settled revision goes back: through the stages from the last to the first, without approvals.
 * When that revision was going through the stages once more is remembered until another one is settled: what
 * it was given to since is not proven.
 */
export function begin(previous: Rollout | null, revision: string, now: number): Rollout {
  if (previous === null) return fresh(revision, now);
  if (previous.revision === revision) return previous;
  const { settled, before, paused, resettledAt } = previous;
  const halfway = [previous.revision, ...previous.halfway].filter(
    (one, at, all) => one !== settled && one !== revision && all.indexOf(one) === at,
  );
  const isBack = revision === settled;
  return {
    ...fresh(revision, now),
    settled,
    before,
    paused,
    ...(resettledAt === undefined ? {} : { resettledAt }),
    halfway: halfway.slice(0, MOST_HALFWAY),
    direction: isBack ? 'Back' : 'Forward',
    cause: isBack ? 'The revision was edited back to the one before.' : null,
  };
}

function fresh(revision: string, now: number): Rollout {
  return {
    revision,
    settled: null,
    before: null,
    direction: 'Forward',
    begunAt: now,
    halfway: [],
    approved: [],
    closed: [],
    paused: false,
    aborted: false,
    retries: {},
    cause: null,
  };
}

/**
 * Lets a stage open once those before it have passed, for this revision only. `at`: of a stage with checks,
 * from when on what they have come to by then holds nobody up any more, unless it has failed.
 */
export function approve(rollout: Rollout, stage: string, at?: number): Rollout {
  const approved = rollout.approved.includes(stage) ? rollout.approved : [...rollout.approved, stage];
  if (at !== undefined) return { ...rollout, approved, decided: { ...rollout.decided, [stage]: at } };
  return approved === rollout.approved ? rollout : { ...rollout, approved };
}

export function pause(rollout: Rollout): Rollout {
  return rollout.paused ? rollout : { ...rollout, paused: true };
}

export function resume(rollout: Rollout): Rollout {
  return rollout.paused ? { ...rollout, paused: false } : rollout;
}

/** No further site gets the revision; those that have it keep it. */
export function abort(rollout: Rollout): Rollout {
  return rollout.aborted ? rollout : { ...rollout, aborted: true };
}

/**
 * Gives failed sites their deadline once more. A rollout that was aborted or has gone back by itself begins
 * again at its first stage, without its approvals.
 */
export function retry(rollout: Rollout, clusters: readonly string[] | 'All', now: number): Rollout {
  const isOver = rollout.aborted || isUndone(rollout);
  if (isOver) return { ...undecided(rollout), ...AGAIN, begunAt: now };
  const before = Object.keys(rollout.retries).length;
  const isMany = clusters === 'All' || before + clusters.length > MOST_RETRIES;
  if (isMany) return { ...rollout, retries: { '*': now } };
  const asked = Object.fromEntries(clusters.map((cluster) => [cluster, now]));
  return { ...rollout, retries: { ...rollout.retries, ...asked } };
}

function undecided({ decided: _decided, ...rollout }: Rollout): Rollout {
  return rollout;
}

const AGAIN = {
  direction: 'Forward',
  aborted: false,
  approved: [],
  closed: [],
  retries: {},
  cause: null,
} as const;

/** Goes back, or has gone back, while another revision is asked for. */
function isUndone({ direction, revision, settled }: Rollout): boolean {
  return direction === 'Back' && revision !== settled;
}
