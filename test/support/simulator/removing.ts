// How the simulated workflow removes copies and looks for works, as `steps.ts` does: what the state becomes is told by a function of it.
import { groundsOf } from '../../../workflows/decide/removal.ts';
import { afterFind, afterRefusal, afterRemove } from '../../../workflows/decide/went.ts';
import type { Found, Removed } from '../../../workflows/removals.ts';
import type { State } from '../../../workflows/state.ts';
import { promptly, type Effect } from './effects.ts';
import { Refused, find, remove, type Hands } from './hands.ts';

interface World {
  readonly hands: Hands;
  readonly now: () => number;
}

type Asking = Generator<Effect, (state: State) => State, unknown>;

export function* removing({ hands, now }: World, asked: State, clusters: readonly string[]): Asking {
  const { rung } = asked;
  const grounds = groundsOf(asked, clusters, now());
  try {
    const removed = (yield* promptly(`remove ${clusters.join(' ')}`, () => remove(hands, clusters, grounds))) as Removed;
    return (state) => afterRemove(state, clusters, removed, { now: now(), rung });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { message } = error;
    return (state) => afterRefusal(state, clusters, message, { now: now(), rung });
  }
}

export function* finding({ hands, now }: World, { rung }: State, clusters: readonly string[]): Asking {
  try {
    const found = (yield* promptly(`find ${clusters.join(' ')}`, () => find(hands, clusters))) as Found;
    return (state) => afterFind(state, clusters, found, { now: now(), rung });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return (state) => afterFind(state, clusters, null, { now: now(), rung });
  }
}
