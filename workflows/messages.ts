// What may be said to a workflow from outside, and what it answers: the doorbell, the audit of a site, wishes to move and the view.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Audit, Ring } from './ring.ts';
import type { State } from './state.ts';
import type { Petition, Settled } from './turns.ts';
import type { Wish } from './wish.ts';

/** The doorbell: look again. It never carries what is wanted. */
export const ring = defineSignal<[Ring]>('ring');

/** An agent that starts says once what it has. */
export const audit = defineSignal<[Audit]>('audit');

/** A person asks for a move and does not wait for the answer. It asks: what the Capp and its site allow is looked at as ever. */
export const migrate = defineSignal<[Wish]>('migrate');

export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** The same, answered when the Capp has moved; refused or failed, it says why. */
export const move = defineUpdate<Moved, [Wish]>('move');

/** A drain that a person began tells a Capp to leave its cluster. */
export const leave = defineSignal<[{ readonly cluster: string }]>('leave');

/** A Capp that must leave asks the cluster's drain for its turn. */
export const petition = defineSignal<[Petition]>('petition');

/** A Capp tells the drain that let it go what became of that. */
export const settled = defineSignal<[Settled]>('settled');

/** A drain's answer to a Capp that asked for its turn to leave a cluster. */
export const permit = defineSignal<[{ readonly cluster: string; readonly answer: 'Go' | 'Wait' }]>('permit');

/** The whole state of a Capp's workflow, for people and tests. */
export const view = defineQuery<State>('view');
