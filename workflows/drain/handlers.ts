// Signals, Updates and queries of a drain. Handlers only record; the loop acts.
import { progressOf, summaryOf } from './decide/progress.ts';
import { withTurnRequest, settled } from './decide/transitions.ts';
import { begunByPerson } from './decide/looked.ts';
import { readLanes, readOrderTime, readTerms } from './input.ts';
import type { DrainState, Lanes } from './state.ts';
import { readTurnRequest, readSettled } from '../parse/turns.ts';
import * as messages from '../messages.ts';
import type { Runtime } from '../engine/runtime.ts';

/** The state of one run of a drain. */
export interface DrainLife {
  readonly runtime: Runtime;
  state: DrainState;
  ended: boolean;
}

export function handleDrain(life: DrainLife): void {
  const { handle: on, now } = life.runtime;
  const become = (state: DrainState): void => void (life.state = state);
  handleCapps(life, become);
  on(messages.evacuate, (given) => become(evacuated(life.state, given)), {
    description:
      'Drain the cluster, with other lanes if given: {"width":50,"perTarget":25,"ratePerSecond":25}',
  });
  on(messages.pause, () => become({ ...life.state, paused: true }), {
    description: 'Pause: give no more permits',
  });
  on(messages.resume, () => become({ ...life.state, paused: false, heardAt: now() }), {
    description: 'Resume: give permits again',
  });
  on(messages.stop, () => become({ ...life.state, stopped: true }), {
    description: 'Stop: give no more permits and end; moves under way are finished',
  });
  on(
    messages.configure,
    (given) => hear(life, readable(life.state.lanes, given), (lanes) => become({ ...life.state, lanes })),
    {
      description: 'Other lanes: {"width":50,"perTarget":25,"ratePerSecond":25}, each of them optional',
    },
  );
  on(messages.progress, () => (life.ended ? summaryOf : progressOf)(life.state), {
    description: 'The progress',
  });
  handleUpdates(life, become);
}

function evacuated(state: DrainState, given: unknown): DrainState {
  return {
    ...begunByPerson(state),
    lanes: readable(state.lanes, given) ?? state.lanes,
    order: readOrderTime(state.order, given),
    ...readTerms(given),
  };
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
      validator: (lanes) => void readLanes(life.state.lanes, lanes),
    },
  );
  on(
    messages.stopNow,
    () => {
      become({ ...life.state, stopped: true });
      return progressOf(life.state);
    },
    { description: 'Stop, answered with the progress so far; moves under way are finished' },
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
