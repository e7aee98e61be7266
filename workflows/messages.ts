// Signals, Updates and queries of all workflows: rings, inventories, move requests, drains and views.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { DrainProgress } from './drain/decide/progress.ts';
import type { Lanes } from './drain/state.ts';
import type { Inventory, Ring } from './types/ring.ts';
import type { State } from './capp/state.ts';
import type { LeaveOrder, PermitGiven, TurnRequest, Settled } from './types/turns.ts';
import type { SipRef } from './metal/port.ts';
import type { ParsedMoveRequest } from './parse/move-request.ts';

/** Look again. A ring never carries desired state. */
export const ring = defineSignal<[Ring]>('ring');

/**
 * An agent lists what it has, at its start and every ten minutes, a stretch at a time. The signal keeps the
 * name by which agents of earlier versions send it.
 */
export const inventory = defineSignal<[Inventory]>('audit');

/**
 * A person asks for a move and does not wait for the answer. What the Capp and its site allow is checked as
 * always.
 */
export const migrate = defineSignal<[ParsedMoveRequest]>('migrate');

export interface Moved {
  readonly from: string;
  readonly to: string;
}

/**
 * The same as an Update: answered when the Capp has moved, with an error if the request is refused or the
 * move fails.
 */
export const move = defineUpdate<Moved, [ParsedMoveRequest]>('move');

/** A drain that a Drain orders tells a Capp to leave its cluster. */
export const leave = defineSignal<[LeaveOrder]>('leave');

/** A Capp that must leave asks the cluster's drain for its turn. */
export const requestTurn = defineSignal<[TurnRequest]>('requestTurn');

/** A Capp tells the drain the outcome. */
export const settled = defineSignal<[Settled]>('settled');

/** A drain's answer to a Capp that asked for its turn to leave a cluster. */
export const permit = defineSignal<[PermitGiven]>('permit');

/** The whole state of a Capp's workflow, for people and tests. */
export const view = defineQuery<State>('view');

/**
 * The bridge rings a drain or a drill: its cluster's Drain object has changed, or is gone. It never says how.
 */
export const drainChanged = defineSignal('drainChanged');

/** No Capp gets its turn until `resume`. Those that ask are told to wait, those under way go on. */
export const pause = defineSignal('pause');
export const resume = defineSignal('resume');

/** Changes the lanes. As an Update it answers with the lanes in force, or says what is wrong. */
export const configure = defineSignal<[Partial<Lanes>]>('configure');
export const configureNow = defineUpdate<Lanes, [Partial<Lanes>]>('configure');

/** Ends the drain. Moves under way are finished. As an Update it answers with the progress so far. */
export const stop = defineSignal('stop');
export const stopNow = defineUpdate<DrainProgress>('stop');

/** A SIPCluster lacks hosts, and asks the one authority for its turn. What it lacks is read then. */
export const askForHosts = defineSignal<[SipRef]>('askForHosts');

/** The progress of a drain. */
export const progress = defineQuery<DrainProgress>('view');
