// What people do with a fleet while the storm goes on: they edit it, ask for things, lay hands on its
// copies, delete it and make it again, and change what its Placements select.
import { ABORT, APPROVE, APPROVE_REMOVAL, PAUSED, RETRY } from '../../../../crds/labels.ts';
import { keyOf } from '../../../../kube/resource.ts';
import type { Random } from '../../builders/random.ts';
import { RING } from '../world/names.ts';
import { place } from '../world/ocm.ts';
import type { World } from '../world/world.ts';
import { WINDOWS } from './hours.ts';
import { copiesOf, KEY, readFleet, type Fields, type Fleet, type FleetSpec, type Lived } from './lived.ts';

const canary = { name: 'canary', sites: { matchLabels: { [RING]: 'canary' } } } as const;

const STRATEGIES = [
  { maxConcurrent: 1 },
  { maxConcurrent: 2, maxFailures: 1 },
  { maxConcurrent: '100%', onFailure: 'RollBack' },
  { maxConcurrent: '25%', maxFailures: '25%' },
  { stages: [{ name: 'first', sites: { count: 1 }, soakSeconds: 60 }, { name: 'rest' }] },
  { stages: [{ ...canary, soakSeconds: 120 }, { name: 'rest' }], onFailure: 'RollBack' },
  { stages: [canary, { name: 'rest' }], offline: 'Wait' },
  { stages: [{ ...canary, soakSeconds: 60 }, { name: 'rest' }], offline: 'Fail' },
  { stages: [{ name: 'first', sites: { percent: 20 }, soakSeconds: 60 }, { name: 'rest' }] },
  { stages: [canary, { name: 'rest', maxConcurrent: 2 }], windows: WINDOWS },
  {
    stages: [
      canary,
      { name: 'early', sites: { matchLabels: { [RING]: 'early' } }, maxConcurrent: 1 },
      { name: 'rest', approval: 'Required', maxConcurrent: 3 },
    ],
  },
] as const;

/** What people choose of, and how they change an object. */
export class People {
  /** How many revisions there were. */
  images = 1;
  /** How it is to be in the end. */
  last: Fields | null = null;
  readonly #world: World;
  readonly #dice: Random;
  readonly #lived: Lived;
  readonly #said: string[] = [];

  constructor(world: World, dice: Random, lived: Lived) {
    this.#world = world;
    this.#dice = dice;
    this.#lived = lived;
  }

  between(least: number, most: number): number {
    return least + this.#dice.next() * (most - least);
  }

