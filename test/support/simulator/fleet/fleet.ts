// A CappSet in the simulated world, what people do with it, and what becomes of it when the storm is over.
import { ABORT, APPROVE, APPROVE_REMOVAL, PAUSED, RETRY } from '../../../../crds/labels.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_SET, CappSetSpec, type CappSet } from '../../../../crds/set/cappset.ts';
import { writtenOf } from '../../../../crds/set/child.ts';
import type { Random } from '../../builders/random.ts';
import { aTemplate } from '../../builders/fleet/sets.ts';
import { fail } from '../rules/breach.ts';
import { NAMESPACE, SITES } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { hold } from './rules.ts';
import { childrenOf, isReadyNow, readSet, SET_NAME } from './seen.ts';

const KEY = { namespace: NAMESPACE, name: SET_NAME };

const STRATEGIES = [
  { maxConcurrent: 1 },
  { maxConcurrent: 2, maxFailures: 1 },
  { maxConcurrent: '100%', onFailure: 'RollBack' },
  { stages: [{ name: 'canary', sites: { count: 1 }, soakSeconds: 60 }, { name: 'rest' }] },
  {
    stages: [
      { name: 'canary', sites: { count: 1 } },
      { name: 'rest', approval: 'Required' },
    ],
  },
] as const;

const PLACES = [
  { sites: { clusters: [...SITES] } },
  { sites: { clusters: ['site-1', 'site-3'] } },
  { sites: { clusters: ['site-2'] } },
  { placement: 'all' },
  { placement: 'edge' },
] as const;

type Spec = Readonly<Record<string, unknown>>;

export class FleetLife {
  readonly #world: World;
  readonly #dice: Random;
  #images = 1;

  constructor(world: World, dice: Random) {
    this.#world = world;
    this.#dice = dice;
    hold(world);
    world.clock.after(this.#between(500, 30_000), () => this.#make());
    this.#again();
  }

  #between(least: number, most: number): number {
    return least + this.#dice.next() * (most - least);
  }

