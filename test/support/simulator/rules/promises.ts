// What a user may rely on at every instant: what was asked for is answered within a bound, with the deed or
// with a reason in the Capp's status.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { isReady, siteOf } from '../../../../bridge/changes/causes.ts';
import { WAITING } from '../world/faults.ts';
import { clusterOf, factsOf } from '../world/ocm.ts';
import { fail } from './breach.ts';
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
    }
  }

  #isAway(capp: Capp): boolean {
    const cluster = clusterOf(this.#world, siteOf(capp) ?? '');
    return cluster === null || !factsOf(cluster).available;
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
