// The world of the simulator: the hub, its sites, OCM's placing, the bridge, a drain, and the body of one Capp's workflow.
import type { Capp } from '../../../crds/capp.ts';
import { heard } from '../../../workflows/decide/learn.ts';
import { permitted, wished } from '../../../workflows/decide/moved.ts';
import type { Request } from '../../../workflows/moves.ts';
import { rungFor, type Cause, type Ring } from '../../../workflows/ring.ts';
import { initialState, type State } from '../../../workflows/state.ts';
import { random, type Random } from '../random.ts';
import { CAPP, NOW } from '../states.ts';
import { Body, type Call, type Effect } from './body.ts';
import { Clockwork } from './clockwork.ts';
import { Refused } from './hands.ts';
import { Hub, type Cluster, type Kind, type Kinds } from './hub.ts';
import { ring as bridgeRing, watchHub } from './bridge.ts';
import { Rules } from './rules.ts';
import { Site } from './site.ts';

export const SITES = ['site-1', 'site-2', 'site-3'] as const;
const LOCAL = 'local-cluster';
export const MEMBERS: Readonly<Record<string, readonly string[]>> = { all: [LOCAL, ...SITES], edge: ['site-2', 'site-3'] };

const GOOD: Cluster = { isHub: false, accepted: true, deleting: false, available: true, tainted: false };

export class World {
  readonly clock = new Clockwork(NOW);
  readonly random: Random;
  readonly hub: Hub;
  readonly sites: readonly Site[];
  readonly rules: Rules;
  readonly cooldownMs = 600_000;
  /** No more trouble: what is asked is answered, and nothing gets lost. */
  calm = false;
  /** How often OCM changes its mind without need. */
  readonly flaps: boolean;
  body: Body | null = null;
  writes = 0;
  isLong = false;
  readonly story: ((line: string) => void) | null;
  #life: Generator<Effect, void, unknown> | null = null;
  #waiting: (() => boolean) | null = null;
  #turn = 0;
  readonly #unfit = new Map<string, number>();
  readonly #policies: { at: number; policy: string; site: string }[] = [];

  constructor(seed: number, story: ((line: string) => void) | null = null) {
    this.random = random(seed);
    this.story = story;
    this.flaps = this.random.chance(0.3);
    this.hub = new Hub(this.clock, () => this.between(5, this.random.chance(0.1) ? 5_000 : 300), this.#start());
    const sites = SITES.map(
      (name) => new Site(name, { hub: this.hub, clock: this.clock, random: this.random, ring: () => bridgeRing(this, ['site'], {}) }),
    );
    this.sites = sites;
    this.rules = new Rules(this);
    this.hub.onWrite = (kind) => this.#wrote(kind);
    watchHub(this);
    this.#wrote('ManagedCluster');
    this.#wrote('Capp');
  }

  #start(): Kinds {
    const clusters = Object.fromEntries([...SITES, LOCAL].map((name) => [name, { ...GOOD, isHub: name === LOCAL }]));
    const decided = { clusters: [this.random.pick(SITES)], complete: true };
    return {
      Capp: newCapp(this.random, 'uid-1'),
      RCSConfig: ['all', 'edge'],
      PlacementDecision: { all: decided, edge: { clusters: ['site-2', 'site-3'], complete: true } },
      ManagedCluster: clusters,
      ManifestWork: {},
      Secret: 1,
    };
  }

  tell(line: string): void {
    this.story?.(`${((this.clock.now - NOW) / 1000).toFixed(1).padStart(9)} s  ${line}`);
  }

  site(name: string): Site | undefined {
    return this.sites.find((site) => site.name === name);
  }

  between(least: number, most: number): number {
    return least + this.random.next() * (most - least);
  }

  /** Something went wrong on the way, as it does while there is trouble. */
  slips(probability: number): boolean {
    return !this.calm && this.random.chance(probability);
  }

  changeCapp(change: (capp: Capp) => Capp): void {
    const capp = this.hub.get('Capp');
    if (capp !== null) this.hub.write('Capp', change(capp));
  }

  changeSpec(change: { readonly [K in keyof Capp['spec']]?: Capp['spec'][K] | undefined }): void {
    this.changeCapp((capp) => ({
      ...capp,
      metadata: { ...capp.metadata, generation: (capp.metadata.generation ?? 0) + 1 },
      spec: { ...capp.spec, ...change } as Capp['spec'],
    }));
  }

