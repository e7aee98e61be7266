// Which Capps stay on a cluster, and why. The list is bounded.
import type { DrainState, Stays } from '../state.ts';
import { PASSING } from '../residents.ts';

/** At most this many are remembered by name. */
export const MOST_STAYS = 5_000;
/** At most this many are listed for people, and at most this many reasons are counted. */
const NAMED = 50;
const REASONS = 20;
const LONGEST = 64;

/** Adds a Capp that stays: once, under its newest reason. */
export function withStay<T extends Pick<DrainState, 'stays' | 'unnamed'>>(
  state: T,
  capp: string,
  why: string,
): T {
  const isFull = !Object.hasOwn(state.stays, capp) && Object.keys(state.stays).length >= MOST_STAYS;
  return isFull
    ? { ...state, unnamed: state.unnamed + 1 }
    : { ...state, stays: { ...state.stays, [capp]: shortened(why) } };
}

export function shortened(why: string): string {
  return why.slice(0, LONGEST);
}

/** Removes a Capp that is on its way, or gone. */
export function withoutStay(state: DrainState, capp: string): DrainState {
  const { listing } = state;
  const stays = withoutOne(state.stays, capp);
  if (listing === null || !Object.hasOwn(listing.before, capp))
    return stays === state.stays ? state : { ...state, stays };
  return { ...state, stays, listing: { ...listing, before: withoutOne(listing.before, capp) } };
}

function withoutOne(stays: Stays, capp: string): Stays {
  if (!Object.hasOwn(stays, capp)) return stays;
  const { [capp]: _gone, ...others } = stays;
  return others;
}

/** Capps known to stay; during a listing, also those known before it. */
export function staying({ stays, listing }: Pick<DrainState, 'stays' | 'listing'>): Stays {
  return listing === null ? stays : { ...listing.before, ...stays };
}

/** For that reason a Capp will leave without being told. */
export function passesByItself(why: string): boolean {
  return PASSING.some((one) => one === why);
}

/** Reason, without its time → number of Capps that stay for it; the most frequent first. */
export function countsOf(stays: Stays, unnamed: number): Readonly<Record<string, number>> {
  const groups = byReason(stays);
  const told = groups.slice(0, groups.length > REASONS ? REASONS - 1 : REASONS);
  const others = groups.slice(told.length).reduce((sum, [, capps]) => sum + capps.length, unnamed);
  const counts = told.map(([reason, capps]) => [reason, capps.length] as const);
  return Object.fromEntries(others > 0 ? [...counts, ['Other', others]] : counts);
}

export interface Stayer {
  readonly capp: string;
  readonly why: string;
}

/** Fifty at most, rare reasons first, because nobody would guess those. */
export function namedOf(stays: Stays): readonly Stayer[] {
  const groups = byReason(stays).toReversed();
  return groups
    .flatMap(([, capps]) => capps)
    .slice(0, NAMED)
    .map((capp) => ({ capp, why: stays[capp] ?? '' }));
}

function byReason(stays: Stays): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const [capp, why] of Object.entries(stays)) {
    const [reason = ''] = why.split(' ');
    const known = groups.get(reason);
    if (known === undefined) groups.set(reason, [capp]);
    else known.push(capp);
  }
  return [...groups].toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
}
