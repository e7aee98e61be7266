// The simulator's drains.
import { permitted } from '../../../workflows/decide/moved.ts';
import type { World } from './world.ts';

/** The drain of a cluster gives the turn, sooner or later or not at all. */
export function answerPetition(world: World, cluster: string): void {
  const answer = (what: 'Go' | 'Wait', after: number): void =>
    world.clock.after(after, () => {
      world.tell(`drain/${cluster} says ${what}`);
      world.change((state) => permitted(state, { cluster, answer: what }, world.clock.now));
    });
  if (world.random.chance(0.3)) return;
  if (world.random.chance(0.3)) {
    answer('Wait', world.between(10, 2_000));
    if (world.random.chance(0.5)) answer('Go', world.between(2_000, 400_000));
  } else answer('Go', world.between(10, 3_000));
}
