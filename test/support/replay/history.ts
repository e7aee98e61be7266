// Begins histories that are written by hand, one for each kind of workflow.
import type { DrainStart, DrainState } from '../../../workflows/drain/state.ts';
import {
  CAPP_WORKFLOW,
  cappWorkflowId,
  SCORE_WORKFLOW,
  SITE_WORKFLOW,
  siteWorkflowId,
  TURNS_WORKFLOW,
  turnsWorkflowId,
} from '../../../workflows/names.ts';
import type { ScoreOrder } from '../../../workflows/score/measured.ts';
import type { SiteState } from '../../../workflows/site/state.ts';
import { initialState, type State } from '../../../workflows/capp/state.ts';
import { CAPP } from '../builders/states.ts';
import { Book } from './book.ts';
import { attributesOf, type Event } from './turns.ts';

/** Begins a Capp's workflow with a state, or as new. */
export function history(state: State = initialState(CAPP)): Book {
  const { namespace, name } = state.capp;
  return new Book(CAPP_WORKFLOW, state, cappWorkflowId(namespace, name));
}

export function siteHistory(state: SiteState): Book {
  return new Book(SITE_WORKFLOW, state, siteWorkflowId(state.cluster));
}

export function drainHistory(start: DrainStart | DrainState): Book {
  return new Book(TURNS_WORKFLOW, start, turnsWorkflowId(start.cluster));
}

export function scoreHistory(order: ScoreOrder): Book {
  return new Book(SCORE_WORKFLOW, order);
}

/** Goes on with a history that was recorded, in which nothing is under way but timers. */
export function continued({ events }: { readonly events: readonly Event[] }): Book {
  const { workflowType, workflowId } = attributesOf(events[0] ?? {}) as unknown as {
    readonly workflowType: { readonly name: string };
    readonly workflowId: string;
  };
  return new Book(workflowType.name, null, workflowId).goesOnFrom(events);
}