  /** It is as people want it at last, once they have said so. */
  make(): void {
    const { resource } = this.#lived;
    const { apiVersion, kind } = resource;
    const spec = this.#lived.parse(
      this.last ?? {
        ...this.#places(),
        ...this.#lived.content(this.images, false),
        strategy: this.#strategy(),
      },
    );
    this.#world.server.put<Fleet>(
      resource,
      KEY,
      (before) => before ?? { apiVersion, kind, metadata: KEY, spec },
    );
  }

  #strategy(): Fields {
    return { deadlineSeconds: 300, ...this.#dice.pick(STRATEGIES) };
  }

  /** Named sites, or a Placement, of which the hub removes nothing unasked. */
  #places(): Fields {
    const { names } = this.#world;
    if (this.#dice.chance(0.6)) return { placement: this.#dice.pick(['all', 'all', 'edge']) };
    const some = names.filter(() => this.#dice.chance(0.5));
    return { sites: { clusters: this.#dice.chance(0.4) || some.length === 0 ? names : some } };
  }

  gust(): string {
    const room = this.#dice.next();
    if (room < 0.3) return this.#edit();
    if (room < 0.45) return this.#handOnACopy();
    if (room < 0.65) return this.#placing();
    if (room < 0.7) return this.#end();
    return this.#ask();
  }

  #edit(): string {
    const { kind } = this.#lived;
    const content = (n: number, isBroken = false): Fields => this.#lived.content(n, isBroken);
    const changes: Readonly<Record<string, () => Fields>> = {
      newer: () => content((this.images += 1)),
      newest: () => content((this.images += 1)),
      back: () => content(Math.max(1, this.images - 1)),
      broken: () => content((this.images += 1), true),
      strategy: () => ({ strategy: this.#strategy() }),
      places: () => this.#places(),
      paused: () => ({ paused: this.#dice.chance(0.3) }),
      ...(kind === 'CappSet'
        ? { keep: () => ({ whenUnselected: this.#dice.pick(['Keep', 'Remove', 'Remove']) }) }
        : { orphans: () => ({ onRemoval: this.#dice.pick(['Orphan', 'Delete']) }) }),
    };
    const what = this.#dice.pick(Object.keys(changes));
    const change = changes[what]?.() ?? {};
    this.change(change);
    return `somebody edits it (${what}): ${JSON.stringify(change)}`;
  }

  change(change: Fields): void {
    this.#world.server.put<Fleet>(this.#lived.resource, KEY, (fleet) => {
      if (fleet === null) return null;
      const { sites: _sites, placement: _placement, ...rest } = fleet.spec;
      const isMoved = 'sites' in change || 'placement' in change;
      const spec: FleetSpec = this.#lived.parse({ ...(isMoved ? rest : fleet.spec), ...change });
      return JSON.stringify(spec) === JSON.stringify(fleet.spec) ? fleet : { ...fleet, spec };
    });
  }

  #ask(): string {
    const { status } = readFleet(this.#world, this.#lived) ?? {};
    const at = Math.floor(this.#world.clock.now);
    const revision = status?.revision ?? '';
    const { count = 1, set = '' } = status?.heldRemoval ?? {};
    const removal = `${count}#${set}`;
    const words: Readonly<Record<string, string | null>> = this.#dice.pick([
      { [APPROVE]: `rest#${revision}` },
      { [APPROVE]: `rest#${revision}` },
      { [RETRY]: `#${at}` },
      { [ABORT]: `${revision}#${at}` },
      { [PAUSED]: 'true' },
      { [PAUSED]: null },
      { [PAUSED]: null },
      { [APPROVE_REMOVAL]: removal },
      { [APPROVE_REMOVAL]: removal },
      { [APPROVE_REMOVAL]: `${Math.ceil(count / 2)}#${set}` },
      // Once more, as when a script runs twice.
      { [APPROVE_REMOVAL]: this.#said.at(-1) ?? null },
      { [APPROVE_REMOVAL]: null },
    ]);
    const said = words[APPROVE_REMOVAL];
    if (typeof said === 'string') this.#said.push(said);
    this.annotate(words);
    return `somebody asks ${JSON.stringify(words)}`;
  }

  annotate(words: Readonly<Record<string, string | null>>): void {
    this.#world.server.put<Fleet>(this.#lived.resource, KEY, (fleet) => {
      if (fleet === null) return null;
      const entries = Object.entries({ ...fleet.metadata.annotations, ...words });
      const annotations = Object.fromEntries(
        entries.filter((one): one is [string, string] => one[1] !== null),
      );
      return { ...fleet, metadata: { ...fleet.metadata, annotations } };
    });
  }

  #handOnACopy(): string {
    const copies = copiesOf(this.#world, this.#lived);
    if (copies.length === 0) return 'there is no copy to touch';
    const copy = this.#dice.pick(copies);
    const what = this.#dice.pick(['delete', 'edit', 'unmark'] as const);
    if (what === 'delete') this.#world.server.remove(this.#lived.copies, keyOf(copy.object));
    else this.#lived.spoil(this.#world, copy, what);
    return `somebody lays hands on the copy on ${copy.site}: ${what}`;
  }

  /** With `--cascade=orphan` the garbage collector has its own finalizer on the object for a while. */
  #end(): string {
    if (!this.#dice.chance(0.5)) return 'nobody deletes it';
    const { resource, kind } = this.#lived;
    const { server, clock } = this.#world;
    const { uid, deletionTimestamp } = readFleet(this.#world, this.#lived)?.metadata ?? {};
    // The API server adds no finalizer to what is being deleted already.
    const isOrphaning = kind === 'CappSet' && this.#dice.chance(0.3) && deletionTimestamp === undefined;
    const mark = (finalizers: (before: readonly string[]) => readonly string[]): void =>
      server.put<Fleet>(resource, KEY, (fleet) => {
        if (fleet === null) return null;
        const { finalizers: before = [] } = fleet.metadata;
        return { ...fleet, metadata: { ...fleet.metadata, finalizers: finalizers(before) } };
      });
    if (isOrphaning) mark((before) => [...before, 'orphan']);
    server.remove(resource, KEY);
    if (isOrphaning) clock.after(this.between(1_000, 120_000), () => this.#collect(uid, mark));
    clock.after(this.between(100, 600_000), () => this.make());
    return `somebody deletes it${isOrphaning ? ', and orphans its copies' : ''}`;
  }

  /** The garbage collector takes the owner off what is orphaned first, and its finalizer then. */
  #collect(
    uid: string | undefined,
    mark: (finalizers: (before: readonly string[]) => readonly string[]) => void,
  ): void {
    const { server } = this.#world;
    if (readFleet(this.#world, this.#lived)?.metadata.uid !== uid) return;
    for (const { object } of copiesOf(this.#world, this.#lived))
      server.put(this.#lived.copies, keyOf(object), (one) =>
        one === null ? null : { ...one, metadata: { ...one.metadata, ownerReferences: [] } },
      );
    mark((before) => before.filter((one) => one !== 'orphan'));
  }

  #placing(): string {
    const { names, placing } = this.#world;
    const what = this.#dice.pick(['unlabel', 'unlabel', 'label', 'number', 'number'] as const);
    const some = names.filter(() => this.#dice.chance(0.4));
    const placement = this.#dice.pick(['all', 'edge']);
    const number = Math.max(1, placing.number(placement) + this.#dice.pick([-3, -1, -1, 1, 2]));
    if (what === 'number') placing.ask(placement, number);
    else placing.unlabel(what === 'label' ? [] : some);
    place(this.#world);
    return what === 'number' ? `${placement} selects ${number} sites` : `unlabelled are ${some.join()}`;
  }
}
