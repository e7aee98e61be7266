// What the workflow of a set needs from activities.
import type { RolloutMemory } from '../stages/memory.ts';
import type { SetRef } from './state.ts';

export interface SetTurn {
  readonly memory: RolloutMemory | null;
  /** Kind → the resourceVersion that a cache of it must have reached. */
  readonly minimumVersions: Readonly<Record<string, string>>;
}

export type SetTurned =
  /** The caches are older than the rings: ask again in a moment. */
  | { readonly outcome: 'Behind' }
  /** The set is gone, and with it all of its Capps. */
  | { readonly outcome: 'Gone' }
  | {
      readonly outcome: 'Planned';
      readonly memory: RolloutMemory;
      /** Milliseconds since the epoch: when to look again at the latest; null if only a ring is a reason. */
      readonly wakeAt: number | null;
      /** The versions of what this turn has written, so that the next one does not miss it. */
      readonly minimumVersions: Readonly<Record<string, string>>;
      /** One sentence for people. */
      readonly says: string;
    };

export interface Sets {
  /**
   * Looks at a set and its sites, plans, writes and deletes at most a hundred of its Capps, and publishes its
   * status if it changed. What is as it should be is not written. A repeat lists the Capps live, so it finds
   * what an earlier try wrote; what it removed it has told, so a turn that has removed some Capps and could
   * not remove others does not throw, and another one follows. Throws Unreachable, Conflict, Forbidden and
   * Invalid (a set that cannot be read).
   */
  turnSet(set: SetRef, turn: SetTurn): Promise<SetTurned>;
}
