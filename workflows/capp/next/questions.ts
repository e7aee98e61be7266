// The arguments that a step passes to activities. Pure.
import type { Inquiry } from '../listener.ts';
import type { ReportQuestion } from '../../ports/agent.ts';
import type { ChoiceAsk } from '../../ports/choice.ts';
import type { FoundWork } from '../../types/removals.ts';
import type { State } from '../state.ts';
import type { Finding } from '../../types/copy.ts';
import type { TurnRequest } from '../../types/turns.ts';
import { servingCopy } from '../facts/copies.ts';
import { illnessOf } from '../facts/health.ts';
import { homeOf } from '../facts/home.ts';
import { isInDoubt, otherHubOf } from '../facts/other-hub.ts';

/** What a choice or a review of the Capp's site rests on. `found` are works that were read live. */
export function askOf(state: State, found: readonly FoundWork[] = []): ChoiceAsk {
  const { minimumVersions, avoid, serving, placedFor, pin, annotated, leave, move } = state;
  // A request that was accepted, and whose move has not begun, is reviewed again.
  const request = state.request ?? leave?.request ?? null;
  const isThere = servingCopy(state) !== null || move !== null;
  const copies = Object.keys(state.copies).toSorted();
  const illness = illnessOf(state);
  const otherHub = otherHubOf(state);
  const refused = otherHub === null ? {} : { otherHub };
  const known = { placedFor, pin, home: homeOf(state), request, annotated, copies, ...refused };
  const history = !isThere ? null : illness === null ? known : { ...known, illness };
  const going = Object.keys(state.leaving).map((cluster) => ({ cluster, leaving: true }));
  return { minimumVersions, present: serving, avoid, history, works: [...going, ...found] };
}

/**
 * What to wait for on a cluster: news about what was applied that differ from what is known. Null while
 * nothing was applied.
 */
export function verdictInquiry(state: State, cluster: string): Inquiry | null {
  const copy = state.copies[cluster];
  if (copy === undefined || copy.stamp === null) return null;
  const known = copy.finding === null ? null : knownOf(copy.finding);
  return {
    kind: 'verdict',
    cluster,
    question: { stamp: copy.stamp, known, statusHash: hashFor(state, cluster), ...countOf(state) },
  };
}

function knownOf({ verdict, reason, hostname }: Finding): NonNullable<ReportQuestion['known']> {
  return hostname === undefined ? { verdict, reason } : { verdict, reason, hostname: hostname.reason };
}

/** A question about what a cluster's agent sees now. Null while nothing was applied there. */
export function reportInquiry(state: State, cluster: string): Inquiry | null {
  const stamp = state.copies[cluster]?.stamp ?? null;
  return stamp === null
    ? null
    : {
        kind: 'report',
        cluster,
        question: {
          stamp,
          known: null,
          statusHash: hashFor(state, cluster),
          ...countOf(state),
          ...(isInDoubt(state.copies[cluster]) ? { gone: true } : {}),
        },
      };
}

/** Of a Capp that leaves after so many restarts. */
function countOf({ unhealthyRestarts }: State): Pick<ReportQuestion, 'restarts'> {
  return unhealthyRestarts === undefined ? {} : { restarts: true };
}

/** The hash of what users read of a cluster's copy. The agent need not send that again. */
function hashFor({ serving, mirrored }: State, cluster: string): string | null {
  return cluster === serving ? mirrored : null;
}

export function turnRequestOf({ capp, leave }: State): TurnRequest {
  return {
    namespace: capp.namespace,
    name: capp.name,
    to: leave?.to ?? null,
    priority: leave?.priority ?? 0,
  };
}
