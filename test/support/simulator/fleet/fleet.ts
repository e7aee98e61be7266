// A CappSet or a Bundle in the simulated world, and what becomes of it when the storm is over: it comes to
// rest on all of its sites, and a revision that fails is undone on each site that it has reached.
import { ABORT, APPROVE, APPROVE_REMOVAL, PAUSED, RETRY } from '../../../../crds/labels.ts';
import type { Random } from '../../builders/random.ts';
import { fail } from '../rules/breach.ts';
import type { World } from '../world/world.ts';
import { LIVED } from './kinds.ts';
import { copiesOf, readFleet, type Copy, type Lived } from './lived.ts';
import { People } from './people.ts';
import { PLOTS } from './plots.ts';
import { hold } from './rules.ts';
import type { Shape } from './shape.ts';

/** So many lives of fleets have a plot, if they are large enough for it. */
const WITH_PLOT = 0.3;

/** How a person undoes what has failed. */
type Undoing = 'by itself' | 'by an edit' | 'by an abort and an edit';

export class FleetLife {
  readonly #world: World;
  readonly #dice: Random;
  readonly #lived: Lived;
  readonly #people: People;
  #wanted = '';
  /** People do nothing more by chance. */
  #isQuiet = false;

  constructor(world: World, dice: Random, { kind }: Shape) {
    this.#world = world;
    this.#dice = dice;
    this.#lived = LIVED[kind];
    this.#people = new People(world, dice, this.#lived);
    hold(world, this.#lived);
    world.clock.after(this.#people.between(500, 30_000), () => this.#people.make());
    this.#again();
  }

  #again(): void {
    const pause = this.#dice.pick([2_000, 60_000, 300_000]);
    this.#world.clock.after(this.#people.between(100, pause), () => {
      if (this.#world.calm || this.#isQuiet) return;
      this.#world.tell(`${this.#lived.kind}: ${this.#people.gust()}`);
      this.#again();
    });
  }

  /** Begins what few storms bring about. Gives until when that goes on; null if this life has none. */
  plot(): number | null {
    if (!this.#dice.chance(WITH_PLOT)) return null;
    const name = this.#dice.pick(Object.keys(PLOTS));
    const until = PLOTS[name]?.(this.#world, this.#people, this.#lived) ?? null;
    if (until === null) return null;
    this.#isQuiet = true;
    this.#world.tally.note(`the plot is ${name}`);
    this.#world.tell(`the plot is: ${name}`);
    return until;
  }

  /** People undo what they have done by hand, and want a new revision on all sites. */
  calm(): void {
    const { names } = this.#world;
    this.#lived.mend(this.#world);
    this.#people.annotate({ [PAUSED]: null, [ABORT]: null, [RETRY]: null });
    const isPlaced = this.#world.placing.isWide && this.#dice.chance(0.5);
    this.#people.images += 1;
    this.#people.last = {
      ...(isPlaced ? { placement: 'all' } : { sites: { clusters: [...names] } }),
      ...this.#lived.content(this.#people.images, false),
      ...(this.#lived.kind === 'CappSet' ? {} : { onRemoval: 'Delete' }),
      paused: false,
      strategy: { maxConcurrent: 2, deadlineSeconds: 900 },
    };
    this.#people.make();
    this.#people.change(this.#people.last);
    for (const minutes of [20, 60, 120]) this.#world.clock.after(minutes * 60_000, () => this.#goOn());
  }

  #goOn(): void {
    this.#people.make();
    const { revision = '', heldRemoval } = readFleet(this.#world, this.#lived)?.status ?? {};
    const { count = 1, set = '' } = heldRemoval ?? {};
    this.#people.annotate({
      [RETRY]: `#${Math.floor(this.#world.clock.now)}`,
      [APPROVE]: `rest#${revision}`,
      [APPROVE_REMOVAL]: heldRemoval === undefined ? null : `${count}#${set}`,
    });
  }

  /** Ready on all of its sites, and so is each of its copies. */
  settled(): boolean {
    const { status } = readFleet(this.#world, this.#lived) ?? {};
    const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
    this.#wanted = status?.revision ?? '';
    if (isReady && this.#isEverywhere(this.#wanted)) return true;
    this.#fails('does not come to rest');
    return false;
  }

  #isEverywhere(revision: string): boolean {
    const { sites = 0 } = readFleet(this.#world, this.#lived)?.status ?? {};
    const copies = copiesOf(this.#world, this.#lived);
    const isAsWanted = (copy: Copy): boolean =>
      copy.isReady && copy.written?.revision === revision && this.#lived.isBrought(this.#world, copy);
    return sites > 0 && copies.length === sites && copies.every(isAsWanted);
  }

  #fails(rule: string): void {
    const copies = copiesOf(this.#world, this.#lived).map(({ object: _object, ...copy }) => copy);
    const { status } = readFleet(this.#world, this.#lived) ?? {};
    fail(this.#world, `fleet: the ${this.#lived.kind} ${rule}`, { copies, status });
  }

  /** Somebody brings a revision that is Ready nowhere, and it is undone. */
  breakAndUndo(): void {
    const how = this.#dice.pick<Undoing>(['by itself', 'by an edit', 'by an abort and an edit']);
    this.#world.tell(`a revision fails, and is undone ${how}`);
    const good = this.#lived.content(this.#people.images, false);
    const onFailure = how === 'by itself' ? 'RollBack' : 'Pause';
    const strategy = { maxConcurrent: this.#dice.pick([1, 3]), maxFailures: 1, deadlineSeconds: 300 };
    this.#people.change({
      ...this.#lived.content(this.#people.images + 1, true),
      strategy: { ...strategy, onFailure },
    });
    if (how === 'by itself') return;
    const { clock } = this.#world;
    const later = this.#people.between(1_000, 1_200_000);
    if (how === 'by an abort and an edit')
      clock.after(later / 2, () => {
        const { revision = '' } = readFleet(this.#world, this.#lived)?.status ?? {};
        this.#people.annotate({ [ABORT]: `${revision}#${Math.floor(clock.now)}` });
      });
    clock.after(later, () => this.#people.change(good));
  }

  /** Every site that was changed has the earlier revision again. */
  undone(): boolean {
    if (this.#isEverywhere(this.#wanted)) return true;
    this.#fails('is not undone on each of its sites');
    return false;
  }
}