  changeCluster(name: string, change: Partial<Cluster>): void {
    const clusters = this.hub.get('ManagedCluster');
    const before = clusters[name];
    if (before === undefined) return;
    if (Object.entries(change).every(([key, value]) => before[key as keyof Cluster] === value)) return;
    this.hub.write('ManagedCluster', { ...clusters, [name]: { ...before, ...change } });
    this.clock.after(this.between(200, 5_000), () => this.place());
  }

  /** Begins to delete a cluster; in a while it is gone with its works. */
  detach(name: string): void {
    this.changeCluster(name, { deleting: true });
    this.clock.after(this.between(1_000, 300_000), () => {
      const { [name]: gone, ...clusters } = this.hub.get('ManagedCluster');
      if (gone?.deleting !== true) return;
      this.hub.write('ManagedCluster', clusters);
      const { [name]: work, ...works } = this.hub.get('ManifestWork');
      if (work !== undefined) this.hub.write('ManifestWork', works);
      this.site(name)?.clear();
      this.place();
    });
  }

  attach(name: string): void {
    const clusters = this.hub.get('ManagedCluster');
    this.hub.write('ManagedCluster', { ...clusters, [name]: GOOD });
    this.clock.after(this.between(200, 5_000), () => this.place());
  }

  /** A cluster's site is away or back; the hub hears of that later. */
  reach(name: string, up: boolean): void {
    const site = this.site(name);
    site?.turn('up', up);
    this.clock.after(up ? this.between(1_000, 60_000) : this.between(60_000, 300_000), () => {
      if (site?.up === up) this.changeCluster(name, { available: up });
    });
  }

  /** OCM decides anew: what was decided for stays if it still may, unless it flaps. */
  place(): void {
    const clusters = this.hub.get('ManagedCluster');
    const before = this.hub.get('PlacementDecision');
    const isFit = (name: string): boolean => {
      const facts = clusters[name];
      return facts !== undefined && facts.accepted && !facts.deleting && facts.available && !facts.tainted;
    };
    const decide = (placement: string, count: number): readonly string[] => {
      const fit = (MEMBERS[placement] ?? []).filter(isFit);
      const held = before[placement]?.clusters ?? [];
      const order = (name: string): number => (this.flaps && !this.calm ? this.random.next() : held.includes(name) ? 0 : 1);
      const keyed = fit.map((name) => [order(name), name] as const).toSorted((a, b) => a[0] - b[0]);
      return keyed.slice(0, count).map(([, name]) => name);
    };
    const after = {
      all: { clusters: decide('all', 2), complete: !this.slips(0.1) },
      edge: { clusters: decide('edge', 1), complete: true },
    };
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    this.hub.write('PlacementDecision', after);
    if (!after.all.complete) this.clock.after(this.between(100, 3_000), () => this.place());
  }

  hear(ring: Ring, uid: string): void {
    if (this.body === null || this.body.ended) {
      this.tell('a workflow is started');
      this.#begin(initialState({ ...CAPP, uid }));
    }
    this.change((state) => heard(state, ring));
    this.tell(`rung for ${ring.causes.join(' ')}`);
  }

  /** A signal's handler. */
  change(of: (state: State) => State): void {
    if (this.body === null || this.body.ended) return;
    this.body.state = of(this.body.state);
    this.wake();
  }

  request(to: string | null, source: Request['source']): void {
    this.change((state) => {
      const request: Request = { source, id: `${source}-${state.rung + 1}`, to, by: 'you', why: '', force: false };
      return heard(wished(state, request), rungFor('request'));
    });
  }

  ring(causes: readonly Cause[]): void {
    bridgeRing(this, causes, {});
  }

  /** Temporal forgets everything. */
  wipe(): void {
    this.#turn += 1;
    this.body = null;
    this.#life = null;
    this.#waiting = null;
    this.rules.forget();
  }

  unfitSince(cluster: string): number | null {
    return this.#unfit.get(cluster) ?? null;
  }

  policySince(policy: string, since: number): boolean {
    return this.#hasBeen((one) => one.policy === policy, since);
  }

  pinnedSince(site: string, since: number): boolean {
    return this.#hasBeen((one) => one.site === site, since);
  }

