// What a user may rely on at every instant: what was asked for is answered within a bound, with the deed or
// with a reason in the Capp's status.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { isReady, siteOf } from '../../../../bridge/changes/causes.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { WAITING } from '../world/faults.ts';
import { clusterOf, factsOf } from '../world/ocm.ts';
import type { SiteCopy } from '../site/brought.ts';
import { fail } from './breach.ts';
import { saysNothingOfOtherHub } from './other-hubs.ts';
import type { World } from '../world/world.ts';

/**
 * So long may a wish stand without an answer while processes, servers and sites come and go, in milliseconds.
 */
const BOUND_MS = 1_200_000;
const LOOK_MS = 30_000;

export class PromiseRules {
  readonly #world: World;
  /** By what is not as it should be: since when. */
  readonly #since = new Map<string, number>();
  #lookedAt = 0;

  constructor(world: World) {
    this.#world = world;
  }

  afterEvent(): void {
    const { now } = this.#world.clock;
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    const isHeld = !WAITING.has('what is on a site that is away is said');
    for (const name of this.#world.capps) {
      const capp = this.#world.read(name);
      const { uid, generation, deletionTimestamp } = capp?.metadata ?? {};
      const isLiving = capp !== null && deletionTimestamp === undefined;
      this.#holds(
        `${name} ${uid}/${generation}: the edit is not answered`,
        isHeld && isLiving && capp.status?.observedGeneration !== generation,
      );
      this.#holds(
        `${name} ${uid}: it is being deleted and says that it is Ready`,
        deletionTimestamp !== undefined && capp !== null && isReady(capp),
      );
      this.#holds(
        `${name} ${uid}: it says that it is Ready on a site that the hub knows to be away`,
        isHeld && isLiving && isReady(capp) && this.#isAway(capp),
      );
      this.#holds(
        `${name} ${uid}: its users stay on a copy that failed, while the one that they came from serves`,
        isLiving && this.#isStranded(name),
      );
      this.#holds(
        `${name} ${uid}/${generation}: its site refuses it as another hub's, and it does not say so`,
        isLiving && saysNothingOfOtherHub(this.#world, capp, this.#world.stateOf(name)),
      );
    }
  }

  #isAway(capp: Capp): boolean {
    const cluster = clusterOf(this.#world, siteOf(capp) ?? '');
    return cluster === null || !factsOf(cluster).available;
  }

  /**
   * After the deadline of a move nothing speaks for the new copy, and both agents say so: one that lies need
   * not.
   */
  #isStranded(name: string): boolean {
    const { clock, calm, lies } = this.#world;
    const state = this.#world.stateOf(name);
    const move = state?.move ?? null;
    if (state === null || move === null || state.paused || state.retiring || calm) return false;
    if (move.strategy === 'Recreate' || state.serving !== move.to || clock.now < move.deadline) return false;
    if ([move.from, move.to].some((site) => site === lies?.site)) return false;
    const [old, copy] = [move.from, move.to].map((site) => this.#standing(state, site));
    return old?.finding.healthy === true && copy !== undefined && !copy.finding.healthy;
  }

  /**
   * What stands there of the copy that the workflow means, on a site that answers and that the hub reaches.
   */
  #standing({ capp, copies }: State, cluster: string): SiteCopy | undefined {
    const site = this.#world.site(cluster);
    const object = clusterOf(this.#world, cluster);
    const standing = site?.standing.get(`${capp.namespace}/${capp.name}`);
    const isAnswering = site?.isAnswering() === true && object !== null && factsOf(object).available;
    return isAnswering && standing?.stamp === copies[cluster]?.stamp ? standing : undefined;
  }

  #holds(what: string, isWrong: boolean): void {
    const { now } = this.#world.clock;
    if (!isWrong) {
      this.#since.delete(what);
      return;
    }
    const since = this.#since.get(what) ?? now;
    this.#since.set(what, since);
    if (now - since > BOUND_MS) fail(this.#world, `3: ${what}`, { since, now });
  }
}
