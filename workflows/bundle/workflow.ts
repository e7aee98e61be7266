// The workflow `bundle/<namespace>/<name>`: it takes a turn whenever it is rung, when the plan says so, and
// once a day. A turn reads all that it needs, so this keeps nothing but the rollout and what was rung.
import { describeBundle } from './details.ts';
import type { BundleTurn } from './port.ts';
import { readBundleState, type BundleState } from './state.ts';
import { isFailed, isFinal, messageOf } from '../engine/failed.ts';
import type { Runtime } from '../engine/runtime.ts';
import { inputOf } from '../engine/input.ts';
import { bundleChanged } from '../messages.ts';
import { bundleWorkflowId } from '../names.ts';
import { readRing } from '../parse/ring.ts';
import { newest } from '../types/ring.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A resync without a ring, jittered by a tenth so that Bundles do not come together. */
const RESYNC = 24 * 60 * MINUTE;
/** A cache that does not reach a version in so many turns never will: somebody made it up. */
const MOST_BEHIND = 20;
/** Sites in a turn that holds a workflow task, and in one that does not. */
const FEW = 20;
const MANY = 100;

interface BundleLife {
  readonly runtime: Runtime;
  state: BundleState;
  isRung: boolean;
  /** Why the last turn was refused for good; null if it was not. */
  refusal: string | null;
}

/** Ends when its Bundle is gone. Fails at once when it cannot read its input. */
export async function liveAsBundle(start: unknown, runtime: Runtime): Promise<void> {
  const life: BundleLife = { runtime, state: begin(start, runtime), isRung: true, refusal: null };
  runtime.handle(bundleChanged, (given) => heard(life, given), {
    description:
      'The Bundle, what it reads, its sites or one of its works have changed: it is looked at again',
  });
  let most = FEW;
  for (;;) {
    life.isRung = false;
    const asked = life.state.minimumVersions;
    const turn = await turned(life, most);
    most = turn?.outcome === 'Turned' && turn.isMore ? MANY : FEW;
    if (turn?.outcome === 'Gone' && !life.isRung) return;
    note(life, turn, asked);
    runtime.show(describeBundle(life.state, life.refusal));
    await untilDue(life, turn);
    if (runtime.isLong()) await checkpoint(life);
  }
}

function begin(start: unknown, runtime: Runtime): BundleState {
  return inputOf(() => {
    const state = readBundleState(start);
    const id = bundleWorkflowId(state.namespace, state.name);
    if (runtime.id() === id) return state;
    throw new Error(`the Bundle's workflow must be started with the id ${id}, so that there is only one`);
  });
}

function heard(life: BundleLife, given: unknown): void {
  const { state } = life;
  const rung = readRing(given)?.minimumVersions ?? {};
  life.isRung = true;
  life.state = { ...state, minimumVersions: newest(state.minimumVersions, rung), behind: 0 };
}

/**
 * A turn that writes little is a local activity. One that fails, or has many sites, is tried by the server
 * until it is done. Null: it was refused for good, and is tried again after a while.
 */
async function turned(life: BundleLife, most: number): Promise<BundleTurn | null> {
  const { runtime, state } = life;
  life.refusal = null;
  const ref = { namespace: state.namespace, name: state.name };
  const { memory, minimumVersions } = state;
  const ask = { memory, minimumVersions, most, isAgain: false };
  const summary = `Look at ${ref.namespace}/${ref.name}`;
  try {
    if (most === MANY) return await runtime.hub(summary).turnBundle(ref, ask);
    try {
      return await runtime.localWrite(summary).turnBundle(ref, ask);
    } catch (error) {
      if (!isFailed(error) || isFinal(error)) throw error;
    }
    return await runtime.hub(summary).turnBundle(ref, { ...ask, most: MANY, isAgain: true });
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.refusal = messageOf(error);
    return null;
  }
}

/** What was rung meanwhile stays asked for. `asked` is what the turn was asked to have seen. */
function note(life: BundleLife, turn: BundleTurn | null, asked: BundleState['minimumVersions']): void {
  const { state } = life;
  if (turn === null || turn.outcome === 'Gone') return;
  if (turn.outcome === 'Behind') {
    const isMadeUp = state.behind >= MOST_BEHIND;
    const minimumVersions = isMadeUp ? {} : state.minimumVersions;
    life.state = { ...state, minimumVersions, behind: state.behind + 1 };
    return;
  }
  const rung = Object.fromEntries(
    Object.entries(state.minimumVersions).filter(([kind, version]) => asked[kind] !== version),
  );
  if (turn.outcome === 'Leaving') {
    life.state = { ...state, minimumVersions: rung, behind: 0, last: turn };
    return;
  }
  const { memory, minimumVersions, ...last } = turn;
  life.state = { ...state, memory, minimumVersions: newest(rung, minimumVersions), behind: 0, last };
}

async function untilDue(life: BundleLife, turn: BundleTurn | null): Promise<void> {
  const { runtime } = life;
  if (life.isRung) return;
  if (turn?.outcome === 'Behind') return runtime.sleep(SECOND, 'Wait for the caches');
  if (turn?.outcome === 'Turned' && turn.isMore) return;
  const ms = waitAfter(turn, runtime);
  await runtime.until(() => life.isRung, { ms, summary: whatFor(turn) });
}

function waitAfter(turn: BundleTurn | null, { now, random }: Runtime): number {
  if (turn === null) return 10 * MINUTE;
  if (turn.outcome === 'Leaving') return untilLeft(turn);
  const resync = Math.round(RESYNC * (0.95 + random() / 10));
  const wakeAt = turn.outcome === 'Turned' ? turn.wakeAt : null;
  return wakeAt === null ? resync : Math.min(resync, Math.max(SECOND, wakeAt - now()));
}

function untilLeft({ isPending, isRefused = false }: Extract<BundleTurn, { outcome: 'Leaving' }>): number {
  if (isPending) return 5 * SECOND;
  return isRefused ? MINUTE : 10 * MINUTE;
}

function whatFor(turn: BundleTurn | null): string {
  if (turn === null) return 'Try again';
  if (turn.outcome === 'Leaving') return 'Wait for sites to clean up';
  return turn.outcome === 'Turned' && turn.wakeAt !== null ? 'Look when the plan says so' : 'Resync';
}

async function checkpoint(life: BundleLife): Promise<void> {
  const { runtime } = life;
  await runtime.until(runtime.isHandled);
  await runtime.continueAsNew(life.state);
}
