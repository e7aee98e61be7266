// Signals, Updates and queries of a drain. Handlers only record; the loop acts.
import { progressOf, summaryOf } from './decide/progress.ts';
import { withTurnRequest, settled } from './decide/transitions.ts';
import { handleEarlier, noteChanges, readsItsDrain } from './earlier.ts';
import { readLanes } from './input.ts';
import type { DrainState, Lanes } from './state.ts';
import { readTurnRequest, readSettled } from '../parse/turns.ts';
import * as messages from '../messages.ts';
import type { Runtime } from '../engine/runtime.ts';

/** The state of one run of a drain. */
export interface DrainLife {
  readonly runtime: Runtime;
  state: DrainState;
  /** The changes that this run's history has, by name (`earlier.ts`). */
  readonly noted: Set<string>;
  ended: boolean;
}

export function handleDrain(life: DrainLife): void {
  const { handle: on } = life.runtime;
  const become = (state: DrainState): void => void (life.state = state);
  handleCapps(life, become);
  handleEarlier(life, (changed) => hear(life, changed, (change) => become(change(life.state))));
  on(
    messages.drainChanged,
    () => {
      noteChanges(life);
      if (readsItsDrain(life)) become({ ...life.state, isRung: true });
    },
    { description: 'The Drain of the cluster has changed or is gone: it is read again' },
  );
  on(messages.progress, () => (life.ended ? summaryOf : progressOf)(life.state), {
    description: 'The progress',
  });
  handlePeople(life, become);
  handleUpdates(life, become);
}

/** A drain that a Drain orders hears of a person only by it: who may write it is RBAC. */
function isSteeredByDrain(life: DrainLife): boolean {
  return life.state.drain !== undefined && readsItsDrain(life);
}

function handlePeople(life: DrainLife, become: (state: DrainState) => void): void {
  const { handle: on, now } = life.runtime;
  const take = (changed: Partial<DrainState> | null): void => {
    noteChanges(life);
    const isHeard = changed !== null && !isSteeredByDrain(life);
    hear(life, isHeard ? changed : null, (read) => become({ ...life.state, ...read }));
  };
  on(messages.pause, () => take({ paused: true }), { description: 'Pause: give no more permits' });
  on(messages.resume, () => take({ paused: false, heardAt: now() }), {
    description: 'Resume: give permits again',
  });
  on(messages.stop, () => take({ stopped: true }), {
    description: 'Stop: give no more permits and end; moves under way are finished',
  });
  on(
    messages.configure,
    (given) => {
      const lanes = readable(life.state.lanes, given);
      take(lanes === null ? null : { lanes });
    },
    {
      description: 'Other lanes: {"width":50,"perTarget":25,"ratePerSecond":25}, each of them optional',
    },
  );
}

function handleCapps(life: DrainLife, become: (state: DrainState) => void): void {
  const { handle: on, now } = life.runtime;
  on(
    messages.requestTurn,
    (given) =>
      hear(life, readTurnRequest(given), (request) => become(withTurnRequest(life.state, request, now()))),
    {
      description: 'A Capp that must leave asks for its turn',
    },
  );
  on(
    messages.settled,
    (given) => hear(life, readSettled(given), (news) => become(settled(life.state, news, now()))),
    {
      description: 'A Capp reports how its move ended',
    },
  );
}

function handleUpdates(life: DrainLife, become: (state: DrainState) => void): void {
  const { handle: on } = life.runtime;
  on(
    messages.configureNow,
    (lanes) => {
      become({ ...life.state, lanes: readLanes(life.state.lanes, lanes) });
      return life.state.lanes;
    },
    {
      description:
        'Other lanes, answered with those in force: {"width":50,"perTarget":25,"ratePerSecond":25}',
      validator: (lanes) => {
        checkDoor(life);
        readLanes(life.state.lanes, lanes);
      },
    },
  );
  on(
    messages.stopNow,
    () => {
      become({ ...life.state, stopped: true });
      return progressOf(life.state);
    },
    {
      description: 'Stop, answered with the progress so far; moves under way are finished',
      validator: () => checkDoor(life),
    },
  );
}

/** Throws an Error with the command that does the same. */
function checkDoor(life: DrainLife): void {
  const { cluster } = life.state;
  if (isSteeredByDrain(life))
    throw new Error(
      `Drain ${cluster} orders this drain, and only it steers it: kubectl edit drain ${cluster}, or kubectl delete drain ${cluster} to stop it`,
    );
}

/** A signal cannot be refused. One that cannot be read is counted and ignored. */
function hear<T>(life: DrainLife, read: T | null, take: (read: T) => void): void {
  if (read !== null) return take(read);
  life.state = { ...life.state, unreadable: (life.state.unreadable ?? 0) + 1 };
  life.runtime.countUnreadable();
}

function readable(before: Lanes, lanes: unknown): Lanes | null {
  try {
    return readLanes(before, lanes);
  } catch {
    return null;
  }
}
