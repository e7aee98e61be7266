// One turn of an object on many sites: looks at it and its copies, does what is due, and writes the status.
// The kinds differ in what `kind.ts` names.
import { isDeepStrictEqual } from 'node:util';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { addFinalizer } from '../../../kube/finalizer.ts';
import {
  FULL_TURN,
  type FleetKind,
  type FleetRef,
  type Fleets,
  type TurnAsk,
  type Turned,
} from '../../../workflows/fleet/port.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { acting, tryNumber } from '../../trying.ts';
import type { EventRecorder } from '../status/events.ts';
import { HUB_TIMES } from '../times.ts';
import type { FleetObject, Kind, TurnOutcome, Rolling, FleetNews, RemovedCopies, Shipped } from './kind.ts';
import { lookAt, withRefused, type Look, type RolloutMember } from './look.ts';
import { memoryOf, withWholeNames } from './memory.ts';
import { noteRemovals, noteWayBack } from './noted.ts';
import { retriedAt } from './refusals.ts';
import { withoutMissing } from './removing/removal-memory.ts';
import type { ReleasedCopies } from './removing/removals.ts';
import { hasUntried, stuckAfter } from './removing/stuck.ts';
import { heard, type HeardRequests } from './requests.ts';
import { newestShipped, refusedAfter } from './shipped.ts';
import { earliest } from '../../../workflows/types/clock.ts';

/** One turn with a Kube for this try. */
export type FleetTurn = (kube: Kube, ref: FleetRef, ask: TurnAsk) => Promise<Turned>;

export function hubFleets(kube: Kube, turns: Readonly<Record<FleetKind, FleetTurn>>): Fleets {
  return {
    turnFleet: (ref, ask) => acting(kube, (within) => turns[ref.kind](within, ref, ask)),
  };
}

/** One turn of a CappSet or a Bundle. Writes nothing that is unchanged, so a repeat is safe. */
export function turnOf<O extends FleetObject, C, M extends RolloutMember, B>(
  kind: Kind<O, C, M, B>,
  events: EventRecorder,
): FleetTurn {
  return async (kube, ref, ask) => {
    if (!(await kind.isCaughtUp(ask.minimumVersions, ref))) return { outcome: 'Behind' };
    // The caches do not have yet what a turn that met a Conflict has written.
    return retryOnConflict((tries) => {
      const isAgain = ask.isAgain || tryNumber() > 1 || tries > 1;
      return turn({ kind, events, kube }, ref, { ...ask, isAgain });
    });
  };
}

interface Turning<O extends FleetObject, C, M extends RolloutMember, B> {
  readonly kind: Kind<O, C, M, B>;
  readonly events: EventRecorder;
  readonly kube: Kube;
}

async function turn<O extends FleetObject, C, M extends RolloutMember, B>(
  turning: Turning<O, C, M, B>,
  ref: FleetRef,
  { memory: given, most, isAgain }: TurnAsk,
): Promise<Turned> {
  const { kind, kube } = turning;
  const { found, copies } = await kind.read(kube, ref, isAgain);
  if (found === null || found.metadata.deletionTimestamp !== undefined)
    return end(turning, ref, found, given);
  const memory = memoryOf(found, given);
  const rolling = await kind.prepare(kube, found, copies, memory);
  const now = Date.now();
  if ('reason' in rolling) {
    const told = kind.tellRefused(found, rolling, now);
    await publish(turning, found, told);
    return turned({ memory, says: told.says });
  }
  const { object, told, ...progress } = await goOn(turning, { rolling, memory, most, now });
  await publish(turning, object, told);
  return turned({ ...progress, says: told.says });
}

type Answer = Extract<Turned, { outcome: 'Turned' }>;

function turned(answer: Pick<Answer, 'memory' | 'says'> & Partial<Answer>): Turned {
  return { outcome: 'Turned', isMore: false, minimumVersions: {}, wakeAt: null, ...answer };
}

