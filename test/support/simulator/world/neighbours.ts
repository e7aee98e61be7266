// Other hubs on the sites of the simulator: now and then one has taken a name, the Namespace or the whole
// site, for a while or for ever. They have dice of their own, so that lives without them stay as they were.
import type { Random } from '../../builders/random.ts';
import type { Theirs } from '../site/other-hubs.ts';
import { NAMESPACE } from './names.ts';
import type { World } from './world.ts';

/** How long they keep what they have taken, in milliseconds, at most. */
const KEPT_MS = [3_000, 60_000, 1_200_000, 7_200_000] as const;
/** A Capp of ours that stands under a name which another hub takes is deleted by its people. */
const DELETED = 0.5;
const FOR_EVER = 0.3;

export class Neighbours {
  readonly #world: World;
  readonly #dice: Random;
  readonly #pace: number;
  /** By site: what will not be freed by itself. */
  readonly #kept = new Map<string, Set<Theirs>>();

  constructor(world: World, dice: Random) {
    this.#world = world;
    this.#dice = dice;
    this.#pace = dice.pick([10_000, 100_000, 900_000]);
    this.#later();
  }

  #later(): void {
    const { clock } = this.#world;
    clock.after(this.#dice.next() * this.#pace * 2, () => {
      if (this.#world.calm) return;
      this.#take();
      this.#later();
    });
  }

  #take(): void {
    const { clock, tally } = this.#world;
    const name = this.#dice.pick(this.#world.names);
    const key = `${NAMESPACE}/${this.#dice.pick(['a', 'b', 'c'])}` as const;
    const what = this.#dice.pick<Theirs>(['site', 'Namespace', key, key]);
    const site = this.#world.site(name);
    if (site === undefined) return;
    if (what === key && site.standing.has(key)) {
      if (!this.#dice.chance(DELETED)) return;
      tally.note('another hub has deleted a copy and taken its name');
      site.loses(key);
    }
    if (!site.others.take(what)) return;
    tally.note(`another hub has a ${what === 'site' || what === 'Namespace' ? what : 'name'}`);
    this.#world.tell(`${name} is another hub's (${what})`);
    if (this.#dice.chance(FOR_EVER)) {
      this.#kept.set(name, (this.#kept.get(name) ?? new Set<Theirs>()).add(what));
      return;
    }
    clock.after(this.#dice.next() * this.#dice.pick(KEPT_MS), () => this.#free(name, what));
  }

  #free(name: string, what: Theirs): void {
    this.#kept.get(name)?.delete(what);
    this.#world.site(name)?.others.free(what);
    this.#world.tell(`${name} is no other hub's any more (${what})`);
    this.#world.site(name)?.triesAgain();
  }

  /** What they keep for ever they keep, but on the site that is clean; a whole site is always put right. */
  calm(clean: string): void {
    for (const { name, others } of this.#world.sites)
      for (const what of others.all()) {
        const isKept = this.#kept.get(name)?.has(what) === true;
        if (!isKept || name === clean || what === 'site') this.#free(name, what);
      }
  }
}
