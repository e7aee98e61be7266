// One look at a set: which sites it is for, what its Capps say, what the planner says to that, and what is
// written.
import { isDeepStrictEqual } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { CAPP } from '../../../crds/capp/capp.ts';
import { SET_FINALIZER } from '../../../crds/labels.ts';
import { CAPP_SET, CappSetSpec, type CappSet } from '../../../crds/set/cappset.ts';
import { revisionOf } from '../../../crds/set/render.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import { addFinalizer } from '../../../kube/finalizer.ts';
import type { Kube } from '../../../kube/client.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { SetTurn, SetTurned, Sets } from '../../../workflows/set/port.ts';
import type { SetRef } from '../../../workflows/set/state.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { earliest } from '../../../workflows/stages/sites.ts';
import { acting } from '../../trying.ts';
import type { HubCaches } from '../caches.ts';
import { caughtUp } from '../place/caught-up.ts';
import type { EventRecorder } from '../status/events.ts';
import { HUB_TIMES } from '../times.ts';
import { carryOut, type Done } from './carry-out.ts';
import { liveChildren, lookAt, type LookOptions } from './look.ts';
import { MOST_WRITTEN, withRefused, type Look } from './planned.ts';
import { memoryOf } from '../rollout/memory.ts';
import { noteRemovals } from '../rollout/noted.ts';
import { retriedAt } from '../rollout/refusals.ts';
import { withoutMissing } from '../rollout/removals.ts';
import { heard, type Heard } from '../rollout/requests.ts';
import { withWholeNames } from '../rollout/whole-names.ts';
import { retireSet } from './retire-set.ts';
import { keepRevision, wholeNamesOf } from './revisions.ts';
import { happeningOf, nextStatus, saysOf, type SetTold } from './set-status.ts';

export type SetOptions = LookOptions & { readonly caches: HubCaches; readonly events: EventRecorder };

const FIELD_MANAGER = 'cappstan-set-status';

export function hubSets(options: SetOptions): Sets {
  return {
    turnSet: (ref, turn) => acting(options.kube, (kube) => turnSet({ ...options, kube }, ref, turn)),
  };
}

async function turnSet(options: SetOptions, ref: SetRef, turn: SetTurn): Promise<SetTurned> {
  const { kube, caches } = options;
  if (!(await caughtUp(caches, turn.minimumVersions))) return { outcome: 'Behind' };
  const found = await kube.get<CappSet>(CAPP_SET, ref);
  if (found === null) return { outcome: 'Gone' };
  if (found.metadata.deletionTimestamp !== undefined) return ended(options, found, turn.memory);
  const set = withDefaults(await addFinalizer(kube, CAPP_SET, found, SET_FINALIZER));
  const now = Date.now();
  const before = await begun(kube, set, memoryOf(set, turn.memory), now);
  const { memory, asked } = heard(set, before, now);
  const look = await lookAt(options, set, memory, now);
  const noted = await noteRemovals(kube, CAPP_SET, set, { ...look, asked, fieldManager: FIELD_MANAGER });
  const done = await carryOut({ ...look, kube, set, now, most: MOST_WRITTEN });
  const { refused, unremoved } = done;
  const isNews = !isDeepStrictEqual(refused, look.memory.refused);
  const looked = isNews ? withRefused(options, set, { look, refused }, now) : look;
  const { held, last } = look.released;
  const missing = unremoved.map(({ cluster }) => cluster);
  const after = { ...looked.memory, refused, removal: withoutMissing(look.released, missing) };
  const told: SetTold = { ...looked, memory: after, held, last, unremoved, asked: noted.asked };
  await publish(options, noted.object, told, now);
  return {
    outcome: 'Planned',
    memory: after,
    wakeAt: wakeAt(looked, done, now),
    minimumVersions: done.resourceVersion === '' ? {} : { [CAPP.kind]: done.resourceVersion },
    says: saysOf(set, told),
  };
}

function withDefaults(set: CappSet): CappSet {
  const parsed = CappSetSpec.safeParse(set.spec);
  if (parsed.success) return { ...set, spec: parsed.data };
  const [issue] = parsed.error.issues;
  const message = `CappSet ${set.metadata.name} cannot be read: spec.${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. Apply the CRD of this version.`;
  throw ApplicationFailure.create({ type: Failure.Invalid, message, nonRetryable: true });
}

/** The template of a new revision is kept before anything of it is written. */
async function begun(kube: Kube, set: CappSet, memory: RolloutMemory, now: number): Promise<Heard['memory']> {
  const revision = revisionOf(set.spec);
  const known = withWholeNames(memory.rollout, [...(await wholeNamesOf(kube, set, memory)), revision]);
  const rollout = begin(known, revision, now);
  if (rollout === known) return { ...memory, rollout };
  await keepRevision(kube, set, revision, [revision, rollout.settled, rollout.before, ...rollout.halfway]);
  return { ...memory, rollout, refused: {} };
}

/** Written only if it changed. */
async function publish(
  { kube, events }: SetOptions,
  set: CappSet,
  told: SetTold,
  now: number,
): Promise<void> {
  const status = nextStatus(set, told, now);
  if (status === null) return;
  await applyStatus(kube, CAPP_SET, set, { status, fieldManager: FIELD_MANAGER });
  const happening = happeningOf(set, status);
  if (happening !== null) events.note(set, happening);
}

function wakeAt(
  { plan: planned, released, members }: Look,
  { isMore, unremoved, refused, tried }: Done,
  now: number,
): number | null {
  const isFree = planned.advance.some(({ cluster }) => !tried.has(cluster));
  const soon = isMore || isFree ? now + HUB_TIMES.setSoon.ms : null;
  const again = unremoved.length > 0 ? now + HUB_TIMES.removalRefused.ms : null;
  return earliest([
    planned.wakeAt,
    released.wakeAt,
    soon,
    again,
    retriedAt(refused, now),
    ...members.map(({ countsAt }) => countsAt),
  ]);
}

async function ended(options: SetOptions, set: CappSet, memory: RolloutMemory | null): Promise<SetTurned> {
  const { kube, caches } = options;
  const now = Date.now();
  const children = await liveChildren(kube, set);
  const ending = { kube, caches, set, children };
  const { isGone, isMore, unremoved } = await retireSet(ending, MOST_WRITTEN, now);
  if (isGone) return { outcome: 'Gone' };
  const later = unremoved.length > 0 ? HUB_TIMES.removalRefused : HUB_TIMES.setEnding;
  const { namespace = '', name } = set.metadata;
  return {
    outcome: 'Planned',
    memory: memoryOf(set, memory),
    wakeAt: now + (isMore ? HUB_TIMES.setSoon : later).ms,
    minimumVersions: {},
    says: `**${namespace}/${name}** is being deleted. ${children.length} of its Capps are left.`,
  };
}
