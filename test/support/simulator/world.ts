// The world of the simulator: the hub, its sites, OCM's placing, the bridge, a drain, and the body of one Capp's workflow.
import type { Capp } from '../../../crds/capp.ts';
import { heard } from '../../../workflows/decide/learn.ts';
import { wished } from '../../../workflows/decide/moved.ts';
import type { Request } from '../../../workflows/moves.ts';
import { rungFor, type Ring } from '../../../workflows/ring.ts';
import { initialState, type State } from '../../../workflows/state.ts';
import { random, type Random } from '../random.ts';
import { CAPP, NOW } from '../states.ts';
import { newCapp } from './capp.ts';
import { Body } from './body.ts';
import type { Call, Effect } from './effects.ts';
import { Clockwork } from './clockwork.ts';
import { answerPetition } from './drain.ts';
import { Refused } from './hands.ts';
import { Hub, type Kind, type Kinds } from './hub.ts';
import { GOOD } from './ocm.ts';
import { ring as bridgeRing, watchHub } from './bridge.ts';
import { Rules } from './rules.ts';
import { Site } from './site.ts';

export const SITES = ['site-1', 'site-2', 'site-3'] as const;
const LOCAL = 'local-cluster';

/** A wiped Temporal is back after this long: the caches have seen by then what its workflows did last. */
const AWAY_MS = 10_000;

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
  /** Temporal cannot be reached before. */
  #away = 0;
  /** Since when a cluster is no site for the Capp. */
  readonly unfit = new Map<string, number>();
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

  tell(line: string, what?: unknown): void {
    if (this.story === null) return;
    const more = what === undefined ? '' : ` ${JSON.stringify(what).slice(0, 300)}`;
    this.story(`${((this.clock.now - NOW) / 1000).toFixed(1).padStart(9)} s  ${line}${more}`);
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

  hear(ring: Ring, uid: string): void {
    // The bridge tries again until Temporal is back.
    if (this.clock.now < this.#away) return this.clock.after(this.#away - this.clock.now, () => this.hear(ring, uid));
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

  /** Temporal forgets everything. */
  wipe(): void {
    this.#turn += 1;
    this.#away = this.clock.now + AWAY_MS;
    this.body = null;
    this.#life = null;
    this.#waiting = null;
    this.rules.forget();
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
      if (isUnfit !== true) this.unfit.delete(name);
      else if (!this.unfit.has(name)) this.unfit.set(name, this.clock.now);
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
      petition: (cluster) => answerPetition(this, cluster),
      observe: (state, step) => {
        this.tell(' ', step);
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
      this.tell(`    ${call.name} →`, result ?? null);
      this.#go(() => life.next(result));
    });
  }
}