  #again(): void {
    const pause = this.#dice.pick([2_000, 60_000, 300_000]);
    this.#world.clock.after(this.#between(100, pause), () => {
      if (this.#world.calm) return;
      this.#world.tell(`set: ${this.#gust()}`);
      this.#again();
    });
  }

  #make(): void {
    const spec = CappSetSpec.parse({
      ...this.#dice.pick(PLACES),
      template: aTemplate(`app:${this.#images}`),
      strategy: { deadlineSeconds: 300, ...this.#dice.pick(STRATEGIES) },
    });
    this.#world.server.put<CappSet>(
      CAPP_SET,
      KEY,
      (before) => before ?? { apiVersion: CAPP_SET.apiVersion, kind: CAPP_SET.kind, metadata: KEY, spec },
    );
  }

  #gust(): string {
    if (this.#dice.chance(0.3)) return this.#edit();
    if (this.#dice.chance(0.3)) return this.#handOnACapp();
    return this.#ask();
  }

  #edit(): string {
    const what = this.#dice.pick([
      'template',
      'template',
      'back',
      'strategy',
      'places',
      'keep',
      'paused',
    ] as const);
    const changes: Readonly<Record<typeof what, () => Spec>> = {
      template: () => ({ template: aTemplate(`app:${(this.#images += 1)}`) }),
      back: () => ({ template: aTemplate(`app:${Math.max(1, this.#images - 1)}`) }),
      strategy: () => ({ strategy: { deadlineSeconds: 300, ...this.#dice.pick(STRATEGIES) } }),
      places: () => this.#dice.pick(PLACES),
      keep: () => ({ whenUnselected: this.#dice.pick(['Keep', 'Remove']) }),
      paused: () => ({ paused: this.#dice.chance(0.3) }),
    };
    const change = changes[what]();
    this.#change(change);
    return `its ${what} becomes ${JSON.stringify(change)}`;
  }

  #change(change: Spec): void {
    this.#world.server.put<CappSet>(CAPP_SET, KEY, (set) => {
      if (set === null) return null;
      const { sites: _sites, placement: _placement, ...rest } = set.spec;
      const isMoved = 'sites' in change || 'placement' in change;
      return { ...set, spec: CappSetSpec.parse({ ...(isMoved ? rest : set.spec), ...change }) };
    });
  }

  #ask(): string {
    const { status } = readSet(this.#world) ?? {};
    const at = Math.floor(this.#world.clock.now);
    const revision = status?.revision ?? '';
    const words: Readonly<Record<string, string | null>> = this.#dice.pick([
      { [APPROVE]: `rest#${revision}` },
      { [APPROVE]: `rest#${revision}` },
      { [RETRY]: `#${at}` },
      { [RETRY]: `#${at}` },
      { [ABORT]: `${revision}#${at}` },
      { [PAUSED]: 'true' },
      { [PAUSED]: null },
      { [PAUSED]: null },
      { [APPROVE_REMOVAL]: `${status?.heldRemoval?.count ?? 1}#${status?.heldRemoval?.set ?? ''}` },
    ]);
    this.#annotate(words);
    return `somebody asks ${JSON.stringify(words)}`;
  }

  #annotate(words: Readonly<Record<string, string | null>>): void {
    this.#world.server.put<CappSet>(CAPP_SET, KEY, (set) => {
      if (set === null) return null;
      const entries = Object.entries({ ...set.metadata.annotations, ...words });
      const annotations = Object.fromEntries(
        entries.filter((one): one is [string, string] => one[1] !== null),
      );
      return { ...set, metadata: { ...set.metadata, annotations } };
    });
  }

  #handOnACapp(): string {
    const children = childrenOf(this.#world);
    if (children.length === 0) return 'there is no Capp to touch';
    const { metadata } = this.#dice.pick(children);
    const key = { namespace: NAMESPACE, name: metadata.name };
    if (this.#dice.chance(0.3)) {
      this.#world.server.remove(CAPP, key);
      return `somebody deletes Capp ${metadata.name}`;
    }
    if (this.#dice.chance(0.5)) {
      if (!this.#dice.chance(0.2)) return 'nobody deletes the set';
      this.#world.server.remove(CAPP_SET, KEY);
      this.#world.clock.after(this.#between(100, 600_000), () => this.#make());
      return 'somebody deletes the set';
    }
    this.#world.server.put<Capp>(CAPP, key, (capp) =>
      capp === null
        ? null
        : { ...capp, spec: { ...capp.spec, state: this.#dice.pick(['enabled', 'disabled']) } },
    );
    return `somebody edits Capp ${metadata.name}`;
  }

  /** People undo what they have done by hand, and want a new revision on all sites. */
  calm(): void {
    for (const { metadata } of childrenOf(this.#world))
      if (writtenOf(metadata) !== null)
        this.#world.server.remove(CAPP, { namespace: NAMESPACE, name: metadata.name });
    this.#make();
    this.#annotate({ [PAUSED]: null, [ABORT]: null, [RETRY]: null });
    this.#change({
      sites: { clusters: [...SITES] },
      paused: false,
      template: aTemplate(`app:${(this.#images += 1)}`),
      strategy: { maxConcurrent: 2, deadlineSeconds: 900 },
    });
    const goOn = (): void => {
      this.#make();
      const revision = readSet(this.#world)?.status?.revision ?? '';
      const retry = `#${Math.floor(this.#world.clock.now)}`;
      this.#annotate({ [RETRY]: retry, [APPROVE]: `rest#${revision}` });
    };
    for (const minutes of [20, 60, 120]) this.#world.clock.after(minutes * 60_000, goOn);
  }

  /** Ready on all of its sites, and each of its Capps is. */
  settled(): boolean {
    const set = readSet(this.#world);
    const children = childrenOf(this.#world);
    const { sites = 0, conditions = [] } = set?.status ?? {};
    const isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
    const isWhole = sites > 0 && children.filter(isReadyNow).length === sites && children.length === sites;
    if (isReady && isWhole) return true;
    fail(this.#world, 'fleet: the set does not come to rest', { status: set?.status, children });
    return false;
  }
}
