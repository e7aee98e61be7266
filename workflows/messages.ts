// Signals, Updates and queries of all workflows: rings, audits, move requests, drains and views.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { DrainProgress } from './drain/decide/progress.ts';
import type { Plan } from './drain/decide/plan.ts';
import type { Lanes } from './drain/state.ts';
import type { Audit, Ring } from './types/ring.ts';
import type { State } from './capp/state.ts';
import type { PermitGiven, TurnRequest, Settled } from './types/turns.ts';
import type { MoveRequest } from './parse/move-request.ts';

/** The doorbell: look again. It never carries what is wanted. */
export const ring = defineSignal<[Ring]>('ring');

/** An agent says what it has, when it starts and every ten minutes, a stretch at a time. */
export const audit = defineSignal<[Audit]>('audit');

/**
 * A person asks for a move and does not wait for the answer. It asks: what the Capp and its site allow is
 * looked at as ever.
 */
export const migrate = defineSignal<[MoveRequest]>('migrate');

export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** The same, answered when the Capp has moved; refused or failed, it says why. */
export const move = defineUpdate<Moved, [MoveRequest]>('move');

/** A drain that a person began tells a Capp to leave its cluster. */
export const leave = defineSignal<[{ readonly cluster: string }]>('leave');

/** A Capp that must leave asks the cluster's drain for its turn. */
export const requestTurn = defineSignal<[TurnRequest]>('requestTurn');

/** A Capp tells the drain that let it go what became of that. */
export const settled = defineSignal<[Settled]>('settled');

/** A drain's answer to a Capp that asked for its turn to leave a cluster. */
export const permit = defineSignal<[PermitGiven]>('permit');

/** The whole state of a Capp's workflow, for people and tests. */
export const view = defineQuery<State>('view');

/**
 * A person wants everything off the cluster, whoever began its drain; with other lanes, if they are given.
 */
export const evacuate = defineSignal<[(Partial<Lanes> & { readonly order?: number })?]>('evacuate');

/** To a person's order, `drain/<cluster>`: what has become of it. */
export const drained = defineSignal<[Account]>('drained');

export interface Account {
  /** Which order, by its time. */
  readonly order: number;
  readonly progress: DrainProgress;
}

/** What became of an order, or where to look until it is known. */
export const ordered = defineQuery<
  DrainProgress | { readonly cluster: string; readonly phase: 'Ordered'; readonly see: string }
>('view');

/** Nobody is let go until `resume`. Those that ask are told to wait, those under way go on. */
export const pause = defineSignal('pause');
export const resume = defineSignal('resume');

/** Other lanes, from now on; as an Update it answers with the lanes in force, or says what is wrong. */
export const configure = defineSignal<[Partial<Lanes>]>('configure');
export const configureNow = defineUpdate<Lanes, [Partial<Lanes>]>('configure');

/** The drain ends; every Capp stays whole. As an Update it answers with what had been done. */
export const stop = defineSignal('stop');
export const stopNow = defineUpdate<DrainProgress>('stop');

/** How far a drain is. */
export const progress = defineQuery<DrainProgress>('view');

/** What a plan found; null until it has. */
export const planned = defineQuery<Plan | null>('view');
