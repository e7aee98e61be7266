// The workflow of an object on many sites, `cappset/<namespace>/<name>` or `bundle/<namespace>/<name>`: it
// takes a turn whenever it is rung, when the plan says so, and once a day. A turn reads all that it needs, so
// the workflow keeps nothing but the rollout and what was rung.
import { isFailed, isFinal, messageOf } from '../engine/failed.ts';
import { inputOf } from '../engine/input.ts';
import type { Runtime } from '../engine/runtime.ts';
import { ring } from '../messages.ts';
import { readRing } from '../parse/ring.ts';
import { newest } from '../types/ring.ts';
import { FULL_TURN, type FleetRef, type Turned } from './port.ts';
import { objectOf, readFleetState, type FleetState } from './state.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A resync without a ring, jittered by a tenth so that the objects do not come together. */
const RESYNC = 24 * 60 * MINUTE;
/** A cache that does not reach a version in so many turns never will: somebody made the version up. */
const MOST_BEHIND = 30;
/** Copies in a turn that holds a workflow task, and in one that does not. */
const FEW = 20;

interface FleetLife {
  readonly runtime: Runtime;
  readonly object: FleetRef;
  readonly state: FleetState;
  isRung: boolean;
}

type Seen = Extract<Turned, { outcome: 'Turned' }>;

/** Ends when its object is gone. Fails at once when its id names none. */
export async function liveInFleet(start: unknown, runtime: Runtime): Promise<void> {
  const object = inputOf(() => objectOf(runtime.id()));
  const life: FleetLife = { runtime, object, state: readFleetState(start), isRung: true };
  runtime.handle(ring, (given) => heard(life, given), {
    description: `The ${object.kind}, what it reads, its sites or one of its copies have changed: look again`,
  });
  let most = FEW;
  for (;;) {
    life.isRung = false;
    const asked = life.state.minimumVersions;
    const turned = await turn(life, most);
    if (turned?.outcome === 'Gone' && !life.isRung) return;
    most = turned?.outcome === 'Turned' && turned.isMore ? FULL_TURN : FEW;
    if (turned?.outcome === 'Turned') note(life, turned, asked);
    else if (turned?.outcome === 'Behind') waitForCaches(life);
    await untilDue(life, turned);
    if (runtime.isLong()) await checkpoint(life);
  }
}

function heard(life: FleetLife, given: unknown): void {
  const { state, runtime } = life;
  const known = readRing(given);
  life.isRung = true;
  if (known !== null) {
    state.minimumVersions = newest(state.minimumVersions, known.minimumVersions);
    return;
  }
  state.unreadable += 1;
  runtime.countUnreadable();
}

/**
 * A turn that writes little is a local activity. One that fails, or has many copies, is tried by the server
 * until it is done. Null: the turn was refused for good, and is taken again after a while.
 */
async function turn({ runtime, object, state }: FleetLife, most: number): Promise<Turned | null> {
  const { memory, minimumVersions } = state;
  const ask = { memory, minimumVersions, most, isAgain: false };
  const summary = `Look at ${object.kind} ${object.namespace}/${object.name}`;
  try {
    if (most === FULL_TURN) return await runtime.hub(summary).turnFleet(object, ask);
    try {
      return await runtime.localWrite(summary).turnFleet(object, ask);
    } catch (error) {
      if (!isFailed(error) || isFinal(error)) throw error;
    }
    return await runtime.hub(summary).turnFleet(object, { ...ask, most: FULL_TURN, isAgain: true });
  } catch (error) {
    if (!isFailed(error)) throw error;
    runtime.show(`The hub worker's turn is refused (${messageOf(error)}). It is tried again in a minute.`);
    return null;
  }
}

/** What was rung meanwhile stays asked for. `asked` is what the turn was asked to have seen. */
function note({ runtime, state }: FleetLife, turned: Seen, asked: FleetState['minimumVersions']): void {
  const rung = Object.entries(state.minimumVersions).filter(([kind, version]) => asked[kind] !== version);
  state.minimumVersions = newest(Object.fromEntries(rung), turned.minimumVersions);
  state.memory = turned.memory;
  state.behind = 0;
  runtime.show(turned.says);
}

/**
 * Rings do not begin the count anew: a version that was lost with a backup is given up however often it
 * rings.
 */
function waitForCaches({ state }: FleetLife): void {
  state.behind += 1;
  if (state.behind < MOST_BEHIND) return;
  state.minimumVersions = {};
  state.behind = 0;
}

async function untilDue(life: FleetLife, turned: Turned | null): Promise<void> {
  const { runtime } = life;
  if (turned?.outcome === 'Behind') return runtime.sleep(SECOND, 'Wait for the caches');
  if (life.isRung || (turned?.outcome === 'Turned' && turned.isMore)) return;
  if (turned === null) return pause(life, MINUTE, 'Try again');
  const wakeAt = turned.outcome === 'Turned' ? turned.wakeAt : null;
  const resync = Math.round(RESYNC * (0.95 + runtime.random() / 10));
  if (wakeAt === null) return pause(life, resync, 'Resync');
  const ms = Math.min(resync, Math.max(SECOND, wakeAt - runtime.now()));
  return pause(life, ms, 'Look when the plan says so');
}

function pause(life: FleetLife, ms: number, summary: string): Promise<void> {
  return life.runtime.until(() => life.isRung, { ms, summary });
}

async function checkpoint({ runtime, state }: FleetLife): Promise<void> {
  await runtime.until(runtime.isHandled);
  await runtime.continueAsNew(state);
}
