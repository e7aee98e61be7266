// What a look at a Bundle finds: its sites and works, what the planner says to them, and which works may go.
// Pure, but for the caches that it reads.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Strategy } from '../../../crds/rollout/stages.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { plan } from '../../../workflows/stages/plan/plan.ts';
import type { Plan } from '../../../workflows/stages/types.ts';
import { decisionFor, type Decision } from '../rollout/decision.ts';
import { onHold } from '../rollout/on-hold.ts';
import { standingAt } from '../rollout/refusals.ts';
import { notNow, release, type Released } from '../rollout/removals.ts';
import type { Heard } from '../rollout/requests.ts';
import { namesIn } from '../rollout/whole-names.ts';
import { HUB_TIMES } from '../times.ts';
import { memberOn, type Known, type Member } from './members.ts';
import type { Rendered } from './manifests/render.ts';
import type { Freed } from './owners/heirs.ts';
import type { BundleWork } from './status/seen.ts';
import { sitesOf, type SelectRules, type Site } from './sites.ts';

export interface BundleToLookAt {
  readonly bundle: Bundle;
  readonly strategy: Strategy;
  readonly rendered: Pick<Rendered, 'revision' | 'content'>;
  /** All works of the Bundle. */
  readonly works: readonly BundleWork[];
  readonly freed?: Freed;
  readonly memory: Heard['memory'];
}

export interface Look {
  readonly undecided: Decision['undecided'];
  /** Sites that are selected, and where the Bundle may not go. */
  readonly barred: readonly Site[];
  readonly members: readonly Member[];
  readonly plan: Plan;
  readonly released: Released;
  /** Works on sites that are no longer selected. */
  readonly left: readonly BundleWork[];
  readonly memory: Heard['memory'];
}

/** At most `most` works are released. */
export function lookAt(rules: SelectRules, asked: BundleToLookAt, most: number, now: number): Look {
  const { bundle, works, memory } = asked;
  const decision = decisionFor(rules, bundle);
  const clusters = decision.undecided === null ? decision.clusters : presentOn(works);
  const byCluster = new Map(works.map((work) => [work.metadata.namespace ?? '', work]));
  const sites = sitesOf(rules, bundle, clusters);
  const known = knownOf(asked, memory.refused, now);
  const members = sites
    .filter(({ refusal }) => refusal === null)
    .map((site) => memberOn(known, site, byCluster.get(site.cluster)));
  const next = plannedFor(asked, { members, undecided: decision.undecided }, now);
  const left =
    decision.undecided === null
      ? works.filter(({ metadata }) => !clusters.includes(metadata.namespace ?? ''))
      : [];
  const { undecided } = decision;
  const released =
    memory.rollout.paused || undecided !== null
      ? notNow(memory)
      : releasedOf(asked, { ...decision, clusters }, { left, members }, { most, now });
  return {
    undecided,
    barred: sites.filter(({ refusal }) => refusal !== null),
    members,
    plan: next,
    released,
    left,
    memory: { ...memory, rollout: next.rollout, leaving: released.leaving, removal: released.removal },
  };
}

/** The same look, when works could not be written. */
export function withRefused(
  asked: BundleToLookAt,
  look: Look,
  refused: Readonly<Record<string, Refused>>,
  now: number,
): Look {
  const known = knownOf(asked, refused, now);
  const members = look.members.map(({ site, work }) => memberOn(known, site, work));
  const { undecided } = look;
  const next = plannedFor({ ...asked, memory: look.memory }, { members, undecided }, now);
  return { ...look, members, plan: next, memory: { ...look.memory, rollout: next.rollout, refused } };
}

function knownOf(
  { rendered, strategy, memory, freed }: BundleToLookAt,
  refused: Look['memory']['refused'],
  now: number,
): Known {
  const standing = standingAt(refused, strategy.deadlineSeconds, now);
  const force = freed === undefined ? {} : { freed };
  return { rendered, others: namesIn(memory.rollout), refused: standing, ...force, now };
}

function plannedFor(
  { bundle, strategy, memory }: Pick<BundleToLookAt, 'bundle' | 'strategy' | 'memory'>,
  { members, undecided }: Pick<Look, 'members' | 'undecided'>,
  now: number,
): Plan {
  const { rollout } = memory;
  const targets = members.map(({ target }) => target);
  const wanted = plan({ targets, strategy, rollout, seed: bundle.metadata.uid ?? '' }, now);
  return undecided === null ? wanted : onHold(wanted, rollout);
}

function presentOn(works: readonly BundleWork[]): string[] {
  return works.filter(isStanding).map(({ metadata }) => metadata.namespace ?? '');
}

function isStanding({ metadata }: BundleWork): boolean {
  return metadata.deletionTimestamp === undefined;
}

function releasedOf(
  { works, memory, strategy }: BundleToLookAt,
  { clusters, number, placement, isNamed }: Decision,
  { left, members }: Pick<Look, 'left' | 'members'>,
  { most, now }: { readonly most: number; readonly now: number },
): Released {
  const going = left.filter(isStanding);
  const deletableAt = Math.max(0, ...going.map(takenUpAt));
  // Each that is released is counted, so none is released that cannot be deleted yet.
  if (!isNamed && deletableAt > now) return { ...notNow(memory), wakeAt: deletableAt };
  const clustersOf = (some: readonly BundleWork[]): string[] =>
    some.map(({ metadata }) => metadata.namespace ?? '').toSorted();
  return release(
    {
      clusters: clustersOf(going),
      ready: clustersOf(going.filter(({ seen }) => seen.state === 'Ready')),
      staying: works.length - left.length,
      stayingReady: members.filter(({ target }) => target.reachable && target.verdict === 'Ready').length,
      number,
      placement,
      selected: clusters.length,
      isNamed,
      patienceMs: strategy.deadlineSeconds * 1_000,
    },
    memory,
    most,
    now,
  );
}

/** As `removeWork` sees it, in milliseconds since the epoch. */
function takenUpAt({ metadata, seen }: BundleWork): number {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return seen.isTakenUp || Number.isNaN(created) ? 0 : created + HUB_TIMES.workAgent.ms;
}
