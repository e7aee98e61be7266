// Which Capps stay on a cluster, and why. The list is bounded.
import type { DrainState, Stays } from '../state.ts';
import { PASSING } from '../residents.ts';

/** So many are remembered by name. */
export const MOST_STAYS = 5_000;
/** So many are named to people, and so many reasons are told apart. */
const NAMED = 50;
const REASONS = 20;
const LONGEST = 64;

/** One that is heard of again is counted anew. */
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

/** It is on its way, or gone. */
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

/** What is known of those that stay; while a look is under way, also what was known before it. */
export function staying({ stays, listing }: Pick<DrainState, 'stays' | 'listing'>): Stays {
  return listing === null ? stays : { ...listing.before, ...stays };
}

/** It will be gone without being told. */
export function isPassing(why: string): boolean {
  return PASSING.some((one) => one === why);
}

/** Reason, without its time → how many stay for it; the most frequent first. */
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

/** Fifty at most, those whose reason is rare first: they are what nobody would guess. */
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
