// What must hold of a Capp that its site refuses as another hub's: it goes from a site once, comes back only
// when somebody asks for that, and says why it stays. Told from what sites say and what moves begin.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Leave } from '../../../../workflows/types/moves.ts';
import { keyIn } from '../site/brought.ts';
import { isRefusedAsTheirs } from '../site/other-hubs.ts';
import { worksOn } from '../world/ocm.ts';
import { keyOfName } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { fail } from './breach.ts';

const DAY_MS = 86_400_000;
/** A person's word. */
const ASKED: ReadonlySet<Leave['reason']> = new Set(['Asked', 'SiteEdited']);

export class OtherHubRules {
  readonly #world: World;
  /** By uid and site: when it left that site as another hub's. */
  readonly #left = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Temporal was wiped: which sites are avoided is forgotten. */
  forget(): void {
    this.#left.clear();
  }

  /** A move begins. Returns how to forget that. */
  begins({ capp: { uid, name } }: State, { reason, from, to }: Leave, now: number): () => void {
    const [here, there] = [`${uid} ${from}`, `${uid} ${to}`];
    const before = [here, there].map((place) => [place, this.#left.get(place)] as const);
    if (ASKED.has(reason)) this.#left.delete(there);
    if (now < (this.#left.get(there) ?? -Infinity) + DAY_MS)
      fail(this.#world, `10: ${name} goes back to ${to}, which has refused it as another hub's`, null);
    if (reason === 'OtherHub') this.#leaves(name, from, here, now);
    return () => {
      for (const [place, at] of before)
        if (at === undefined) this.#left.delete(place);
        else this.#left.set(place, at);
    };
  }

  #leaves(name: string, from: string, here: string, now: number): void {
    this.#world.tally.note('a Capp leaves because its site is another hub’s');
    const site = this.#world.site(from);
    if (site?.isServing(keyOfName(name)) === true)
      fail(this.#world, `10: ${name} leaves ${from} as another hub's, where it serves`, null);
    this.#left.set(here, now);
  }
}

/** OCM has said that its site refuses what was shipped, and neither a move nor the status says so. */
export function saysNothingOfOtherHub(world: World, { status }: Capp, state: State | null): boolean {
  if (state === null || state.serving === null || state.move !== null || state.paused) return false;
  // What the hub itself lacks to ship it is said first.
  if (state.refused !== null) return false;
  // While its agent is silent, that is said, and nobody knows what is there.
  if (state.copies[state.serving]?.silentSince !== null) return false;
  if (world.site(state.serving)?.up !== true || !isRefusedOn(world, state)) return false;
  return !saysOtherHub(status);
}

function isRefusedOn(world: World, { capp, serving }: State): boolean {
  const work = worksOn(world, serving ?? '').find((one) => keyIn(one) === keyOfName(capp.name));
  return work !== undefined && work.metadata.deletionTimestamp === undefined && isRefusedAsTheirs(work);
}

function saysOtherHub(status: Capp['status']): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'OtherHub') === true;
}

/**
 * The storm is over, and its site keeps its name for another hub for ever: it stays there only if it is
 * named, held, or serves there, or has no other site for a day, and says so. False: that is not how it is.
 */
export function isHeldByOtherHub(world: World, capp: Capp, state: State): boolean {
  // It has been refused so in the storm, and will not try that site for a day.
  if (isAvoiding(world, state)) return true;
  const site = state.serving === null ? undefined : world.site(state.serving);
  const key = keyOfName(state.capp.name);
  if (site?.others.refuses(key) !== true || !isRefusedOn(world, state)) return false;
  const { site: named = '', migration } = capp.spec;
  const isNamed = named === site.name || state.pin === site.name || migration?.policy === 'Manual';
  const hasNone = world.names.every(
    (name) => name === site.name || (state.avoid[name] ?? 0) > world.clock.now,
  );
  const isWaiting = state.leave !== null && state.leave.to === null;
  if (!isNamed && !hasNone && !isWaiting && !site.standing.has(key))
    fail(world, `10: ${state.capp.name} stays on ${site.name}, which is another hub's, for nothing`, state);
  if (!saysOtherHub(capp.status))
    fail(world, `10: ${state.capp.name} stays on a site that is another hub's, and does not say so`, state);
  world.tally.note('a Capp stays with a site that is another hub’s');
  return true;
}

/** A site that is another hub's no more is avoided all the same, and the Capp waits for it. */
function isAvoiding(world: World, state: State): boolean {
  const { now } = world.clock;
  const isWaiting = state.serving === null || (state.leave !== null && state.leave.to === null);
  return isWaiting && Object.values(state.avoid).some((until) => until > now + 4 * 3_600_000);
}
