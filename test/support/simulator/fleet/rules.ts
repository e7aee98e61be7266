// What must hold of a CappSet at every instant, told from what the API server has and not from what the hub
// worker believes.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { APPROVE_REMOVAL, PAUSED } from '../../../../crds/labels.ts';
import { setOf, writtenOf } from '../../../../crds/set/child.ts';
import type { CappSet } from '../../../../crds/set/cappset.ts';
import type { Write } from '../api/api-server.ts';
import { fail } from '../rules/breach.ts';
import { HUB } from '../world/names.ts';
import { decidedBy } from '../world/ocm.ts';
import type { World } from '../world/world.ts';
import { childrenOf, isReadyNow, readSet } from './seen.ts';

/** What was so counts for so long after it has become untrue: the word travels, and the deed follows. */
const WORD_MS = 60_000;
const COUNTED_MS = 600_000;

/** Hears of every write from now on. */
export function hold(world: World): void {
  const rules = new FleetRules(world);
  world.server.onWrite((write) => rules.heard(write));
}

class FleetRules {
  readonly #world: World;
  /** By Capp, when it was last Ready. */
  readonly #readyAt = new Map<string, number>();
  /** When the hub began to remove Capps that needed no permission. */
  #removals: number[] = [];
  /** When the set last asked for other sites, was made anew, or a person allowed removals. */
  #freeUntil = 0;
  /** When the set was last told to go on. */
  #goesSince = 0;
  #heldSince = 0;

  constructor(world: World) {
    this.#world = world;
  }

  heard({ plural, by, before, after }: Write): void {
    if (plural === 'cappsets') this.#asked(before as CappSet | null, after as CappSet | null);
    if (plural !== 'capps') return;
    const was = before as unknown as Capp | null;
    const is = after as unknown as Capp | null;
    const { now } = this.#world.clock;
    if (is !== null && isReadyNow(is)) this.#readyAt.set(is.metadata.name, now);
    const child = is ?? was;
    if (by !== HUB || child === null || setOf(child) === null) return;
    if (is !== null && isOtherRevision(was, is)) this.#advances(is);
    const begins =
      was?.metadata.deletionTimestamp === undefined && is?.metadata.deletionTimestamp !== undefined;
    if (was !== null && begins) this.#removes(was);
  }

  #asked(before: CappSet | null, after: CappSet | null): void {
    const of = (set: CappSet | null): string =>
      JSON.stringify([set?.spec.sites, set?.spec.placement, set?.metadata.uid]);
    const isAllowed =
      after?.metadata.annotations?.[APPROVE_REMOVAL] !== before?.metadata.annotations?.[APPROVE_REMOVAL];
    if (of(before) !== of(after) || isAllowed || after?.metadata.deletionTimestamp !== undefined) {
      this.#freeUntil = this.#world.clock.now + COUNTED_MS;
      this.#removals = [];
    }
    if (!isHeld(before) && isHeld(after)) this.#heldSince = this.#world.clock.now;
    if (isHeld(before) && !isHeld(after)) this.#goesSince = this.#world.clock.now;
  }

  /** Never more than may be under way, and nothing while it is paused. */
  #advances(child: Capp): void {
    const set = readSet(this.#world);
    const { now } = this.#world.clock;
    if (set === null) return;
    const heldFor = isHeld(set) ? now - this.#heldSince : 0;
    if (heldFor > WORD_MS) fail(this.#world, 'fleet: a paused set changes a Capp', child.metadata);
    const { maxConcurrent, stages } = set.spec.strategy;
    if (stages !== undefined || typeof maxConcurrent !== 'number' || now < this.#goesSince + WORD_MS) return;
    const goal = writtenOf(child.metadata)?.revision;
    const going = childrenOf(this.#world).filter(
      (one) =>
        writtenOf(one.metadata)?.revision === goal &&
        this.#isSelected(one, set) &&
        this.#isUnderWay(one, set),
    );
    if (going.length > maxConcurrent)
      fail(this.#world, `fleet: ${going.length} are under way, and ${maxConcurrent} may be`, {
        names: going.map(({ metadata }) => metadata.name),
      });
  }

  #isSelected({ spec: { site = '' } }: Capp, { spec }: CappSet): boolean {
    const clusters = spec.sites?.clusters ?? decidedBy(this.#world, spec.placement ?? '');
    return clusters.includes(site);
  }

  #isUnderWay(child: Capp, { spec }: CappSet): boolean {
    const { now } = this.#world.clock;
    const at = writtenOf(child.metadata)?.at ?? 0;
    const isOver = now >= at + spec.strategy.deadlineSeconds * 1_000;
    const isFresh = now - (this.#readyAt.get(child.metadata.name) ?? -Infinity) < WORD_MS;
    return (
      !isReadyNow(child) &&
      !isOver &&
      !isFresh &&
      child.metadata.deletionTimestamp === undefined &&
      this.#world.site(child.spec.site ?? '')?.up === true
    );
  }

  /** The last Ready copy stays, and more than one in ten minutes needs a person. */
  #removes(child: Capp): void {
    const set = readSet(this.#world);
    const { now } = this.#world.clock;
    const isOwn =
      set !== null && setOf(child) === `${set.metadata.namespace ?? ''}/${set.metadata.uid ?? ''}`;
    if (!isOwn || set.metadata.deletionTimestamp !== undefined || now < this.#freeUntil) return;
    const others = childrenOf(this.#world).filter(({ metadata }) => metadata.name !== child.metadata.name);
    const isReplaced = others.some(
      (one) => isReadyNow(one) || now - (this.#readyAt.get(one.metadata.name) ?? -Infinity) < WORD_MS,
    );
    if (isReadyNow(child) && !isReplaced)
      fail(this.#world, 'fleet: the last Ready copy goes', { child: child.metadata.name });
    this.#removals = [...this.#removals.filter((at) => now < at + COUNTED_MS), now];
    if (this.#removals.length > 1)
      fail(this.#world, `fleet: ${this.#removals.length} copies go within ten minutes`, { set: set.status });
  }
}

function isHeld(set: CappSet | null): boolean {
  return set?.spec.paused === true || set?.metadata.annotations?.[PAUSED] === 'true';
}

function isOtherRevision(before: Capp | null, after: Capp): boolean {
  const was = before === null ? null : writtenOf(before.metadata);
  return writtenOf(after.metadata)?.revision !== was?.revision;
}
