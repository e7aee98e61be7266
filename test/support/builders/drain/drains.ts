// Builders of a drain's state: what a test does not say is the plainest thing that is so.
import { LANES } from '../../../../workflows/drain/decide/width.ts';
import { readDrain } from '../../../../workflows/drain/input.ts';
import type { DrainAsked } from '../../../../workflows/drain/object.ts';
import type { DrainState, DrainListing, WaitingCapp } from '../../../../workflows/drain/state.ts';
import type { Resident } from '../../../../workflows/drain/residents.ts';
import { NOW } from '../states.ts';

/** Begun by Capps, now. */
export function aDrain(plain: Partial<DrainState> = {}): DrainState {
  return { ...readDrain({ cluster: 'site-1' }, NOW), ...plain };
}

/** Asked now for its turn to go to site-2. */
export function aWaiting(name: string, plain: Partial<WaitingCapp> = {}): WaitingCapp {
  return { capp: `apps/${name}`, to: 'site-2', priority: 0, askedAt: NOW, isTold: false, ...plain };
}

export function aWish(name: string, plain: { readonly to?: string | null; readonly priority?: number } = {}) {
  return { namespace: 'apps', name, to: 'site-2', priority: 0, ...plain };
}

/** So many Capps under way to a site since now. */
export function goingTo(to: string | null, count: number): DrainState['going'] {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`apps/${to}-${index}`, { to, since: NOW, isAsked: true }]),
  );
}

/** A look that has just begun, and is not the first. */
export function aLook(plain: Partial<DrainListing> = {}): DrainListing {
  return { after: null, notBefore: 0, isFirst: false, before: {}, isBusy: false, isPassing: false, ...plain };
}

/** On the cluster, and nothing keeps it there. */
export function aResident(name: string, plain: Partial<Resident> = {}): Resident {
  return { namespace: 'apps', name, priority: 0, to: 'site-2', why: null, ...plain };
}

/** What a Drain that has just been created asks for. */
export function asks(plain: Partial<DrainAsked> = {}): DrainAsked {
  return {
    uid: 'uid-1',
    generation: 1,
    dryRun: false,
    paused: false,
    lanes: LANES,
    isOver: false,
    isSettled: false,
    ...plain,
  };
}