async function end<O extends FleetObject, C, M extends RolloutMember, B>(
  turning: Turning<O, C, M, B>,
  ref: FleetRef,
  object: O | null,
  memory: RolloutMemory | null,
): Promise<Turned> {
  const ending = await turning.kind.end(turning.kube, ref, object, Date.now());
  if (ending.outcome === 'Gone') return ending;
  // The next turn reads what is there now.
  if (ending.outcome === 'Alive') return { outcome: 'Behind' };
  const { told, isMore, wakeAt } = ending;
  if (object !== null && told !== null) await publish(turning, object, told);
  const says = told?.says ?? `**${ref.namespace}/${ref.name}** is gone, and copies of it are being deleted.`;
  const remembered = object === null ? memory : memoryOf(object, memory);
  return turned({ memory: remembered, isMore, wakeAt, says });
}

/** A status that rests on an older read than another's does not replace it: that is a Conflict. */
async function publish<O extends FleetObject, C, M extends RolloutMember, B>(
  { kind, kube, events }: Turning<O, C, M, B>,
  object: O,
  { status, happening }: FleetNews,
): Promise<void> {
  if (isDeepStrictEqual(object.status, JSON.parse(JSON.stringify(status)))) return;
  const { resource, fieldManager } = kind;
  await applyStatus(kube, resource, object, { status, fieldManager, asRead: true });
  if (happening !== null) events.note(object, happening);
}

interface ToGoOn<O extends FleetObject, C, M extends RolloutMember, B> {
  readonly rolling: Rolling<O, C, M, B>;
  readonly memory: RolloutMemory;
  readonly most: number;
  readonly now: number;
}

/** Begins a new revision, hears what people ask, plans, writes, removes, and says how it stands. */
async function goOn<O extends FleetObject, C, M extends RolloutMember, B>(
  { kind, kube }: Turning<O, C, M, B>,
  { rolling, memory: remembered, most, now }: ToGoOn<O, C, M, B>,
): Promise<Omit<Answer, 'outcome' | 'says'> & { readonly object: O; readonly told: FleetNews }> {
  const { sight } = rolling;
  const { memory, asked } = heard(rolling.object, await begun(rolling, remembered, now), now);
  const refused = await rolling.standing(memory.refused, now);
  const look = lookAt(sight, { ...memory, refused }, most, now);
  const guarded = await withFinalizer(kind, kube, rolling, look.plan.advance.length);
  const { resource, fieldManager } = kind;
  const turning = { ...look, memory, asked, fieldManager };
  const back = await noteWayBack(kube, resource, guarded, turning);
  const shipped = await rolling.ship(back.object, look, most, now);
  const noting = { ...look, asked: back.asked, fieldManager };
  const noted = await noteRemovals(kube, resource, back.object, noting);
  const removed = await rolling.remove(noted.object, look);
  const markers = refusedAfter(look, shipped, (member) => rolling.generationOf(member), now);
  const isNews = !isDeepStrictEqual(markers, look.memory.refused);
  const looked = isNews ? withRefused(sight, look, markers, now) : look;
  const after = { ...looked, memory: withMissing(looked, missingIn(looked.released, removed)) };
  const outcome: TurnOutcome<C, M, B> = { ...removed, look, after, shipped, asked: noted.asked };
  return {
    object: noted.object,
    told: rolling.tell(noted.object, outcome, now),
    memory: after.memory,
    isMore: isMoreAfter(outcome, most),
    minimumVersions: newestShipped(shipped, kind.copies.kind),
    wakeAt: wakeAt(rolling, outcome, now),
  };
}