  #hasBeen(is: (one: { policy: string; site: string }) => boolean, since: number): boolean {
    const first = this.#policies.findLastIndex(({ at }) => at <= since);
    return first >= 0 && this.#policies.slice(first).every(is);
  }

  #wrote(kind: Kind): void {
    if (kind === 'Capp') {
      const spec = this.hub.get('Capp')?.spec;
      this.#policies.push({ at: this.clock.now, policy: spec?.migration?.policy ?? '', site: spec?.site ?? '' });
    }
    this.writes += 1;
    for (const name of [...SITES, LOCAL]) {
      const facts = this.hub.get('ManagedCluster')[name];
      const isUnfit =
        facts === undefined || facts.deleting || facts.isHub || !facts.accepted || this.hub.get('ManifestWork')[name]?.leaving;
      if (isUnfit !== true) this.#unfit.delete(name);
      else if (!this.#unfit.has(name)) this.#unfit.set(name, this.clock.now);
    }
  }

  #begin(start: State): void {
    this.#turn += 1;
    const turn = this.#turn;
    this.body = new Body(start, {
      hands: { hub: this.hub, clock: this.clock, nudge: (cluster) => this.site(cluster)?.nudge() },
      now: () => this.clock.now,
      ask: ({ kind, cluster, question }, settle) =>
        this.site(cluster)?.ask(kind, question, (answer, silent) => {
          const isHeard = turn === this.#turn && settle(answer, silent);
          this.tell(`${cluster} ${silent ? 'is silent' : `answers ${answer?.finding.verdict ?? 'null'}`}${isHeard ? '' : ' to nobody'}`);
          if (isHeard) this.wake();
          return isHeard;
        }),
      petition: (cluster) => this.#drain(cluster),
      observe: (state, step) => {
        this.tell(`  ${JSON.stringify(step)}`);
        this.rules.beforeStep(state, step);
      },
      isLong: () => {
        const was = this.isLong;
        this.isLong = false;
        return was;
      },
    });
    this.#life = this.body.live();
    this.#waiting = () => true;
    this.clock.after(this.between(1, 200), () => turn === this.#turn && this.wake());
  }

  /** The drain of a cluster gives the turn, sooner or later or not at all. */
  #drain(cluster: string): void {
    const answer = (what: 'Go' | 'Wait', after: number): void =>
      this.clock.after(after, () => {
        this.tell(`drain/${cluster} says ${what}`);
        this.change((state) => permitted(state, cluster, what));
      });
    if (this.random.chance(0.3)) return;
    if (this.random.chance(0.3)) {
      answer('Wait', this.between(10, 2_000));
      if (this.random.chance(0.5)) answer('Go', this.between(2_000, 400_000));
    } else answer('Go', this.between(10, 3_000));
  }

  wake(): void {
    if (this.#waiting?.() !== true) return;
    this.#waiting = null;
    this.#go(() => this.#life?.next());
  }

  #go(resume: () => IteratorResult<Effect, void> | undefined): void {
    const next = resume();
    if (next === undefined || next.done === true) return;
    const turn = this.#turn;
    const effect = next.value;
    if ('call' in effect) return this.#call(effect.call, turn, 0);
    this.#waiting = effect.woken;
    if (effect.until === null) return;
    const mine = effect.woken;
    this.clock.after(effect.until - this.clock.now, () => {
      if (turn === this.#turn && this.#waiting === mine) {
        this.#waiting = () => true;
        this.wake();
      }
    });
  }

  /** An activity may take its time, fail before or after it has done its work, be done twice, or be refused. */
  #call(call: Call, turn: number, tries: number): void {
    const life = this.#life;
    const retry = (): void =>
      this.clock.after(Math.min(60_000, 500 * 2 ** tries), () => turn === this.#turn && this.#call(call, turn, tries + 1));
    this.clock.after(this.between(2, this.slips(0.05) ? 20_000 : 200), () => {
      if (turn !== this.#turn || life === null) return;
      if (this.slips(0.05)) return call.local ? this.#go(() => life.throw(new Refused('no answer'))) : retry();
      let result: unknown;
      try {
        result = call.run();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.tell(`    ${call.name} is refused`);
        return this.#go(() => life.throw(error));
      }
      if (this.slips(0.05)) return call.local ? this.#go(() => life.throw(new Refused('no answer'))) : retry();
      if (this.slips(0.02)) return this.#go(() => life.throw(new Refused('no rights')));
      this.tell(`    ${call.name} → ${JSON.stringify(result)}`.slice(0, 300));
      this.#go(() => life.next(result));
    });
  }
}

export function newCapp(dice: Random, uid: string): Capp {
  const migration = {
    policy: dice.pick(['Evacuate', 'Evacuate', 'Follow', 'Manual']),
    strategy: dice.pick(['MakeBeforeBreak', 'MakeBeforeBreak', 'Recreate']),
    failback: dice.pick(['Never', 'Manual', 'Automatic']),
  };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Capp',
    metadata: { namespace: CAPP.namespace, name: CAPP.name, uid, generation: 1, annotations: {} },
    spec: { site: dice.pick(['', '', 'all', 'edge', 'site-1']), migration },
    status: {},
  } as unknown as Capp;
}
