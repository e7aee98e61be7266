// The drain's state after it has listed the Capps on its cluster. Pure.
import type { DrainState, DrainListing, DrainPlace, Stays, WaitingCapp } from '../state.ts';
import type { Resident, Residents } from '../residents.ts';
import type { PlannedMove } from './plan.ts';
import { queued } from './transitions.ts';
import { MOST_STAYS, passesByItself, shortened } from './stays.ts';

/** The backoff after a page that could not be read, in milliseconds. */
const PAGE_PAUSE_MS = 5_000;
/** Between two looks, in milliseconds: twice as long each time. */
const LOOK_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** How long Capps that are about to leave without being told are waited for, in milliseconds. */
const PATIENCE_MS = 120_000;

/** Reasons that the hub knows without asking the Capp. */
const UNASKED: ReadonlySet<string> = new Set(['Paused', 'StillLeaving', 'OtherCopy', 'Deleting', 'NoCapp']);

type Looking = DrainState & { readonly listing: DrainListing };

/**
 * A person drains the cluster, whether or not Capps have begun to leave it. A repeat while the drain runs is
 * the same order.
 */
export function begunByPerson(state: DrainState): DrainState {
  if (state.everything && !state.stopped) return state;
  const fresh = {
    everything: true,
    stopped: false,
    isClear: false,
    patience: null,
    lookAt: 0,
    looks: 0,
    stays: {},
    unnamed: 0,
  };
  return { ...state, ...fresh, listing: aLook({ isFirst: true, before: {} }) };
}

/** Begins a listing, unless one is under way. */
export function looking(state: DrainState): Looking {
  const { listing, stays } = state;
  if (listing !== null) return { ...state, listing };
  return { ...state, stays: {}, unnamed: 0, listing: aLook({ isFirst: false, before: stays }) };
}

function aLook(plain: { readonly isFirst: boolean; readonly before: Stays }): DrainListing {
  return { after: null, notBefore: 0, isBusy: false, isPassing: false, ...plain };
}

/**
 * The state after a page: Capps on it wait to be told, unless they have asked for a turn, or are known to
 * stay.
 */
export function listed(state: DrainState, { capps, isLast }: Residents, now: number): DrainState {
  const look = looking(state);
  const page = draftOf(look);
  for (const one of capps) find(look, page, one);
  const { waiting, stays, unnamed, isBusy, isPassing } = page;
  const last = capps.at(-1);
  const after: DrainPlace | null =
    last === undefined ? null : { namespace: last.namespace, name: last.name, priority: last.priority };
  const listing = { ...look.listing, after, notBefore: 0, isBusy, isPassing };
  const seen = { ...look, waiting, stays, unnamed, listing };
  return isLast || after === null ? looked(seen, now) : seen;
}

/** Capps on their way, and those that wait, each with its target. */
export function boundIn({ going, waiting }: Pick<DrainState, 'going' | 'waiting'>): PlannedMove[] {
  const underWay = Object.entries(going).map(([capp, { to }]) => ({ capp, to }));
  return [...underWay, ...waiting.map(({ capp, to }) => ({ capp, to }))];
}

export function unlisted(state: DrainState, now: number): DrainState {
  const { listing } = looking(state);
  return { ...looking(state), listing: { ...listing, notBefore: now + PAGE_PAUSE_MS } };
}

/** The parts of the state that a page changes, copied once per page rather than once per Capp. */
interface Page {
  waiting: readonly WaitingCapp[];
  readonly known: ReadonlySet<string>;
  readonly stays: Record<string, string>;
  count: number;
  unnamed: number;
  isBusy: boolean;
  isPassing: boolean;
}

function draftOf({ waiting, going, stays, unnamed, listing }: Looking): Page {
  const known = new Set([...waiting.map(({ capp }) => capp), ...Object.keys(going)]);
  const { isBusy, isPassing } = listing;
  return {
    waiting,
    known,
    stays: { ...stays },
    count: Object.keys(stays).length,
    unnamed,
    isBusy,
    isPassing,
  };
}

function find(
  { everything, listing }: Looking,
  page: Page,
  { namespace, name, priority, to, why }: Resident,
): void {
  const capp = `${namespace}/${name}`;
  const reason = page.known.has(capp) ? null : (why ?? page.stays[capp] ?? answeredBefore(listing, capp));
  if (reason !== null) return stay(page, capp, { reason, isPassing: everything && passesByItself(reason) });
  if (!page.known.has(capp) && !listing.isFirst && page.count >= MOST_STAYS) return void (page.unnamed += 1);
  page.isBusy = true;
  if (!page.known.has(capp))
    page.waiting = queued(page.waiting, { capp, to, priority, askedAt: null, isTold: false });
}

function stay(
  page: Page,
  capp: string,
  { reason, isPassing }: { readonly reason: string; readonly isPassing: boolean },
): void {
  page.isPassing ||= isPassing;
  const isNew = !Object.hasOwn(page.stays, capp);
  if (isNew && page.count >= MOST_STAYS) return void (page.unnamed += 1);
  if (isNew) page.count += 1;
  page.stays[capp] = shortened(reason);
}

/** The Capp's answer when it was told before. A Capp that was only listed has not been told. */
function answeredBefore({ before }: DrainListing, capp: string): string | null {
  const why = before[capp];
  return why === undefined || UNASKED.has(why) ? null : why;
}

/**
 * Capps that are about to leave by themselves are waited for, within limits. After that they are listed like
 * the others.
 */
function looked(state: Looking, now: number): DrainState {
  const { isBusy, isPassing } = state.listing;
  const patience = isBusy || !isPassing ? null : (state.patience ?? now + PATIENCE_MS);
  const isClear = !isBusy && (patience === null || now >= patience);
  const looks = state.looks + 1;
  const lookAt = now + Math.min(LONGEST_PAUSE_MS, LOOK_PAUSE_MS * 2 ** Math.min(state.looks, 10));
  return { ...state, listing: null, isClear, patience, looks, lookAt };
}