/** What a new revision ships is kept before any of it is written. */
async function begun<O extends FleetObject, C, M extends RolloutMember, B>(
  rolling: Rolling<O, C, M, B>,
  memory: RolloutMemory,
  now: number,
): Promise<HeardRequests['memory']> {
  const { revision } = rolling;
  const known = withWholeNames(memory.rollout, [...(await rolling.wholeNames(memory.rollout)), revision]);
  const rollout = begin(known, revision, now);
  if (rollout === known) return { ...memory, rollout };
  await rolling.keep([revision, rollout.settled, rollout.before, ...rollout.halfway]);
  return { ...memory, rollout, refused: {} };
}

/** With our finalizer before there is a copy. */
async function withFinalizer<O extends FleetObject, C, M extends RolloutMember, B>(
  { resource, finalizer }: Kind<O, C, M, B>,
  kube: Kube,
  { object, sight }: Rolling<O, C, M, B>,
  toWrite: number,
): Promise<O> {
  if (toWrite === 0 && sight.copies.length === 0) return object;
  return addFinalizer<O>(kube, resource, object, finalizer);
}

/** With what is to be remembered of copies that were to go and did not. */
function withMissing<C, M extends RolloutMember, B>(
  { memory: { stuck: before, ...memory }, released }: Look<C, M, B>,
  missing: readonly string[],
): Look<C, M, B>['memory'] {
  const stuck = stuckAfter(before, released, missing);
  const removal = withoutMissing(released, missing);
  return { ...memory, removal, ...(stuck.length === 0 ? {} : { stuck }) };
}

/** Of those that were to go and were charged, those that are still there. */
function missingIn(
  { clusters }: Pick<ReleasedCopies, 'clusters'>,
  { unremoved, changed, unanswered = [] }: Omit<RemovedCopies, 'pending'>,
): string[] {
  const left = new Set([...unremoved.map(({ cluster }) => cluster), ...changed, ...unanswered]);
  return clusters.filter((cluster) => left.has(cluster));
}

function isMoreAfter<C, M extends RolloutMember, B>(
  { look: { released, plan }, after, shipped, isMore = false, ...removed }: TurnOutcome<C, M, B>,
  most: number,
): boolean {
  const isUntried = after.plan.advance.some(({ cluster }) => (shipped.get(cluster)?.is ?? 'left') === 'left');
  // Where a full turn could write none, others are no better off at once.
  const isUnordered =
    (after.plan.verify ?? []).some(({ cluster }) => !shipped.has(cluster)) &&
    (most < FULL_TURN || (plan.verify ?? []).some(({ cluster }) => hasCome(shipped.get(cluster))));
  const isFull = released.held === 0 && released.clusters.length === most;
  // Where none could go, others are tried at once, and these are looked at again later.
  const missing = missingIn(released, removed).length;
  const isBlocked = removed.pending + missing >= most;
  const mayOthers = removed.pending === 0 && hasUntried(released, after.memory.stuck);
  return isUntried || isUnordered || isMore || (isFull && (!isBlocked || mayOthers));
}

/** To its site, as far as it was to. */
function hasCome(one: Shipped | undefined): boolean {
  return one?.is === 'there' || (one?.is === 'waits' && one.refusal === null);
}

function wakeAt<O extends FleetObject, C, M extends RolloutMember, B>(
  rolling: Rolling<O, C, M, B>,
  outcome: TurnOutcome<C, M, B>,
  now: number,
): number | null {
  const { plan, released, members, memory } = outcome.after;
  return earliest([
    plan.wakeAt,
    released.wakeAt,
    retriedAt(memory.refused, now),
    ...members.map(({ settlesAt }) => settlesAt),
    outcome.pending > 0 ? now + HUB_TIMES.removalPending.ms : null,
    outcome.changed.length > 0 ? now + HUB_TIMES.removalChanged.ms : null,
    outcome.unremoved.length > 0 ? now + HUB_TIMES.removalRefused.ms : null,
    (outcome.unanswered ?? []).length > 0 ? now + HUB_TIMES.removalRefused.ms : null,
    ...rolling.wakes(outcome, now),
  ]);
}
