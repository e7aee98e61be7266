// What a set finds and does next: its sites and Capps, what the planner says to them, and which Capps may go.
// Pure, but for the caches that it reads.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { childName } from '../../../crds/set/child.ts';
import { plan } from '../../../workflows/stages/plan/plan.ts';
import type { Plan } from '../../../workflows/stages/types.ts';
import { onHold } from '../rollout/on-hold.ts';
import { standingAt } from '../rollout/refusals.ts';
import { notNow, release, type Leaving, type Released } from '../rollout/removals.ts';
import type { Heard } from '../rollout/requests.ts';
import { namesIn } from '../rollout/whole-names.ts';
import { selectedBy, sitesNamed, type Selected, type SelectOptions } from './selected.ts';
import { isReady, memberOn, type Member, type Seen } from './targets.ts';

/** Capps that one turn writes, and that it deletes. */
export const MOST_WRITTEN = 100;

export interface Look {
  readonly selected: Selected;
  /** All Capps of the set. */
  readonly children: readonly Capp[];
  readonly members: readonly Member[];
  readonly plan: Plan;
  readonly released: Released;
  /** Capps on sites that are no longer selected, by their sites. */
  readonly left: ReadonlyMap<string, Capp>;
  /** How many of them stay. */
  readonly kept: number;
  readonly memory: Heard['memory'];
}

export interface SetToLookAt {
  readonly set: CappSet;
  readonly memory: Heard['memory'];
  /** All Capps of the set. */
  readonly children: readonly Capp[];
}

/** The same for a turn of the set, and for a question what one would do. */
export function planned(options: SelectOptions, { set, memory, children }: SetToLookAt, now: number): Look {
  const selected = decided(selectedBy(options, set), options, children);
  const { members, plan: next } = plannedFor(options, { set, memory, children, selected }, now);
  const left = leftBy(set, selected, children);
  const isKept = set.spec.whenUnselected === 'Keep';
  const leaving = isKept ? [] : [...left.keys()].toSorted();
  const going: Leaving = {
    clusters: leaving,
    ready: leaving.filter((cluster) => isReady(left.get(cluster))),
    staying: children.length - left.size,
    stayingReady: members.filter(({ target }) => target.reachable && target.verdict === 'Ready').length,
    number: selected.number,
    placement: selected.placement,
    selected: selected.sites.length + selected.excluded.length,
    isNamed: selected.isNamed,
    patienceMs: set.spec.strategy.deadlineSeconds * 1_000,
  };
  const isStill = memory.rollout.paused || selected.undecided !== null;
  const released = isStill ? notNow(memory) : release(going, memory, MOST_WRITTEN, now);
  const { removal } = released;
  return {
    selected,
    children,
    members,
    plan: next,
    released,
    left,
    kept: isKept ? left.size : 0,
    memory: { ...memory, rollout: next.rollout, leaving: released.leaving, removal },
  };
}

/** The same look, when Capps could not be written. */
export function withRefused(
  options: SelectOptions,
  set: CappSet,
  { look, refused }: { readonly look: Look; readonly refused: Look['memory']['refused'] },
  now: number,
): Look {
  const memory = { ...look.memory, refused };
  const { members, plan: next } = plannedFor(options, { ...look, set, memory }, now);
  return { ...look, members, plan: next, memory: { ...memory, rollout: next.rollout } };
}

function plannedFor(
  { caches }: SelectOptions,
  { set, memory, children, selected }: SetToLookAt & Pick<Look, 'selected'>,
  now: number,
): Pick<Look, 'members' | 'plan'> {
  const namespace = set.metadata.namespace ?? '';
  const live = new Map(children.map((child) => [child.metadata.name, child]));
  const { rollout } = memory;
  const { strategy } = set.spec;
  const seen: Seen = {
    set,
    revision: rollout.revision,
    others: namesIn(rollout),
    refused: standingAt(memory.refused, strategy.deadlineSeconds, now),
    now,
    capp: (name) => live.get(name) ?? caches.capps.get({ namespace, name }),
  };
  const members = selected.sites.map((site) => memberOn(seen, site));
  const targets = members.map(({ target }) => target);
  const wanted = plan({ targets, strategy, rollout, seed: set.metadata.uid ?? '' }, now);
  return { members, plan: selected.undecided === null ? wanted : onHold(wanted, rollout) };
}

/** Without a decision the set tells of the sites where it is. */
function decided(selected: Selected, options: SelectOptions, children: readonly Capp[]): Selected {
  if (selected.undecided === null) return selected;
  const present = children.map(({ spec }) => spec.site ?? '').filter((site) => site !== '');
  const there = sitesNamed(options, present);
  const { undecided, number, placement } = selected;
  return { ...there, undecided, number, placement, isNamed: false };
}

function leftBy(set: CappSet, selected: Selected, children: readonly Capp[]): Map<string, Capp> {
  if (selected.undecided !== null) return new Map();
  const chosen = [...selected.sites, ...selected.excluded].map(({ cluster }) => cluster);
  const names = new Set(chosen.map((cluster) => childName(set.metadata.name, cluster)));
  const left = children.filter(
    ({ metadata }) => !names.has(metadata.name) && metadata.deletionTimestamp === undefined,
  );
  return new Map(left.map((child) => [child.spec.site ?? child.metadata.name, child]));
}
