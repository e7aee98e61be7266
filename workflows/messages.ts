// What may be said to a workflow from outside, and what it answers: the doorbell, the audit of a site and the view.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Audit, Ring } from './ring.ts';
import type { State } from './state.ts';

/** The doorbell: look again. It never carries what is wanted. */
export const ring = defineSignal<[Ring]>('ring');

/** An agent that starts says once what it has. */
export const audit = defineSignal<[Audit]>('audit');

/** The whole state of a Capp's workflow, for people and tests. */
export const view = defineQuery<State>('view');
