// Hears of every write, and tells the rules of a fleet what has become of it and of its copies.
import type { Stored, Write } from '../api/objects.ts';
import { HUB } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { AdvanceRules } from './advance-rules.ts';
import { HoldRules } from './hold-rules.ts';
import { copyIn, type Copy, type Fleet, type Lived } from './lived.ts';
import { RemovalRules } from './removal-rules.ts';
import { TermRules } from './term-rules.ts';
import { Witness } from './witness.ts';

/** Hears of every write from now on. */
export function hold(world: World, lived: Lived): void {
  const rules = new FleetRules(world, lived);
  world.server.onWrite((write) => rules.heard(write));
}

class FleetRules {
  readonly #witness: Witness;
  readonly #advances: AdvanceRules;
  readonly #terms: TermRules;
  readonly #removals: RemovalRules;
  readonly #holds: HoldRules;

  constructor(world: World, lived: Lived) {
    this.#witness = new Witness(world, lived);
    this.#advances = new AdvanceRules(this.#witness);
    this.#terms = new TermRules(this.#witness);
    this.#removals = new RemovalRules(this.#witness);
    this.#holds = new HoldRules(this.#witness);
  }

  heard(write: Write): void {
    const { plural, before, after } = write;
    const { lived } = this.#witness;
    if (plural === lived.copies.plural) this.#wrote(write);
    if (plural === lived.resource.plural) {
      const [was, is] = [before as Fleet | null, after as Fleet | null];
      this.#advances.changed(was, is);
      this.#terms.changed(was, is);
      this.#removals.changed(was, is);
      this.#holds.said(was, is);
    }
    this.#holds.heard(write);
    this.#removals.heard(write);
    this.#witness.heard(write);
  }

  #wrote({ by, before, after }: Write): void {
    const [was, is] = [this.#copy(before), this.#copy(after)];
    const copy = is ?? was;
    if (copy === null) return;
    const begins = was?.isGoing === false && (is === null || is.isGoing);
    if (by === HUB && is !== null && !is.isGoing) {
      this.#advances.advances(is, was);
      this.#terms.advances(is, was);
    }
    if (begins && by === HUB) this.#witness.world.tally.note('a copy of a fleet is removed');
    if (begins && by === HUB) this.#removals.removes(was);
    else if (begins) this.#removals.taken();
    this.#advances.noted(is ?? { ...copy, isGoing: false });
  }

  #copy(object: Stored | null): Copy | null {
    const fleet = this.#witness.fleet();
    return fleet === null || object === null ? null : copyIn(this.#witness.lived, object, fleet);
  }
}
